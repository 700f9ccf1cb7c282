import { type Device, openDevice } from '@ffma/core';
import { k08, k09, k11, k13 } from '@ffma/kernels-cudacore';
import { type VerifyCase, verifyGemm } from '@ffma/verify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MutantPackage } from '../../../scripts/emulator/mutant-package.js';
import { kindsOf, misblamed, verdict } from '../../../scripts/emulator/verdict.js';
import { addMutant, type Mutant } from './wrong-kernels/mutate.js';
import { wrongCopies } from './wrong-kernels/wrong-copies.js';

let mutants: MutantPackage;
let device: Device;
const built = new Map<string, Mutant>();

beforeAll(async () => {
  mutants = await MutantPackage.create();
  // On one worker, blocks run in order: what a wrong kernel does is the same each time.
  device = await openDevice('emulator', { workers: 1 });
  for (const wrong of wrongCopies) built.set(wrong.slug, await addMutant(mutants, wrong));
});

afterAll(async () => {
  await device?.[Symbol.asyncDispose]();
  await mutants?.[Symbol.asyncDispose]();
});

/** A ring that goes round more than once, and one that is never full. */
function cases({ params }: Mutant['kernel']): VerifyCase[] {
  const { BM: m, BN: n, BK } = params as { BM: number; BN: number; BK: number };
  return [7, 2].map((chunks) => ({ shape: { m, n, k: chunks * BK }, data: 'integers', expect: 'run' }));
}

test.each([k08, k09, k11, k13].map((kernel) => [kernel.id, kernel as unknown as Mutant['kernel']] as const))(
  '%s as it is passes',
  async (_, kernel) => {
    const report = await verifyGemm(device, kernel, { cases: cases(kernel) });
    expect([report.outcome, report.counts.passed]).toEqual(['passed', 2]);
  },
);

describe('rings of copies that are wrong', () => {
  test.each(wrongCopies.map((wrong) => [wrong.what, wrong] as const))('%s', async (_, wrong) => {
    const { kernel } = built.get(wrong.slug) as Mutant;
    const report = await verifyGemm(device, kernel, { cases: cases(kernel), load: { compile: true } });
    expect(report.ended).toBeUndefined();
    const { gates, faults, errors } = verdict(report);
    expect({ gates, kinds: kindsOf(faults), errors }).toEqual({
      gates: [...(wrong.fails ?? [])].sort(),
      kinds: [...(wrong.kinds ?? [])].sort(),
      errors: [],
    });
    expect(await misblamed(kernel, faults, wrong.line)).toEqual([]);
  });
});
