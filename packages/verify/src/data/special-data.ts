import type { GemmProblem } from '@ffma/core';
import type { DataSource } from './data-set.js';
import type { Random } from './random.js';

const HUGE = 2 ** 100;
const TINY = 2 ** -100;

/** One infinity or NaN in a line of `length` elements, at a place that differs from line to line. */
function oneOf(line: number, index: number, length: number, value: number, else_: number): number {
  return index === (line * 7 + 3) % length ? value : else_;
}

/** Either sign, from one line of its kind to the next. */
const infinity = (line: number) => (line % 16 < 8 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY);

/** Any subnormal float32, either sign. */
function subnormal(random: Random): number {
  return random.integer(-8191, 8191) * 2 ** -136;
}

/**
 * Rows of A and columns of B each have a character, eight in turn, so that C shows every pairing: infinity times
 * zero, infinity less infinity, underflow to subnormals and to zero, overflow, and NaN, which spreads along its own
 * row or column and no further. Where overflow decides, no infinity takes part: only then is the outcome of a
 * finite sum left to its order.
 */
export function specialData({ k }: GemmProblem, random: Random): DataSource {
  const signed = (value: number) => (random.below(2) === 0 ? value : -value);
  return {
    a(row, p) {
      const ordinary = random.uniform();
      switch (row % 8) {
        case 3:
          return subnormal(random);
        case 4:
          return signed(0);
        case 5:
          return oneOf(row, p, k, infinity(row), ordinary);
        case 6:
          return oneOf(row, p, k, Number.NaN, ordinary);
        case 7:
          return ordinary * HUGE;
        default:
          return ordinary;
      }
    },
    b(p, col) {
      const ordinary = random.uniform();
      switch (col % 8) {
        case 4:
          return oneOf(col, p, k, infinity(col), ordinary);
        case 5:
          return oneOf(col, p, k, Number.NaN, ordinary);
        case 6:
          return ordinary * HUGE;
        case 7:
          return ordinary * TINY;
        default:
          return ordinary;
      }
    },
    c() {
      const ordinary = random.uniform();
      switch (random.below(16)) {
        case 0:
          return Number.NaN;
        case 1:
          return signed(Number.POSITIVE_INFINITY);
        case 2:
          return -0;
        case 3:
          return subnormal(random);
        default:
          return ordinary;
      }
    },
  };
}
