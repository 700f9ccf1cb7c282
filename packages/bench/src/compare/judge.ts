import { areEnough, centreOf, LEAST_ROUNDS, type Level, levelOf, type RoundFigure } from './level.js';
import { studentQuantile } from './student.js';

export type Judged = 'same' | 'faster' | 'slower' | 'unclear';

/** How two sides differ. */
export interface Difference {
  /** New ÷ base − 1, of times: over 0 is slower. */
  readonly change: number;
  /** Of the change; absent where a side has too few rounds. */
  readonly interval?: { readonly low: number; readonly high: number };
}

export interface Judgement extends Difference {
  readonly verdict: Judged;
  /** Rounds on each side with which the verdict would probably be clear; where it is not. */
  readonly roundsNeeded?: number;
}

export interface JudgeOptions {
  /** Changes up to this are no change: 0.03 is 3 %. A kernel that takes 1/1.03 of the time is 3 % faster. */
  readonly threshold: number;
  /** Share of intervals that hold the true change. */
  readonly confidence: number;
}

/** Half the width of the interval of a difference, in logarithms. */
function halfWidth(base: Level, fresh: Level, confidence: number): number {
  const [x, y] = [base.standardError ** 2, fresh.standardError ** 2];
  if (x + y === 0) return 0;
  // Welch and Satterthwaite: sides need not be equally noisy.
  const degrees = (x + y) ** 2 / (x ** 2 / base.degrees + y ** 2 / fresh.degrees);
  return studentQuantile(confidence, Math.round(degrees)) * Math.sqrt(x + y);
}

/** More rounds than anybody would run. */
const MOST_ROUNDS = 10_000;

/** Rounds with which an interval of the same noise would be narrow enough. */
function roundsFor(rounds: number, estimate: number, half: number, limit: number): number {
  const size = Math.abs(estimate);
  const wanted = size > limit ? size : limit - size;
  const needed = Math.ceil(rounds * (half / wanted) ** 2);
  return Math.min(MOST_ROUNDS, Math.max(rounds + 1, needed));
}

function verdictOf(estimate: number, half: number, limit: number): Judged {
  if (Math.abs(estimate) > limit && Math.abs(estimate) > half) return estimate > 0 ? 'slower' : 'faster';
  return Math.abs(estimate) + half <= limit ? 'same' : 'unclear';
}

/** Judges levels of two runs, of at least {@link LEAST_ROUNDS} rounds each. */
export function judgeLevels(base: Level, fresh: Level, { threshold, confidence }: JudgeOptions): Judgement {
  const estimate = fresh.value - base.value;
  const half = halfWidth(base, fresh, confidence);
  const limit = Math.log1p(threshold);
  const verdict = verdictOf(estimate, half, limit);
  const rounds = Math.min(base.rounds, fresh.rounds);
  return {
    verdict,
    change: Math.expm1(estimate),
    interval: { low: Math.expm1(estimate - half), high: Math.expm1(estimate + half) },
    ...(verdict === 'unclear' ? { roundsNeeded: roundsFor(rounds, estimate, half, limit) } : {}),
  };
}

/**
 * Judges rounds of two runs.
 * @param base logarithms of times, or of times relative to the reference's of the same round
 * @param fresh the same of the new run
 */
export function judge(
  base: readonly RoundFigure[],
  fresh: readonly RoundFigure[],
  options: JudgeOptions,
): Judgement {
  if (areEnough(base) && areEnough(fresh)) return judgeLevels(levelOf(base), levelOf(fresh), options);
  const change = Math.expm1(centreOf(fresh) - centreOf(base));
  return { verdict: 'unclear', change, roundsNeeded: LEAST_ROUNDS };
}
