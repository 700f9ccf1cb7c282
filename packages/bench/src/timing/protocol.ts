import { ArgumentError, type DeviceLimits } from '@ffma/core';

/** How times are taken. */
export interface Protocol {
  /** Rounds that count. Default 15. */
  readonly rounds: number;
  /** Timed launches of each contestant in a round. Default 40. */
  readonly launches: number;
  /** `cold`: the L2 cache is flushed before each launch. Default `cold`. */
  readonly l2: 'cold' | 'warm';
  /** Throttled rounds that are run again, in all; what is throttled after them counts, and is marked. Default: `rounds`. */
  readonly maxRepeats: number;
  /** Untimed work before the first round, so that clocks are up, in ms. Default 250. */
  readonly warmUpMs: number;
}

export function protocolOf(options: Partial<Protocol> = {}): Protocol {
  const { rounds = 15, launches = 40, l2 = 'cold', maxRepeats = rounds, warmUpMs = 250 } = options;
  for (const [name, value, least] of [
    ['rounds', rounds, 1],
    ['launches', launches, 1],
    ['maxRepeats', maxRepeats, 0],
  ] as const) {
    if (!Number.isSafeInteger(value) || value < least)
      throw new ArgumentError(`${name} must be an integer of at least ${least}, but is ${value}.`);
  }
  return { rounds, launches, l2, maxRepeats, warmUpMs };
}

const LEAST_FLUSH = 256 * 2 ** 20;

/** Bytes to write so that nothing of a launch is left in the L2 cache of a device. */
export function flushBytes({ l2Bytes }: Pick<DeviceLimits, 'l2Bytes'>): number {
  return Math.max(LEAST_FLUSH, 2 * l2Bytes);
}
