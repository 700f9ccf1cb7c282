import { describe, expect, it } from 'vitest';
import { gemmSignature } from './kernel-definition.js';
import { arg, ceilDiv, gemmArgs } from './plan.js';
import { gemmProblem } from './problem.js';

describe('ceilDiv', () => {
  it('counts whole tiles, up to the largest extent', () => {
    expect([0, 1, 32, 33].map((extent) => ceilDiv(extent, 32))).toEqual([0, 1, 1, 2]);
    expect(ceilDiv(2 ** 31 - 1, 32)).toBe(2 ** 26);
  });
});

describe('gemmArgs', () => {
  it('follows the signature', () => {
    const args = gemmArgs(gemmProblem({ m: 1, n: 2, k: 3, lda: 4, ldb: 5, ldc: 6, alpha: 7, beta: 8 }));
    expect(args).toHaveLength(gemmSignature.length);
    expect(args.slice(0, 3)).toEqual([arg.a, arg.b, arg.c]);
    const values = gemmSignature
      .slice(3)
      .map(({ name }, i) => [name, (args[i + 3] as { value: number }).value]);
    expect(Object.fromEntries(values)).toEqual({
      m: 1,
      n: 2,
      k: 3,
      lda: 4,
      ldb: 5,
      ldc: 6,
      alpha: 7,
      beta: 8,
    });
    expect(args.slice(3).map(({ type }) => type)).toEqual(gemmSignature.slice(3).map(({ type }) => type));
  });
});
