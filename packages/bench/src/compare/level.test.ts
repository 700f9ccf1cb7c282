import { expect, test } from 'vitest';
import { centreOf, levelOf, type RoundFigure, randomOf } from './level.js';

const rounds = (values: readonly number[]): RoundFigure[] =>
  values.map((value, i) => ({ round: i + 1, value }));

test('rounds that are all the same have that level, and no error', () => {
  expect(levelOf(rounds([3, 3, 3, 3, 3]))).toEqual({ value: 3, standardError: 0, degrees: 3, rounds: 5 });
});

test('of alternating rounds it does not matter which came first', () => {
  const odd = rounds(Array.from({ length: 15 }, (_, i) => (i % 2 === 0 ? 1 : 2)));
  const even = rounds(Array.from({ length: 15 }, (_, i) => (i % 2 === 0 ? 2 : 1)));
  expect(centreOf(odd)).toBe(1.5);
  expect(centreOf(even)).toBe(1.5);
  expect(levelOf(odd).standardError).toBeCloseTo(0, 12);
});

test('rounds that are missing shift nothing, since they are told apart by number', () => {
  const all = rounds([1, 2, 1, 2, 1, 2, 1, 2]);
  expect(centreOf(all.filter(({ round }) => round !== 2 && round !== 4))).toBe(1.5);
});

test('one round far off among many moves the level little', () => {
  const values = Array.from({ length: 16 }, (_, i) => [1, 1.01, 0.99, 1][i >> 2] as number);
  const off = rounds(values.map((value, i) => (i === 5 ? 100 : value)));
  expect(Math.abs(centreOf(off) - centreOf(rounds(values)))).toBeLessThan(0.01);
});

test('the mean without an eighth at each end counts what is cut through in part', () => {
  // Of twelve, 1.5 are left out at each end.
  const values = [0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 5, 100];
  expect(centreOf(values.map((value) => ({ round: 2, value })))).toBeCloseTo(
    (0.5 * 1 + 7 * 1 + 3 + 0.5 * 5) / 9,
    12,
  );
});

test('the standard error is that of a mean, for rounds of normal noise', () => {
  const random = randomOf(3);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const squares = Array.from({ length: 200 }, () => levelOf(rounds(Array.from({ length: 16 }, normal))))
    .map(({ standardError }) => standardError ** 2)
    .reduce((sum, square) => sum + square / 200, 0);
  // Trimming costs a few percent of 1/√16.
  expect(Math.sqrt(squares)).toBeGreaterThan(0.24);
  expect(Math.sqrt(squares)).toBeLessThan(0.28);
});

test('the same rounds give the same level, and are left as they were', () => {
  const some = Object.freeze(rounds([3, 1, 4, 1, 5, 9, 2, 6]));
  expect(levelOf(some)).toEqual(levelOf(some));
});

test('random numbers fill the range from 0 to 1 evenly, and follow from the seed', () => {
  const random = randomOf(7);
  const drawn = Array.from({ length: 10_000 }, random);
  expect(Math.min(...drawn)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...drawn)).toBeLessThan(1);
  for (let tenth = 0; tenth < 10; tenth++) {
    const inside = drawn.filter((value) => Math.floor(value * 10) === tenth).length;
    expect(inside).toBeGreaterThan(900);
    expect(inside).toBeLessThan(1100);
  }
  expect(randomOf(7)()).toBe(drawn[0]);
  expect(randomOf(8)()).not.toBe(drawn[0]);
});
