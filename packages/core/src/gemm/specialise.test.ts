import { describe, expect, it } from 'vitest';
import { limits } from '../../test/support/fake-device.js';
import { sampleKernel, sizedKernel } from '../../test/support/sample-kernel.js';
import { ArgumentError } from '../errors.js';
import { defineKernel } from './define-kernel.js';
import { gemmProblem } from './problem.js';

const kernel = sizedKernel();
const sizes = { m: 64, n: 32, k: 16 };
const device = { arch: 'sm_90', limits };
const resources = { main: { registers: 32, sharedBytes: 0, spillBytes: 0, estimated: true } };

describe('a variant that has sizes compiled in', () => {
  it('is open as it is declared, and specialised in any case', () => {
    expect([kernel.open, kernel.specialised]).toEqual([true, true]);
    const filled = kernel.forShape(sizes);
    expect([filled.open, filled.specialised]).toEqual([false, true]);
    expect([sampleKernel().open, sampleKernel().specialised]).toEqual([false, false]);
  });

  it('says its sizes in its id, made or given', () => {
    expect(kernel.forShape(sizes)).toMatchObject({
      id: 'k91_bm32_m64_n32_k16',
      params: { BM: 32, M: 64, N: 32, K: 16 },
      symbols: { main: 'k91_bm32_m64_n32_k16' },
    });
    expect(kernel.variant('deep').forShape(sizes).id).toBe('k91_by_hand_64x32x16');
  });

  it('refuses every other size once they are filled in', () => {
    const filled = kernel.forShape(sizes);
    expect(filled.refusal(gemmProblem(sizes))).toBeUndefined();
    expect(filled.refusal(gemmProblem({ ...sizes, k: 32 }))).toBe(
      'm×n×k must be 64×32×16, which is compiled in, but is 64×32×32.',
    );
    expect(filled.forShape({ m: 32, n: 32, k: 32 })).toBe(filled);
  });

  it('while it is open, refuses what its filled one would', () => {
    expect(kernel.refusal(gemmProblem(sizes), device)).toBeUndefined();
    expect(kernel.refusal(gemmProblem({ ...sizes, m: 65 }))).toBe('m must be a multiple of 32, but is 65.');
    expect(kernel.refusal(gemmProblem({ ...sizes, k: 0 }))).toMatch(/each at least 1, but k is 0/);
    expect(() => kernel.forShape({ ...sizes, m: 65 })).toThrow(/does not take this problem: m must be/);
    expect(() => kernel.forShape({ ...sizes, n: 0 })).toThrow(/each at least 1, but n is 0/);
    expect(() => kernel.forShape({ ...sizes, n: 0.5 })).toThrow(ArgumentError);
  });

  it('of a kernel without them is itself', () => {
    const plain = sampleKernel();
    expect(plain.forShape(sizes)).toBe(plain);
  });

  it('is refused where its declaration contradicts itself', () => {
    const { definition } = kernel;
    const silent = defineKernel({ ...definition, needs: () => ({}) });
    expect(() => silent.forShape(sizes)).toThrow(
      /needs\(\) of k91_\S+ must give exactly 64×32×16.*no exactly/,
    );
    const shifted = defineKernel({
      ...definition,
      needs: ({ M, N, K }) => ({ exactly: { m: M, n: N, k: K + 1 } }),
    });
    expect(() => shifted.forShape(sizes)).toThrow(/but gives 64×32×17/);
    const never = defineKernel({
      ...definition,
      specialise: { ...definition.specialise, open: () => true, fill: () => ({ M: 1 }) },
    });
    expect(() => never.forShape(sizes)).toThrow(/still open after fill\(\)/);
    const unknown = defineKernel({
      ...definition,
      specialise: { open: ({ M }) => M === 0, fill: () => ({ MM: 1 }) as never },
    });
    expect(() => unknown.forShape(sizes)).toThrow(/k91 has no parameter MM/);
  });
});

describe('partial sums', () => {
  const split = (sums: number) => defineKernel({ ...sampleKernel().definition, partialSums: () => sums });

  it('are one unless declared, and of an empty C', () => {
    expect(sampleKernel().partialSums(gemmProblem(sizes), device, resources)).toBe(1);
    expect(split(3).partialSums(gemmProblem(sizes), device, resources)).toBe(3);
    expect(split(3).partialSums(gemmProblem({ ...sizes, m: 0 }), device, resources)).toBe(1);
  });

  it.each([0, 1.5, Number.NaN])('are not %d', (sums) => {
    expect(() => split(sums).partialSums(gemmProblem(sizes), device, resources)).toThrow(
      /partialSums\(\) of k90_\S+ must give an integer from 1 on/,
    );
  });
});
