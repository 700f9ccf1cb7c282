import { gemmProblem } from '@ffma/core';
import { describe, expect, test } from 'vitest';
import { cublas, cublasPedantic, kernels } from '../index.js';

const problem = gemmProblem({ m: 2, n: 3, k: 4 });

test('the kernels of the package are references, each under its own name', () => {
  expect(kernels).toEqual([cublas, cublasPedantic]);
  expect(kernels.map(({ id, kernel, role, exactness }) => [id, kernel, role, exactness])).toEqual([
    ['cublas', 'cublas', 'reference', 'reordered'],
    ['cublas_pedantic', 'cublas_pedantic', 'reference', 'reordered'],
  ]);
});

describe('refusal', () => {
  test('there is none of what a problem can be', () => {
    expect(cublas.refusal(problem)).toBeUndefined();
    expect(cublas.refusal(gemmProblem({ m: 1, n: 0, k: 0, lda: 2 ** 31 - 1 }))).toBeUndefined();
  });

  test.each(['m', 'n', 'k', 'lda', 'ldb', 'ldc'] as const)('%s beyond 32 bits is named', (name) => {
    expect(cublas.refusal({ ...problem, [name]: 2 ** 31 })).toBe(
      `cublasSgemm takes 32-bit sizes, up to 2147483647, but ${name} is 2147483648.`,
    );
  });
});
