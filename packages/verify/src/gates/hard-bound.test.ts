import { expect, test } from 'vitest';
import { MatrixImage } from '../data/matrix-image.js';
import { makeProblemData } from '../data/problem-data.js';
import { type DoubleReference, doubleReference } from '../reference/double.js';
import { kernel, wrongKernels } from '../test-support/js-kernels.js';
import { outcomeOf } from '../test-support/outcome.js';
import { gamma, hardBoundGate } from './hard-bound.js';
import { qualityGate } from './quality.js';

function reference(values: number[], magnitudes: number[], products = magnitudes): DoubleReference {
  const largest = Math.max(...magnitudes);
  const arrays = [values, magnitudes, products].map((list) => new Float64Array(list)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  return { m: 1, n: values.length, values: arrays[0], magnitudes: arrays[1], products: arrays[2], largest };
}

const bound = (got: number, ref: DoubleReference, k = 1, alpha = 1, beta = 0) =>
  hardBoundGate({ m: 1, n: 1, k, alpha, beta, got: new Float32Array([got]), reference: ref });

test('γ(n) bounds n roundings, and has an end', () => {
  expect(gamma(1)).toBeCloseTo(2 ** -24, 14);
  expect(gamma(100)).toBeGreaterThan(100 * 2 ** -24);
  expect(() => gamma(2 ** 24)).toThrow(/fewer than 2\^24/);
});

test('an error just inside the bound passes, just outside fails', () => {
  // k = 12 and one sum: γ(15) of 1 is just over 15·2^-24, so 15 places of 2^-24 fit in and 16 do not.
  expect(bound(1 - 15 * 2 ** -24, reference([1], [1]), 12)).toMatchObject({ passed: true, limit: 1 });
  expect(bound(1 - 16 * 2 ** -24, reference([1], [1]), 12)).toMatchObject({ passed: false, failures: 1 });
  const more = hardBoundGate({
    m: 1,
    n: 1,
    k: 12,
    alpha: 1,
    beta: 0,
    partialSums: 2,
    got: new Float32Array([1 - 16 * 2 ** -24]),
    reference: reference([1], [1]),
  });
  expect(more.passed).toBe(true);
});

test('subnormal results may be off by their last place for each product, the epilogue for two', () => {
  const least = 2 ** -149;
  expect(bound(least, reference([0], [0]), 1).passed).toBe(true);
  expect(bound(2 * least, reference([0], [0]), 1).passed).toBe(false);
  expect(bound(3 * least, reference([0], [0]), 1, 1, 1).passed).toBe(true);
  expect(bound(4 * least, reference([0], [0]), 1, 1, 1).passed).toBe(false);
  expect(bound(10 * least, reference([0], [0]), 1, 8, 0).passed).toBe(true);
});

test('where the reference is not finite the result must be the same', () => {
  const { NaN: nan, POSITIVE_INFINITY: inf } = Number;
  expect(bound(nan, reference([nan], [nan])).passed).toBe(true);
  expect(bound(1, reference([nan], [nan])).passed).toBe(false);
  expect(bound(inf, reference([inf], [inf])).passed).toBe(true);
  expect(bound(-inf, reference([inf], [inf])).passed).toBe(false);
  expect(bound(nan, reference([inf], [inf])).passed).toBe(false);
  expect(bound(nan, reference([1], [1]))).toMatchObject({
    passed: false,
    measured: 'Infinity',
    worst: { got: 'NaN', want: 1 },
  });
  expect(bound(inf, reference([1], [1])).passed).toBe(false);
});

test('sums that may overflow are left out and counted, NaN inputs are not', () => {
  const large = bound(Number.POSITIVE_INFINITY, reference([2 ** 126], [2 ** 128]));
  expect(large.passed).toBe(true);
  expect(large.sentence).toMatch(/1 element may overflow/);
  expect(bound(1, reference([Number.NaN], [Number.NaN], [2 ** 128])).passed).toBe(false);
});

test('the worst possible order of rounding stays within the bound', () => {
  // All products positive, so that errors do not cancel in the magnitudes; every order and an unfused multiply.
  for (const data of ['uniform', 'normal'] as const) {
    for (const shape of [
      { m: 8, n: 8, k: 1 },
      { m: 8, n: 8, k: 200, alpha: 1.7, beta: -0.3 },
      { m: 8, n: 8, k: 2, alpha: 3, beta: 7 },
    ]) {
      const problem = makeProblemData(shape, { data });
      for (let i = 0; i < problem.a.words.length; i++) problem.a.values[i] = Math.abs(problem.a.values[i]!);
      const { m, n, k, alpha, beta } = problem.problem;
      for (const compute of [
        kernel(),
        wrongKernels['k walked downwards'],
        wrongKernels['multiply and add rounded apart'],
      ]) {
        const got = new MatrixImage(problem.c.layout, outcomeOf(problem, compute).c).elements();
        const input = { m, n, k, alpha, beta, got, reference: doubleReference(problem) };
        expect(hardBoundGate(input).passed).toBe(true);
        expect(qualityGate(input).passed).toBe(true);
      }
    }
  }
});

test('the quality gate is tighter than the bound where k is large', () => {
  const k = 10_000;
  const ref = reference([1], [1]);
  const input = {
    m: 1,
    n: 1,
    k,
    alpha: 1,
    beta: 0,
    reference: ref,
    got: new Float32Array([1 + 500 * 2 ** -23]),
  };
  expect(hardBoundGate(input).passed).toBe(true);
  expect(qualityGate(input)).toMatchObject({ passed: false, gate: 'quality' });
  expect(qualityGate({ ...input, got: new Float32Array([1 + 150 * 2 ** -23]) }).passed).toBe(true);
  expect(qualityGate({ ...input, got: new Float32Array([Number.NaN]) }).passed).toBe(false);
});

test('sums that atomics add in memory may lose what is subnormal, three times each, and no more', () => {
  const tiny = 2 ** -126;
  const at = (got: number, atomicSums: boolean) =>
    hardBoundGate({
      ...{ m: 1, n: 1, k: 4, alpha: 1, beta: 0, partialSums: 2, atomicSums },
      got: new Float32Array([got]),
      reference: reference([6 * tiny], [6 * tiny]),
    });
  expect(at(0, false)).toMatchObject({ passed: false });
  expect(at(0, true)).toMatchObject({ passed: true });
  expect(at(-tiny, true)).toMatchObject({ passed: false });
});
