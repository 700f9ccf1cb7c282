import { describe, expect, test } from 'vitest';
import { doubleReference } from '../reference/double.js';
import { dataSets } from './data-set.js';
import { lastBit, sumsAreExact } from './exact-sums.js';
import { makeProblemData, type ProblemData } from './problem-data.js';

const elements = ({ a, b, c }: ProblemData) => ({ a: a.elements(), b: b.elements(), c: c.elements() });

test('the same seed gives the same bits, another seed others', () => {
  for (const data of Object.keys(dataSets) as (keyof typeof dataSets)[]) {
    const make = (seed: number) => makeProblemData({ m: 9, n: 8, k: 7, beta: 1 }, { data, seed });
    expect(make(1).a.words).toEqual(make(1).a.words);
    expect(make(1).c.words).toEqual(make(1).c.words);
    expect(make(1).c.words, data).not.toEqual(make(2).c.words);
  }
});

describe('integers', () => {
  const shapes = [
    { m: 5, n: 6, k: 1 },
    { m: 5, n: 6, k: 4096 },
    { m: 5, n: 6, k: 43, alpha: 2, beta: 3 },
    { m: 5, n: 6, k: 43, alpha: 0.5, beta: -2 },
    { m: 5, n: 6, k: 43, alpha: -6, beta: 0.25 },
    { m: 3, n: 3, k: 60_000 },
  ];
  test.each(shapes)('sums of %j stay exact, and are large enough to lose bits elsewhere', (shape) => {
    const data = makeProblemData(shape, { data: 'integers' });
    const { alpha, beta } = data.problem;
    expect(sumsAreExact(doubleReference(data).largest, alpha, beta)).toBe(true);
    const { a, b, c } = elements(data);
    expect([...a, ...b].every(Number.isInteger)).toBe(true);
    if (beta !== 0) expect(c.every(Number.isInteger)).toBe(true);
    expect(Math.max(...a.map(Math.abs))).toBeGreaterThan(shape.k > 10_000 ? 8 : 32);
  });

  test('scalars with many bits leave the product exact', () => {
    const data = makeProblemData({ m: 5, n: 6, k: 43, alpha: 1.7, beta: 0.3 }, { data: 'integers' });
    expect(sumsAreExact(doubleReference(data).largest, data.problem.alpha, data.problem.beta)).toBe(false);
    const { products } = doubleReference(data);
    expect(Math.max(...products)).toBeLessThanOrEqual(2 ** 24);
    expect(Math.max(...products)).toBeGreaterThan(1000);
  });
});

test('exact up to 2^24 of the scalars’ last bit', () => {
  expect([3, 2.5, 12, 1.5 * 2 ** -130, 0, Number.NaN].map(lastBit)).toEqual([
    1,
    0.5,
    4,
    2 ** -131,
    Number.POSITIVE_INFINITY,
    0,
  ]);
  expect(sumsAreExact(2 ** 24, 1, 0)).toBe(true);
  expect(sumsAreExact(2 ** 24 + 1, 1, 0)).toBe(false);
  expect(sumsAreExact(2 ** 24, 1, 0.5)).toBe(false);
  expect(sumsAreExact(Number.NaN, 1, 1)).toBe(false);
});

test('the canary has odd integers of 12 bits, and stays exact up to its largest k', () => {
  const data = makeProblemData({ m: 4, n: 3, k: 4096 }, { data: 'canary' });
  const { a, b } = elements(data);
  expect(a.every((x) => x > 2048 && x <= 4095 && x % 2 === 1)).toBe(true);
  expect(new Set(b)).toEqual(new Set([-1, 0, 1]));
  expect(doubleReference(data).largest).toBeLessThan(2 ** 24);
  expect(() => makeProblemData({ m: 4, n: 3, k: 4097 }, { data: 'canary' })).toThrow(
    /up to k = 4096, but k is 4097/,
  );
});

test('special data shows each kind of result', () => {
  const { a, b, c } = elements(makeProblemData({ m: 40, n: 36, k: 29, beta: 1 }, { data: 'special' }));
  for (const values of [a, c]) {
    expect(values.some(Number.isNaN)).toBe(true);
    expect(values.some((x) => x === Number.POSITIVE_INFINITY)).toBe(true);
    expect(values.some((x) => x === Number.NEGATIVE_INFINITY)).toBe(true);
    expect(values.some((x) => Object.is(x, -0))).toBe(true);
    expect(values.some((x) => x !== 0 && Math.abs(x) < 2 ** -126)).toBe(true);
  }
  expect(b.some(Number.isNaN)).toBe(true);
  const reference = doubleReference(makeProblemData({ m: 40, n: 36, k: 29 }, { data: 'special' })).values;
  const finite = reference.filter(Number.isFinite);
  expect(finite.length / reference.length).toBeGreaterThan(0.4);
  expect(finite.some((x) => Math.abs(x) > 2 ** 128)).toBe(true);
  expect(finite.some((x) => x !== 0 && Math.abs(x) < 2 ** -126)).toBe(true);
  expect(reference.some((x) => x === Number.POSITIVE_INFINITY)).toBe(true);
});

test('C is poison where beta is 0, and data where it is not', () => {
  const c = (beta: number) => elements(makeProblemData({ m: 3, n: 4, k: 2, beta }, { data: 'uniform' })).c;
  expect(c(0).every(Number.isNaN)).toBe(true);
  expect(c(1).some(Number.isNaN)).toBe(false);
});

test('an unknown data set and a bad seed are named', () => {
  expect(() => makeProblemData({ m: 1, n: 1, k: 1 }, { data: 'primes' as 'integers' })).toThrow(
    /'primes'; there are integers/,
  );
  expect(() => makeProblemData({ m: 1, n: 1, k: 1 }, { data: 'integers', seed: 0.5 })).toThrow(
    /A seed must be an integer/,
  );
});
