import { describe, expect, it } from 'vitest';
import { permutation } from './permutation.js';

const all = (count: number, seed: number) => {
  const at = permutation(count, seed);
  return Array.from({ length: count }, (_, i) => at(i));
};
const ascending = (count: number) => Array.from({ length: count }, (_, i) => i);

describe('a permutation', () => {
  it.each([1, 2, 3, 4, 5, 16, 17, 264, 1000, 4097])('of %i has each number once', (count) => {
    for (const seed of [0, 1, 2, 0xffffffff]) {
      expect(all(count, seed).sort((a, b) => a - b)).toEqual(ascending(count));
    }
  });

  it('is that of its seed', () => {
    expect(all(264, 5)).toEqual(all(264, 5));
    expect(all(264, 5)).not.toEqual(all(264, 6));
    expect(all(264, 5)).not.toEqual(ascending(264));
  });

  it('moves numbers of large grids, too', () => {
    const at = permutation(2 ** 31 - 1, 3);
    const some = Array.from({ length: 1000 }, (_, i) => at(i * 1_000_003));
    expect(new Set(some).size).toBe(1000);
    expect(some.every((index) => Number.isInteger(index) && index >= 0 && index < 2 ** 31 - 1)).toBe(true);
  });

  it('gives every order of three, over some seeds', () => {
    const orders = new Set(Array.from({ length: 100 }, (_, seed) => all(3, seed).join()));
    expect(orders.size).toBe(6);
  });
});
