import { describe, expect, test } from 'vitest';
import { type DataSetName, dataSets } from '../data/data-set.js';
import { MatrixImage } from '../data/matrix-image.js';
import { makeProblemData, type ProblemData } from '../data/problem-data.js';
import { exactFma } from '../test-support/exact-fma.js';
import { kernel } from '../test-support/js-kernels.js';
import { outcomeOf } from '../test-support/outcome.js';
import { doubleReference } from './double.js';
import { kOrderReference } from './k-order.js';

const shape = { m: 7, n: 9, k: 11, lda: 13, ldb: 10, ldc: 12 };

function at(image: ProblemData['a'], row: number, col: number): number {
  const { start, ld } = image.layout;
  return image.values[start + row * ld + col]!;
}

describe('k-order', () => {
  test('equals a chain of whole-number FMAs, element by element', () => {
    for (const [alpha, beta] of [
      [1, 0],
      [1.7, -0.3],
      [-1, 1],
    ] as const) {
      const data = makeProblemData(
        { ...shape, alpha, beta },
        { data: 'normal', offsets: { a: 1, b: 2, c: 3 } },
      );
      const got = kOrderReference(data);
      for (let row = 0; row < 7; row++) {
        for (let col = 0; col < 9; col++) {
          let acc = 0;
          for (let p = 0; p < 11; p++) acc = exactFma(at(data.a, row, p), at(data.b, p, col), acc);
          const scaled = exactFma(Math.fround(alpha), acc, -0);
          const want = beta === 0 ? scaled : exactFma(Math.fround(beta), at(data.c, row, col), scaled);
          expect(Object.is(got[row * 9 + col], want), `C[${row}][${col}]`).toBe(true);
        }
      }
    }
  });

  test.each(Object.keys(dataSets) as DataSetName[])(
    'equals a kernel written element by element on %s data',
    (data) => {
      for (const scalars of [{}, { alpha: -1.5, beta: 0.5 }]) {
        const problem = makeProblemData({ ...shape, ...scalars }, { data });
        const kernels = new MatrixImage(problem.c.layout, outcomeOf(problem, kernel()).c).elements();
        expect(kOrderReference(problem)).toEqual(kernels);
      }
    },
  );

  test('reads neither A nor B where alpha or k is 0, and not C where beta is 0', () => {
    const zero = makeProblemData({ ...shape, alpha: 0 }, { data: 'unread' });
    expect([...kOrderReference(zero)].every((x) => Object.is(x, 0))).toBe(true);
    const scaled = makeProblemData({ ...shape, k: 0, alpha: Number.NaN, beta: -2 }, { data: 'special' });
    expect([...kOrderReference(scaled)]).toEqual([...scaled.c.elements()].map((c) => Math.fround(-2 * c)));
  });
});

describe('float64', () => {
  test('equals the exact sums of integers', () => {
    const data = makeProblemData({ ...shape, alpha: 2, beta: 3 }, { data: 'integers' });
    const { values, magnitudes, products, largest } = doubleReference(data);
    for (let row = 0; row < 7; row++) {
      for (let col = 0; col < 9; col++) {
        let sum = 0;
        let size = 0;
        for (let p = 0; p < 11; p++) {
          sum += at(data.a, row, p) * at(data.b, p, col);
          size += Math.abs(at(data.a, row, p) * at(data.b, p, col));
        }
        expect(values[row * 9 + col]).toBe(2 * sum + 3 * at(data.c, row, col));
        expect(magnitudes[row * 9 + col]).toBe(2 * size + 3 * Math.abs(at(data.c, row, col)));
        expect(products[row * 9 + col]).toBe(size);
      }
    }
    expect(largest).toBe(Math.max(...magnitudes));
  });

  test('agrees with the k-order bits where they are exact, signs of zero included', () => {
    for (const scalars of [
      {},
      { alpha: -1 },
      { alpha: 0.5, beta: -2 },
      { alpha: 0, beta: -2 },
      { k: 0 },
      { k: 0, alpha: -1 },
    ]) {
      const data = makeProblemData({ ...shape, ...scalars }, { data: 'integers' });
      expect(new Float32Array(doubleReference(data).values)).toEqual(kOrderReference(data));
    }
  });
});
