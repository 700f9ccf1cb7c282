import { describe, expect, it } from 'vitest';
import { gemmFlops, gemmProblem, matrixAlignment, matrixBytes, reducedProblem } from './problem.js';

describe('gemmProblem', () => {
  it.each([undefined, null, 5])('refuses %s as a problem', (shape) => {
    expect(() => gemmProblem(shape as never)).toThrow(/A problem must be \{ m, n, k, … \}, but is/);
  });
  it('fills in what is left out', () => {
    expect(gemmProblem({ m: 3, n: 4, k: 5 })).toEqual({
      m: 3,
      n: 4,
      k: 5,
      lda: 5,
      ldb: 4,
      ldc: 4,
      alpha: 1,
      beta: 0,
      alignment: { a: 4, b: 16, c: 16 },
    });
  });

  it('keeps leading dimensions at 1 where an extent is 0', () => {
    expect(gemmProblem({ m: 0, n: 0, k: 0 })).toMatchObject({ lda: 1, ldb: 1, ldc: 1 });
  });

  it('rounds scalars to float32 and lets NaN and infinities through', () => {
    expect(gemmProblem({ m: 1, n: 1, k: 1, alpha: 0.1, beta: Number.NaN })).toMatchObject({
      alpha: Math.fround(0.1),
      beta: Number.NaN,
    });
    expect(gemmProblem({ m: 1, n: 1, k: 1, alpha: -Infinity }).alpha).toBe(-Infinity);
  });

  it.each([
    [{ m: -1, n: 1, k: 1 }, /m must be an integer in 0\.\.2147483647, but is -1/],
    [{ m: 1, n: 1.5, k: 1 }, /n must be an integer/],
    [{ m: 1, n: 1, k: 2 ** 31 }, /k must be an integer/],
    [{ m: 1, n: 1, k: Number.NaN }, /k must be an integer.*NaN/],
    [{ m: 1, n: 1, k: 8, lda: 7 }, /lda must be at least max\(1, k\) = 8, but is 7/],
    [{ m: 1, n: 8, k: 1, ldb: 7 }, /ldb must be at least max\(1, n\) = 8/],
    [{ m: 1, n: 8, k: 1, ldc: 0 }, /ldc must be at least/],
    [{ m: 1, n: 1, k: 1, alpha: 1e39 }, /alpha must be representable in float32/],
  ])('refuses %j', (shape, message) => {
    expect(() => gemmProblem(shape)).toThrow(message);
  });

  it.each([
    [{ m: '2' }, /m must be a number .*but is of type string/],
    [{ n: 2n }, /n must be a number .*but is of type bigint/],
    [{ k: undefined }, /k must be a number .*but is undefined/],
    [{ lda: null }, /lda must be a number .*but is null/],
  ])('says the type of what is no number: %o', (change, message) => {
    expect(() => gemmProblem({ m: 1, n: 1, k: 1, ...change } as never)).toThrow(message);
  });

  it('refuses a scalar that is no number', () => {
    expect(() => gemmProblem({ m: 1, n: 1, k: 1, beta: '1' as unknown as number })).toThrow(
      /beta must be a number/,
    );
  });
});

describe('matrixAlignment', () => {
  it.each([
    [0n, 4, 32, 128],
    [16n, 4, 32, 16],
    [0n, 4, 4, 16],
    [0n, 4, 33, 4],
    [0n, 4, 6, 8],
    [4n, 1, 32, 4],
  ])('at %i with %i rows of %i elements is %i', (address, rows, ld, alignment) => {
    expect(matrixAlignment(address, rows, ld)).toBe(alignment);
  });

  it('does not ask the leading dimension where there is one row', () => {
    expect(matrixAlignment(256n, 1, 33)).toBe(128);
  });
});

describe('matrixBytes and gemmFlops', () => {
  it('end at the last element, not at the end of its row', () => {
    expect(matrixBytes(3, 2, 10)).toBe((2 * 10 + 2) * 4);
    expect(matrixBytes(0, 2, 10)).toBe(0);
    expect(matrixBytes(2, 0, 10)).toBe(0);
  });

  it('counts a multiplication and an addition for each step', () => {
    expect(gemmFlops({ m: 2, n: 3, k: 4 })).toBe(48);
  });
});

describe('reducedProblem', () => {
  const shape = { m: 2, n: 2, k: 2 };
  const stored = (alpha: number, beta: number, c: number) => (beta === 0 ? alpha * 0 : beta * c + alpha * 0);

  it('leaves an ordinary problem alone', () => {
    const problem = gemmProblem({ ...shape, alpha: 2, beta: 3 });
    expect(reducedProblem(problem)).toBe(problem);
  });

  it.each([{ k: 0 }, { alpha: 0 }, { alpha: -0 }])('reads neither A nor B for %j', (part) => {
    expect(reducedProblem(gemmProblem({ ...shape, beta: 2, ...part })).k).toBe(0);
  });

  it('makes alpha * 0 an addend that changes no value of C, not even -0', () => {
    const { alpha, beta } = reducedProblem(gemmProblem({ ...shape, k: 0, alpha: 5, beta: 2 }));
    expect(alpha).toBe(-0);
    for (const c of [-0, 0, 1.5, -Infinity]) expect(stored(alpha, beta, c)).toBe(2 * c);
  });

  it('makes C +0 where beta is 0', () => {
    const { alpha, beta } = reducedProblem(gemmProblem({ ...shape, alpha: -0, beta: 0 }));
    expect(stored(alpha, beta, Number.NaN)).toBe(0);
  });
});
