import { describe, expect, it } from 'vitest';
import { sampleKernel } from '../../test/support/sample-kernel.js';
import { defineKernel, type Variant } from './define-kernel.js';
import { fastestOf } from './fastest.js';

const { definition } = sampleKernel(new URL('file:///nowhere/kernel.cu'));
const kernel = (name: string, multiple: number) =>
  defineKernel({
    ...definition,
    name,
    needs: () => ({ multiples: { m: multiple, n: multiple } }),
  }) as unknown as Variant;

const [small, large, any] = [kernel('small', 64), kernel('large', 256), kernel('any', 1)];
const table = [
  { size: 512, variant: small },
  { size: 4096, variant: large },
];
const chosen = (m: number, n = m, k = m, others: readonly Variant[] = [any]) =>
  fastestOf(table, others, { m, n, k }).kernel;

describe('fastestOf', () => {
  it('takes that of the nearest size, in doublings', () => {
    expect([64, 1024, 1408, 1536, 8192].map((n) => chosen(n))).toEqual([
      'small',
      'small',
      'small',
      'large',
      'large',
    ]);
    expect(chosen(4096, 4096, 64)).toBe('large');
    expect(chosen(4096, 256, 64)).toBe('small');
  });

  it('takes that of another size where the nearest does not take the product, and others after those', () => {
    expect(chosen(4096 + 64)).toBe('small');
    expect(chosen(4096 + 1)).toBe('any');
    expect(chosen(512, 512, 0)).toBe('small');
  });

  it('says why the nearest does not where nothing does', () => {
    expect(() => chosen(65, 64, 64, [])).toThrow(
      /No kernel here takes 65×64×64; small_\S*, for one: m must be a multiple of 64, but is 65\. Pad/,
    );
    expect(() => chosen(-1)).toThrow(expect.objectContaining({ code: 'FFMA_ARGUMENT' }));
  });
});
