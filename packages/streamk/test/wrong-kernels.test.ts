import type { DefinedKernel, Device, DeviceOptions } from '@ffma/core';
import { parseSchedule } from '@ffma/emulator';
import { kernels } from '@ffma/streamk';
import { type VerifyCase, verifyGemm } from '@ffma/verify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MutantPackage } from '../../../scripts/emulator/mutant-package.js';
import { smallDevice } from '../../../scripts/emulator/small-device.js';
import { kindsOf, misblamed, verdict } from '../../../scripts/emulator/verdict.js';
import { inStartingOrder, wrongSums } from './wrong-kernels/wrong-sums.js';

let mutants: MutantPackage;
let device: Device;
const built = new Map<string, DefinedKernel>();

beforeAll(async () => {
  mutants = await MutantPackage.create();
  // On one worker, blocks take turns in the same order each time. Without racecheck, which would stop some of them
  // earlier, each shows what else finds it.
  device = await smallDevice(3, { workers: 1, checks: { racecheck: false } } as DeviceOptions);
  for (const wrong of [inStartingOrder, ...wrongSums]) built.set(wrong.slug, await mutants.add(wrong));
});

afterAll(async () => {
  await device?.[Symbol.asyncDispose]();
  await mutants?.[Symbol.asyncDispose]();
});

/** Six blocks: eight tiles, of which two are shared by three each; and one tile of three chunks, half of the shares empty. */
const cases: readonly VerifyCase[] = [
  { shape: { m: 256, n: 512, k: 40, alpha: 2, beta: -3 }, data: 'integers', expect: 'run' },
  { shape: { m: 256, n: 512, k: 40 }, data: 'integers', expect: 'run' },
  { shape: { m: 128, n: 896, k: 24 }, data: 'integers', expect: 'run' },
];

test.each(kernels.map((kernel) => [kernel.id, kernel] as const))('%s as it is passes', async (_, kernel) => {
  const report = await verifyGemm(device, kernel, { cases });
  expect([report.outcome, report.counts.passed]).toEqual(['passed', cases.length]);
});

test('streamk-deterministic passes with waiting blocks first, as long as all are resident', async () => {
  const kernel = built.get(inStartingOrder.slug) as DefinedKernel;
  const report = await verifyGemm(device, kernel, { cases, load: { compile: true } });
  expect([report.outcome, report.counts.passed]).toEqual(['passed', cases.length]);
});

describe('sums that do not add up', () => {
  test.each(wrongSums.map((wrong) => [wrong.what, wrong] as const))('%s', async (_, wrong) => {
    const kernel = built.get(wrong.slug) as DefinedKernel;
    const schedule = wrong.schedule === undefined ? undefined : parseSchedule(wrong.schedule);
    const own = schedule === undefined ? undefined : await smallDevice(3, { schedule } as DeviceOptions);
    const report = await verifyGemm(own ?? device, kernel, { cases, load: { compile: true } });
    await own?.[Symbol.asyncDispose]();
    expect(report.ended).toBeUndefined();
    const { gates, faults, errors } = verdict(report);
    expect({ gates, kinds: kindsOf(faults), errors }).toEqual({
      gates: [...(wrong.fails ?? [])].sort(),
      kinds: wrong.kinds ?? [],
      errors: [],
    });
    expect(await misblamed(kernel, faults, wrong.line)).toEqual([]);
  });
});
