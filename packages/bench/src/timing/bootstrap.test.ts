import { Random } from '@ffma/verify';
import { expect, test } from 'vitest';
import { medianInterval } from './bootstrap.js';
import { median } from './statistics.js';

/** The same by drawing resamples, as textbooks do. */
function drawnInterval(values: readonly number[], level: number, resamples = 60_000) {
  const random = new Random(1);
  const medians = Float64Array.from({ length: resamples }, () =>
    median(values.map(() => values[random.below(values.length)] as number)),
  ).sort();
  const tail = Math.floor(((1 - level) / 2) * resamples);
  return { low: medians[tail] as number, high: medians[resamples - 1 - tail] as number };
}

const shuffled = (n: number) => Array.from({ length: n }, (_, i) => ((i * 7) % n) + 1);

test.each([1, 2, 3, 4, 5, 6, 9, 10, 15, 16])('of %i values it is what drawing resamples gives', (n) => {
  for (const level of [0.8, 0.9, 0.99])
    expect(medianInterval(shuffled(n), level), `${level}`).toEqual(drawnInterval(shuffled(n), level));
});

test('known intervals: the ranks that leave out 2.5 % of the medians of resamples on either side', () => {
  // With 15 draws from 15, the median is at most the fourth in 2.55 % of resamples, at most the third in 0.42 %.
  expect(medianInterval(shuffled(15))).toEqual({ low: 4, high: 12 });
  expect(medianInterval(shuffled(5))).toEqual({ low: 1, high: 5 });
  // A quarter of the resamples of two are [1, 1], a quarter [2, 2], and half are in between.
  expect(medianInterval([1, 2])).toEqual({ low: 1, high: 2 });
  expect(medianInterval([1, 2], 0.4)).toEqual({ low: 1.5, high: 1.5 });
});

test('the order of the values does not matter, and they stay as they were', () => {
  const values = [3, 1, 2, 5, 4, 9];
  const interval = medianInterval(values);
  expect(values).toEqual([3, 1, 2, 5, 4, 9]);
  expect(medianInterval([...values].reverse())).toEqual(interval);
});

test('one value, equal values and no values', () => {
  expect(medianInterval([3])).toEqual({ low: 3, high: 3 });
  expect(medianInterval([]).low).toBeNaN();
});

test.each([999, 1000, 9999, 10_000])('of %i values it is about the middle, and takes no time', (n) => {
  const began = performance.now();
  const { low, high } = medianInterval(Array.from({ length: n }, (_, i) => i));
  expect(performance.now() - began).toBeLessThan(1000);
  // ±1.96·√n/2 ranks, as of a normal distribution.
  const half = 0.98 * Math.sqrt(n);
  expect(Math.abs(low - (n / 2 - half))).toBeLessThan(3);
  expect(Math.abs(high - (n / 2 + half))).toBeLessThan(3);
});

/** Share of experiments whose interval holds the median that the values were drawn around. */
function coverage(draw: (random: Random) => number, truth: number, n: number, experiments = 4000): number {
  const random = new Random(20);
  let held = 0;
  for (let i = 0; i < experiments; i++) {
    const { low, high } = medianInterval(Array.from({ length: n }, () => draw(random)));
    if (low <= truth && truth <= high) held++;
  }
  return held / experiments;
}

const normal = (random: Random) => 1 + 0.01 * random.normal();
/** As clocks are: most rounds at one speed, some slower, few faster. */
const skewed = (random: Random) => 1 + 0.01 * Math.exp(random.normal());

test.each([
  ['normal', 20, normal, 1],
  ['normal', 15, normal, 1],
  ['normal', 40, normal, 1],
  ['skewed', 15, skewed, 1.01],
] as const)(
  'intervals of %s ratios over %i rounds hold the truth in about 95 % of cases',
  (_, n, draw, truth) => {
    const share = coverage(draw, truth, n);
    expect(share).toBeGreaterThan(0.93);
    expect(share).toBeLessThan(0.98);
  },
);

test('of five rounds they hold it where not all lie on one side: in 15 of 16 cases', () => {
  expect(Math.abs(coverage(normal, 1, 5) - 15 / 16)).toBeLessThan(0.012);
});
