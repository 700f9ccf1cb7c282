import { type Interval, medianInterval } from './bootstrap.js';

/** The middle of the values; the mean of the two middle ones where their number is even. NaN of nothing. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((x, y) => x - y);
  const middle = sorted.length >> 1;
  if (sorted.length % 2 === 1) return sorted[middle] as number;
  return ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

/** Smallest and largest; NaN if a value is, or of nothing. */
export function range(values: readonly number[]): { readonly min: number; readonly max: number } {
  if (values.length === 0) return { min: Number.NaN, max: Number.NaN };
  return { min: Math.min(...values), max: Math.max(...values) };
}

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export function spread(values: readonly number[]): Spread {
  return { median: median(values), ...range(values) };
}

/** How a contestant stands to another one that ran in the same rounds. */
export interface PairedRatio extends Spread {
  /** Rounds in which it was faster. */
  readonly wins: number;
  readonly rounds: number;
  /** 95 % confidence interval of the median: see {@link medianInterval}. */
  readonly interval: Interval;
  /** Of each round: over 1 where it was faster. */
  readonly perRound: readonly number[];
}

/**
 * Ratios of times within each round, so that what slows a whole round slows both sides of its ratio.
 * @param reference the reference's median time of each round
 * @param own this contestant's, of the same rounds in the same order
 */
export function pairedRatio(reference: readonly number[], own: readonly number[]): PairedRatio {
  const perRound = own.map((time, round) => (reference[round] as number) / time);
  const wins = perRound.filter((ratio) => ratio > 1).length;
  return {
    ...spread(perRound),
    wins,
    rounds: perRound.length,
    interval: medianInterval(perRound),
    perRound,
  };
}
