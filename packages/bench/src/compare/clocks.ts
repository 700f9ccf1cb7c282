import type { BenchResult, ResultRow } from '../result/schema.js';
import type { Session } from '../result/times-schema.js';
import { median } from '../timing/statistics.js';

/** Clocks that differ by less make no difference that anybody would look for. */
const TOLERANCE = 0.01;

const usedRounds = ({ rounds }: Session) => rounds.filter(({ used }) => used);

const sessionsAt = ({ sessions = [] }: BenchResult, { m, n, k, batch = 1 }: ResultRow['problem']) =>
  sessions.filter(
    ({ problem }) => problem.m === m && problem.n === n && problem.k === k && (problem.batch ?? 1) === batch,
  );

/** Median SM clock while sessions were timed, in MHz; NaN where it was not read. */
function clockIn(sessions: readonly Session[]): number {
  return median(sessions.flatMap(usedRounds).flatMap(({ clocks }) => clocks?.smMHz ?? []));
}

/** Median SM clock of all sessions, in MHz; NaN where it was not read. */
export const clockOf = ({ sessions = [] }: BenchResult): number => clockIn(sessions);

export const clocksDiffer = (before: number, after: number): boolean =>
  Math.abs(after / before - 1) > TOLERANCE;

/** Rounds that count, though the GPU was throttled in them. */
export const throttledRounds = ({ sessions = [] }: BenchResult): number =>
  sessions.flatMap(usedRounds).filter(({ throttledBy }) => throttledBy.length > 0).length;

/** Whether both results were measured at a problem by GPUs of one model at the same SM clock, as far as was recorded. */
export function sameClocks(base: BenchResult, fresh: BenchResult, problem: ResultRow['problem']): boolean {
  const [before, after] = [base, fresh].map((result) => clockIn(sessionsAt(result, problem)));
  // What was not read is NaN, and no clock.
  return base.device.name === fresh.device.name && Math.abs((after ?? 0) / (before ?? 0) - 1) <= TOLERANCE;
}
