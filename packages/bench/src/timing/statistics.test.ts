import { expect, test } from 'vitest';
import { median, pairedRatio, range, spread } from './statistics.js';

test('the median is the middle, or the mean of the two middle ones', () => {
  expect(median([3])).toBe(3);
  expect(median([30, 4, 1000])).toBe(30);
  expect(median([10, 2, 9, 1])).toBe(5.5);
  expect(median([])).toBeNaN();
});

test('numbers are ordered as numbers, and the values stay as they were', () => {
  const values = [100, 9, 20];
  expect(median(values)).toBe(20);
  expect(values).toEqual([100, 9, 20]);
});

test('a range is the smallest and the largest; a NaN is not lost', () => {
  expect(range([3, -1, 2])).toEqual({ min: -1, max: 3 });
  expect(range([1, Number.NaN]).max).toBeNaN();
  expect(range([]).min).toBeNaN();
  expect(spread([4, 1, 2])).toEqual({ median: 2, min: 1, max: 4 });
});

test('ratios are those of each round, not of the medians over all rounds', () => {
  const reference = [100, 200, 300];
  const own = [50, 200, 400];
  const ratio = pairedRatio(reference, own);
  expect(ratio.perRound).toEqual([2, 1, 0.75]);
  expect(ratio).toMatchObject({ median: 1, min: 0.75, max: 2, rounds: 3 });
});

test('a tie is not a win', () => {
  expect(pairedRatio([10, 10, 10], [10, 9.99, 10.01]).wins).toBe(1);
});

test('what slows a whole round does not move its ratio', () => {
  const calm = pairedRatio([10, 10], [8, 8]);
  expect(pairedRatio([10, 40], [8, 32]).perRound).toEqual(calm.perRound);
});

test('the interval of the median is over the rounds, and holds it', () => {
  const { median, interval } = pairedRatio([10, 10, 10, 10, 10], [9, 8, 10, 11, 10]);
  expect(median).toBe(1);
  expect(interval).toEqual({ low: 10 / 11, high: 10 / 8 });
});
