import { ArgumentError, type GemmProblem } from '@ffma/core';
import type { DataSource } from './data-set.js';
import type { Random } from './random.js';

const MOST_K = 4096;

/**
 * The TF32 canary. A: odd integers in (2048, 4095], which need 12 bits where TF32 has 11; B: −1, 0, 1.
 * Sums stay under 4095·4096 < 2^24, so float32 is exact in any order.
 *
 * @throws ArgumentError if k is over 4096
 */
export function canaryData({ k }: GemmProblem, random: Random): DataSource {
  if (k > MOST_K) {
    throw new ArgumentError(`The TF32 canary is exact up to k = ${MOST_K}, but k is ${k}.`, {
      remedy: 'Use a smaller k; what a tensor core rounds, it rounds at every k.',
    });
  }
  return {
    a: () => 2049 + 2 * random.below(1024),
    b: () => random.integer(-1, 1),
    c: () => random.integer(-1, 1),
  };
}
