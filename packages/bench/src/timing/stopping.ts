import { medianInterval } from './bootstrap.js';
import type { Protocol } from './protocol.js';
import { median } from './statistics.js';

/** What can end a session. */
export const endings = ['rounds', 'interval', 'max-rounds', 'time-limit', 'interrupted'] as const;
export type EndedBy = (typeof endings)[number];

/** An interval of fewer rounds says too little. */
export const LEAST_ROUNDS = 5;

/** Times of a round's launches, in µs, in the order of the contestants. */
export type RoundTimes = readonly (readonly number[])[];

/** Whose ratios have to be known well before a session may end. */
export interface Comparison {
  /** The contestant that the others are set beside, by its place. Default 0. */
  readonly reference?: number | 'none' | undefined;
  /** Whether a contestant is ranked, by what it did so far. Default: all are. */
  readonly ranked?: ((contestant: number, us: readonly (readonly number[])[]) => boolean) | undefined;
}

/**
 * The series whose medians are to be known: of each ranked contestant its ratios to the reference; where nothing can
 * be set beside a reference, the times themselves.
 */
function series(
  rounds: readonly RoundTimes[],
  { reference = 0, ranked = () => true }: Comparison,
): number[][] {
  const contestants = rounds[0]?.length ?? 0;
  const timesOf = (contestant: number) => rounds.map((us) => us[contestant] as readonly number[]);
  const counted = Array.from({ length: contestants }, (_, i) => i).filter((i) => ranked(i, timesOf(i)));
  const medians = (contestant: number) => timesOf(contestant).map(median);
  const others = counted.filter((i) => i !== reference);
  if (reference === 'none' || others.length === 0) return counted.map(medians);
  const beside = medians(reference);
  return others.map((i) => medians(i).map((time, round) => (beside[round] as number) / time));
}

/** Width of the confidence interval of a median, as a share of that median. */
export function relativeWidth(values: readonly number[]): number {
  const { low, high } = medianInterval(values);
  return (high - low) / median(values);
}

/** Whether the confidence interval of everything that is ranked is narrower than a share of its median. */
export function allNarrow(
  rounds: readonly RoundTimes[],
  width: number,
  comparison: Comparison = {},
): boolean {
  return series(rounds, comparison).every((values) => relativeWidth(values) < width);
}

/**
 * Which rule ends a session now; undefined where it goes on.
 * @param rounds those that count, so far
 * @param elapsedMs since the first of them began
 */
export function endedBy(
  { rounds: most, untilWidth, timeLimitMs }: Pick<Protocol, 'rounds' | 'untilWidth' | 'timeLimitMs'>,
  rounds: readonly RoundTimes[],
  elapsedMs: number,
  comparison?: Comparison,
): EndedBy | undefined {
  if (rounds.length === 0) return undefined;
  if (untilWidth !== undefined && rounds.length >= LEAST_ROUNDS && allNarrow(rounds, untilWidth, comparison))
    return 'interval';
  if (rounds.length >= most) return untilWidth === undefined ? 'rounds' : 'max-rounds';
  return timeLimitMs !== undefined && elapsedMs >= timeLimitMs ? 'time-limit' : undefined;
}
