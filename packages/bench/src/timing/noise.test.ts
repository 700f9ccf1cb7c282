import { Random } from '@ffma/verify';
import { expect, test } from 'vitest';
import { mad, noiseOf, outliersOf, relativeMad } from './noise.js';

test('the deviation is the median distance from the median, whatever lies far off', () => {
  expect(mad([1, 2, 3, 4, 100])).toBe(1);
  expect(relativeMad([10, 11, 12, 13, 1000])).toBeCloseTo(1 / 12, 12);
  expect(mad([])).toBeNaN();
});

test('noise of launches is that within rounds, noise of rounds that between them', () => {
  const noise = noiseOf([
    [100, 110, 120],
    [200, 220, 240],
    [400, 400, 400],
  ]);
  expect(noise.launches).toBeCloseTo(1 / 11, 12);
  expect(noise.rounds).toBeCloseTo(110 / 220, 12);
});

test('of equal times nothing is noise and nothing lies off', () => {
  expect(
    noiseOf([
      [5, 5],
      [5, 5],
    ]),
  ).toEqual({ launches: 0, rounds: 0 });
  expect(outliersOf([5, 5, 5])).toEqual([]);
});

test('a launch that takes several times as long is marked by its index, on either side', () => {
  expect(outliersOf([76.192, 16.4, 16.6, 16.5, 18.1, 16.6, 16.5, 1.2])).toEqual([0, 4, 7]);
});

test('a clock tick is no outlier where all other times are the same; a hundred of them are', () => {
  const same = Array.from({ length: 39 }, () => 16.416);
  expect(outliersOf([...same, 16.448])).toEqual([]);
  expect(outliersOf([...same, 19.616])).toEqual([39]);
});

test('of normal times about one in two thousand is marked', () => {
  const random = new Random(3);
  let marked = 0;
  for (let round = 0; round < 500; round++)
    marked += outliersOf(Array.from({ length: 40 }, () => 1000 + 10 * random.normal())).length;
  expect(marked / 20_000).toBeLessThan(0.003);
  expect(marked).toBeGreaterThan(0);
});
