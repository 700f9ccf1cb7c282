import type { GemmProblem } from '@ffma/core';
import { ArgumentError } from '@ffma/core';
import type { DataSource } from './data-set.js';
import { lastBit } from './exact-sums.js';
import type { Random } from './random.js';

/** Integers up to 12 bits: TF32 and half precision lose the last of them. */
const LARGEST = 4095;

/**
 * Integers in [−r, r], r as large as keeps |α|·k·r² + |β|·r_c within what float32 counts exactly, so that every
 * order of summation gives the same bits. Scalars with too many bits (1.7) leave only the product exact.
 *
 * @throws ArgumentError if k is over 2^24, where not even −1, 0 and 1 are exact
 */
export function integerData({ k, alpha, beta }: GemmProblem, random: Random): DataSource {
  const share = beta === 0 ? 2 ** 24 : 2 ** 23;
  const unit = Math.min(lastBit(alpha), lastBit(beta));
  const scale = alpha === 0 || !Number.isFinite(alpha) ? 1 : Math.abs(alpha);
  const exact = Math.floor(Math.sqrt((share * unit) / (scale * Math.max(1, k))));
  const product = Math.floor(Math.sqrt(share / Math.max(1, k)));
  const most = Math.min(LARGEST, exact >= 1 ? exact : product);
  if (most < 1) {
    throw new ArgumentError(`Integer data is exact up to k = ${share}, but k is ${k}.`, {
      remedy: "Use the data set 'uniform'.",
    });
  }
  const addend = beta === 0 ? LARGEST : Math.floor((share * unit) / Math.abs(beta));
  const mostC = Math.min(LARGEST, Math.max(1, addend || 1));
  const next = () => random.integer(-most, most);
  return { a: next, b: next, c: () => random.integer(-mostC, mostC) };
}
