import { expect, test } from 'vitest';
import { builtInSuites, suiteNamed, uniqueSizes } from './suites.js';

test('the built-in suite has 30 different shapes from 64 to 8192, of every kind', () => {
  const shapes = suiteNamed('shapes');
  expect(uniqueSizes(shapes)).toHaveLength(30);
  const extents = shapes.flatMap(({ m, n, k }) => [m, n, k]);
  expect([Math.min(...extents), Math.max(...extents)]).toEqual([64, 8192]);
  const squares = shapes.filter(({ m, n, k }) => m === n && n === k);
  expect(squares.some(({ n }) => n % 128 === 0)).toBe(true);
  expect(squares.some(({ n }) => n % 2 === 1)).toBe(true);
  for (const kind of [
    ({ m, n }: { m: number; n: number }) => m >= 16 * n,
    ({ m, n }: { m: number; n: number }) => n >= 16 * m,
    ({ m, k }: { m: number; k: number }) => k >= 16 * m,
  ])
    expect(shapes.filter(kind).length).toBeGreaterThanOrEqual(3);
});

test('a suite of a configuration comes before one built in', () => {
  const own = { shapes: [{ m: 1, n: 1, k: 1 }], mine: [{ m: 2, n: 2, k: 2 }] };
  expect(suiteNamed('shapes', own)).toEqual(own.shapes);
  expect(suiteNamed('mine', own)).toEqual(own.mine);
  expect(suiteNamed('shapes')).toBe(builtInSuites.shapes);
});

test('an unknown suite is refused with what is near, or all there are', () => {
  expect(() => suiteNamed('shape')).toThrow("There is no suite 'shape'. Did you mean shapes?");
  expect(() => suiteNamed('qqqqqqq', { mine: [] })).toThrow('There are shapes, mine.');
  expect(() => suiteNamed('toString')).toThrow("There is no suite 'toString'.");
});
