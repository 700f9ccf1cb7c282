import { expect, test } from 'vitest';
import { Random, splitMix64 } from './random.js';

test('SplitMix64 gives the published numbers for seed 1234567', () => {
  const next = splitMix64(1234567n);
  expect([next(), next(), next()]).toEqual([
    6457827717110365317n,
    3203168211198807973n,
    9817491932198370423n,
  ]);
});

test('xoshiro128** gives the published numbers for state 1, 2, 3, 4', () => {
  const random = new Random([1, 2, 3, 4]);
  expect(Array.from({ length: 6 }, () => random.word())).toEqual([
    11520, 0, 5927040, 70819200, 2031721883, 1637235492,
  ]);
});

test('a seed names one sequence', () => {
  const take = (seed: number) => {
    const random = new Random(seed);
    return Array.from({ length: 8 }, () => random.word());
  };
  expect(take(1)).toEqual(take(1));
  expect(take(1)).not.toEqual(take(2));
  expect(take(-1)).not.toEqual(take(1));
});

test('ranges and moments', () => {
  const random = new Random(5);
  const count = 40_000;
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < count; i++) {
    const integer = random.integer(-3, 3);
    expect(integer >= -3 && integer <= 3 && Number.isInteger(integer)).toBe(true);
    const uniform = random.uniform();
    expect(uniform >= -1 && uniform < 1 && Math.fround(uniform) === uniform).toBe(true);
    const normal = random.normal();
    sum += normal;
    squares += normal * normal;
  }
  expect(Math.abs(sum / count)).toBeLessThan(0.02);
  expect(Math.abs(squares / count - 1)).toBeLessThan(0.03);
});
