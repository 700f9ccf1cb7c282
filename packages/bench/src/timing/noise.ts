import { median } from './statistics.js';

/** Median absolute deviation from the median; NaN of nothing. */
export function mad(values: readonly number[]): number {
  const middle = median(values);
  return median(values.map((value) => Math.abs(value - middle)));
}

/** How far values usually lie from their median, as a share of it. */
export function relativeMad(values: readonly number[]): number {
  return mad(values) / median(values);
}

/** Noise of times, as shares of their medians. */
export interface Noise {
  /** Of the launches of a round: the median over the rounds. */
  readonly launches: number;
  /** Of the rounds' medians. */
  readonly rounds: number;
}

/** @param us times of the launches of each round */
export function noiseOf(us: readonly (readonly number[])[]): Noise {
  return { launches: median(us.map(relativeMad)), rounds: relativeMad(us.map(median)) };
}

/** What makes the median absolute deviation of a normal distribution its standard deviation. */
const TO_SIGMA = 1.4826;

/** Modified z-scores beyond this are outliers. */
export const OUTLIER_SCORE = 3.5;

/**
 * Least deviation that counts as one, in µs: a tick of the clock that events are stamped with. Without it, times that
 * are all the same but for one tick would have an outlier.
 */
export const CLOCK_TICK_US = 0.032;

/**
 * Indices of the times that lie far off, by the modified z-score: |x − median| ÷ (1.4826 · MAD) over 3.5, with a MAD
 * of at least a clock tick. They are marked, not left out: a median does not follow them.
 *
 * Source: B. Iglewicz, D. Hoaglin, How to Detect and Handle Outliers, ASQC 1993.
 * @param us times of one round, in µs
 */
export function outliersOf(us: readonly number[]): number[] {
  const middle = median(us);
  const sigma = TO_SIGMA * Math.max(mad(us), CLOCK_TICK_US);
  return us.flatMap((time, i) => (Math.abs(time - middle) / sigma > OUTLIER_SCORE ? [i] : []));
}
