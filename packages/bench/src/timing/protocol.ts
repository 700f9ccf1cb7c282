import { ArgumentError, type DeviceLimits } from '@ffma/core';

/** How times are taken. */
export interface Protocol {
  /** Rounds that count; with `untilWidth`, at most. Default 15, with `untilWidth` 100. */
  readonly rounds: number;
  /** Timed launches of each contestant in a round. Default 40. */
  readonly launches: number;
  /** `cold`: the L2 cache is flushed before each launch. Default `cold`. */
  readonly l2: 'cold' | 'warm';
  /** Each product as a CUDA graph, which the driver takes in one call. Default false. */
  readonly graph: boolean;
  /**
   * Ends a session, after 5 rounds at least, once the 95 % interval of every ranked ratio is narrower than this share of
   * it: 0.01 for 1 %. Default: all rounds are run.
   */
  readonly untilWidth?: number | undefined;
  /** Ends a session after the round in which so much time was spent on its rounds, in ms. Default: never. */
  readonly timeLimitMs?: number | undefined;
  /** Throttled rounds that are run again, in all; what is throttled after them counts, and is marked. Default: `rounds`. */
  readonly maxRepeats: number;
  /** Untimed work before the first round, so that clocks are up, in ms. Default 250. */
  readonly warmUpMs: number;
}

export const USUAL_ROUNDS = 15;
export const USUAL_MAX_ROUNDS = 100;

/** @throws ArgumentError naming the field that is out of range */
export function protocolOf(options: Partial<Protocol> = {}): Protocol {
  const { untilWidth, timeLimitMs, launches = 40, l2 = 'cold', graph = false, warmUpMs = 250 } = options;
  const { rounds = untilWidth === undefined ? USUAL_ROUNDS : USUAL_MAX_ROUNDS } = options;
  const { maxRepeats = rounds } = options;
  for (const [name, value, least] of [
    ['rounds', rounds, 1],
    ['launches', launches, 1],
    ['maxRepeats', maxRepeats, 0],
  ] as const) {
    if (!Number.isSafeInteger(value) || value < least)
      throw new ArgumentError(`${name} must be an integer of at least ${least}, but is ${value}.`);
  }
  if (untilWidth !== undefined && !(untilWidth > 0 && untilWidth < 1))
    throw new ArgumentError(`untilWidth must be over 0 and under 1, but is ${untilWidth}.`, {
      remedy: 'It is a share of the ratio: 0.01 for 1 %.',
    });
  if (timeLimitMs !== undefined && !(timeLimitMs > 0))
    throw new ArgumentError(`timeLimitMs must be over 0, but is ${timeLimitMs}.`);
  return {
    rounds,
    launches,
    l2,
    graph,
    ...(untilWidth === undefined ? {} : { untilWidth }),
    ...(timeLimitMs === undefined ? {} : { timeLimitMs }),
    maxRepeats,
    warmUpMs,
  };
}

const LEAST_FLUSH = 256 * 2 ** 20;

/** Bytes to write so that nothing of a launch is left in the L2 cache of a device. */
export function flushBytes({ l2Bytes }: Pick<DeviceLimits, 'l2Bytes'>): number {
  return Math.max(LEAST_FLUSH, 2 * l2Bytes);
}
