import type { Device, DeviceOptions } from '@ffma/core';
import { parseSchedule } from '@ffma/emulator';
import { verifyGemm } from '@ffma/verify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MutantPackage } from '../../../scripts/emulator/mutant-package.js';
import { kindsOf, misblamed, verdict } from '../../../scripts/emulator/verdict.js';
import { sixBlocks, tailCases } from './support/tail-cases.js';
import { wrongTails } from './wrong-kernels/wrong-tails.js';

let mutants: MutantPackage;
let device: Device;
beforeAll(async () => {
  mutants = await MutantPackage.create();
  // On one worker, blocks take turns in the same order each time.
  device = await sixBlocks({ workers: 1, checks: { racecheck: false } } as DeviceOptions);
});
afterAll(async () => {
  await device?.[Symbol.asyncDispose]();
  await mutants?.[Symbol.asyncDispose]();
});

test.each(wrongTails)('$slug: $what', { timeout: 120_000 }, async (wrong) => {
  const kernel = await mutants.add(wrong);
  const schedule = wrong.schedule === undefined ? undefined : parseSchedule(wrong.schedule);
  await using own = schedule && (await sixBlocks({ schedule } as DeviceOptions));
  const report = await verifyGemm(own ?? device, kernel, {
    cases: tailCases.slice(0, 1),
    load: { compile: true },
  });
  const { gates, faults, errors } = verdict(report);
  expect({ gates, kinds: kindsOf(faults), errors }).toEqual({
    gates: wrong.fails ?? [],
    kinds: wrong.kinds ?? [],
    errors: [],
  });
  if (wrong.line !== undefined) expect(await misblamed(kernel, faults, wrong.line)).toEqual([]);
});
