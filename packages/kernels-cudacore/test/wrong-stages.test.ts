import { type DefinedKernel, type Device, openDevice } from '@ffma/core';
import { type VerifyCase, verifyGemm } from '@ffma/verify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MutantPackage } from '../../../scripts/emulator/mutant-package.js';
import { misblamed, verdict } from '../../../scripts/emulator/verdict.js';
import { wrongStages } from './wrong-kernels/wrong-stages.js';

let mutants: MutantPackage;
let device: Device;
const built = new Map<string, DefinedKernel>();

beforeAll(async () => {
  mutants = await MutantPackage.create();
  // On one worker, blocks run in order: what a wrong kernel does is the same each time.
  device = await openDevice('emulator', { workers: 1 });
  for (const wrong of wrongStages) built.set(wrong.slug, await mutants.add(wrong));
});

afterAll(async () => {
  await device?.[Symbol.asyncDispose]();
  await mutants?.[Symbol.asyncDispose]();
});

/** Several chunks, so that either stage is filled more than once; and nothing lies behind the matrices. */
function cases({ params }: DefinedKernel): VerifyCase[] {
  const { BM: m, BN: n, BK } = params as { BM: number; BN: number; BK: number };
  return [{ shape: { m, n, k: 5 * BK }, data: 'integers', guards: 'none', expect: 'run' }];
}

const originals = [...new Set(wrongStages.map(({ of }) => of))];
test.each(originals.map((kernel) => [kernel.id, kernel] as const))(
  '%s as it is passes',
  async (_, kernel) => {
    const report = await verifyGemm(device, kernel, { cases: cases(kernel) });
    expect([report.outcome, report.counts.passed]).toEqual(['passed', 1]);
  },
);

describe('stages, and ways to C, that are wrong', () => {
  test.each(wrongStages.map((wrong) => [wrong.what, wrong] as const))('%s', async (_, wrong) => {
    const kernel = built.get(wrong.slug) as DefinedKernel;
    const report = await verifyGemm(device, kernel, { cases: cases(kernel), load: { compile: true } });
    expect(report.ended).toBeUndefined();
    const { gates, faults, errors } = verdict(report);
    expect({ gates, kinds: faults.map(({ kind }) => kind), errors }).toEqual({
      gates: [...(wrong.fails ?? [])].sort(),
      kinds: wrong.kinds ?? [],
      errors: [],
    });
    expect(await misblamed(kernel, faults, wrong.line)).toEqual([]);
  });
});
