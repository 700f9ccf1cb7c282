import { reducedProblem } from '@ffma/core';
import type { ProblemData } from '../data/problem-data.js';
import { fma32, fmaRow } from '../float/fma32.js';

/**
 * C, m×n without padding, with the bits that every `k-order` kernel has to give: for each element one chain of
 * fused multiply-adds from +0 over k ascending, then `fma(beta, c, alpha·acc)`, or `alpha·acc` where beta is 0.
 */
export function kOrderReference({ problem, a, b, c }: ProblemData): Float32Array {
  const { m, n, k, alpha, beta, lda, ldb, ldc } = reducedProblem(problem);
  const out = new Float32Array(m * n);
  for (let row = 0; row < m; row++) {
    const acc = out.subarray(row * n, (row + 1) * n);
    const firstA = a.layout.start + row * lda;
    for (let p = 0; p < k; p++) {
      fmaRow(acc, a.values[firstA + p] as number, b.values, b.layout.start + p * ldb);
    }
    const firstC = c.layout.start + row * ldc;
    for (let col = 0; col < n; col++) {
      const scaled = Math.fround(alpha * (acc[col] as number));
      acc[col] = beta === 0 ? scaled : fma32(beta, c.values[firstC + col] as number, scaled);
    }
  }
  return out;
}
