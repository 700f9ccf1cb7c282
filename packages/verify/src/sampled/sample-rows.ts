import type { GemmProblem } from '@ffma/core';
import type { Random } from '../data/random.js';

/** Multiply-adds that a reference takes well under a second for. */
const AFFORDABLE = 2 ** 27;
const LEAST = 8;

/** How many rows of C to judge one by one: all where that is quick, else as many as are, at least 8. */
export function affordableRows({ m, n, k }: Pick<GemmProblem, 'm' | 'n' | 'k'>): number {
  return Math.min(m, Math.max(LEAST, Math.floor(AFFORDABLE / Math.max(1, n * k))));
}

/** `count` of `m` rows, ascending: the first, the last, and one drawn from each of the equal parts between them. */
export function sampleRows(m: number, count: number, random: Random): number[] {
  if (count >= m) return Array.from({ length: m }, (_, row) => row);
  if (count < 2) return m > 0 && count === 1 ? [0] : [];
  const parts = count - 2;
  const between = Array.from({ length: parts }, (_, part) => {
    const first = 1 + Math.floor(((m - 2) * part) / parts);
    const next = 1 + Math.floor(((m - 2) * (part + 1)) / parts);
    return random.integer(first, next - 1);
  });
  return [0, ...between, m - 1];
}
