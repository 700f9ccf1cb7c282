import { readFile } from 'node:fs/promises';
import {
  type DefinedKernel,
  type Device,
  type DeviceOptions,
  type FfmaError,
  type KernelFaultPlace,
  openDevice,
} from '@ffma/core';
import { parseSchedule, scheduleText, someSchedules } from '@ffma/emulator';
import { h01 } from '@ffma/kernels-hopper';
import { type VerifyCase, type VerifyReport, verifyGemm } from '@ffma/verify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MutantPackage } from '../../../scripts/emulator/mutant-package.js';
import { wrongTiles } from './wrong-kernels/wrong-tiles.js';

let mutants: MutantPackage;
let device: Device;

beforeAll(async () => {
  mutants = await MutantPackage.create();
  device = await openDevice('emulator', { workers: 1 });
});
afterAll(async () => {
  await device?.[Symbol.asyncDispose]();
  await mutants?.[Symbol.asyncDispose]();
});

/** More stages than the ring has places; a rest along k, and fewer columns than a float4. */
const cases: readonly VerifyCase[] = [
  { shape: { m: 128, n: 64, k: 224 }, data: 'integers', expect: 'run' },
  { shape: { m: 70, n: 63, k: 37, lda: 40, ldb: 64, ldc: 64 }, data: 'integers', expect: 'run' },
];

function verdict({ cases: results }: VerifyReport) {
  const gates = results.flatMap(({ gates }) => gates.filter(({ decides, passed }) => decides && !passed));
  const errors = results.flatMap(({ error }) => (error === undefined ? [] : [error as unknown as FfmaError]));
  const kinds = errors.map(
    ({ details, message }) => (details as { kind?: string } | undefined)?.kind ?? message,
  );
  return { gates: [...new Set(gates.map(({ gate }) => gate))].sort(), kinds: [...new Set(kinds)].sort() };
}

/** Lines of the sources that faults name, each once. */
async function blamed(kernel: DefinedKernel, { cases: results }: VerifyReport): Promise<string[]> {
  const lines = new Set<string>();
  for (const { error } of results) {
    const place = (error as { details?: { place?: KernelFaultPlace } } | undefined)?.details?.place;
    if (place?.source === undefined) continue;
    const file = place.source.file.split('/').slice(2).join('/');
    const text = await readFile(new URL(file, kernel.definition.source), 'utf8');
    lines.add(text.split('\n')[place.source.line - 1]?.trim() ?? 'beyond the end');
  }
  return [...lines];
}

test.each(someSchedules(5).map(scheduleText))(
  'as it is, it passes: %s',
  { timeout: 120_000 },
  async (name) => {
    const schedule = parseSchedule(name);
    await using own = await openDevice('emulator', { workers: 1, schedule } as DeviceOptions);
    const report = await verifyGemm(own, h01.variant('128x64'), { cases, load: { compile: true } });
    expect([report.outcome, report.counts.passed]).toEqual(['passed', cases.length]);
  },
);

test.each(wrongTiles)('$slug: $what', { timeout: 120_000 }, async (wrong) => {
  const kernel = await mutants.add(wrong);
  const schedule = wrong.schedule === undefined ? undefined : parseSchedule(wrong.schedule);
  await using own = schedule && (await openDevice('emulator', { workers: 1, schedule } as DeviceOptions));
  const report = await verifyGemm(own ?? device, kernel, { cases, load: { compile: true } });
  const { gates, kinds } = verdict(report);
  expect({ gates, kinds }).toEqual({ gates: wrong.fails ?? [], kinds: wrong.kinds ?? [] });
  const lines = await blamed(kernel, report);
  if (wrong.line !== undefined)
    expect(
      lines.every((line) => line.includes(wrong.line as string)),
      lines.join('\n'),
    ).toBe(true);
});
