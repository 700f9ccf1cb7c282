import { type DefinedKernel, type Device, type DeviceOptions, openDevice } from '@ffma/core';
import { parseSchedule, scheduleText, someSchedules } from '@ffma/emulator';
import { h01 } from '@ffma/kernels-hopper';
import { type VerifyCase, verifyGemm } from '@ffma/verify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MutantPackage } from '../../../scripts/emulator/mutant-package.js';
import { kindsOf, misblamed, verdict } from '../../../scripts/emulator/verdict.js';
import { rightCopied, wrongCopied } from './wrong-kernels/wrong-copied.js';
import { wrongTiles } from './wrong-kernels/wrong-tiles.js';

let mutants: MutantPackage;
let device: Device;
let copied: Promise<DefinedKernel>;

beforeAll(async () => {
  mutants = await MutantPackage.create();
  copied = mutants.add(rightCopied);
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

test.each(
  someSchedules(5).flatMap((schedule) =>
    ['h00', 'h01'].map((name) => [name, scheduleText(schedule)] as const),
  ),
)('as it is, %s passes: %s', { timeout: 120_000 }, async (name, text) => {
  const gemm = name === 'h00' ? await copied : h01.variant('128x64');
  const schedule = parseSchedule(text);
  await using own = await openDevice('emulator', { workers: 1, schedule } as DeviceOptions);
  const report = await verifyGemm(own, gemm, { cases, load: { compile: true } });
  expect([report.outcome, report.counts.passed]).toEqual(['passed', cases.length]);
});

test.each([...wrongCopied, ...wrongTiles])('$slug: $what', { timeout: 120_000 }, async (wrong) => {
  const kernel = await mutants.add(wrong);
  const schedule = wrong.schedule === undefined ? undefined : parseSchedule(wrong.schedule);
  await using own = schedule && (await openDevice('emulator', { workers: 1, schedule } as DeviceOptions));
  const report = await verifyGemm(own ?? device, kernel, { cases, load: { compile: true } });
  const { gates, faults, errors } = verdict(report);
  expect({ gates, kinds: kindsOf(faults), errors }).toEqual({
    gates: wrong.fails ?? [],
    kinds: wrong.kinds ?? [],
    errors: [],
  });
  if (wrong.line !== undefined) expect(await misblamed(kernel, faults, wrong.line)).toEqual([]);
});
