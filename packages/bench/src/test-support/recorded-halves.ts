import { readFileSync } from 'node:fs';
import { randomOf } from '../compare/level.js';
import type { BenchResult, ResultRow } from '../result/schema.js';
import { parseResult } from '../result/store.js';
import type { RowTimes } from '../result/times-schema.js';
import { median } from '../timing/statistics.js';

/** A result that was recorded on a GPU and is committed. */
export function recorded(file: string): BenchResult {
  const path = new URL(`../../../../results/${file}`, import.meta.url);
  return parseResult(readFileSync(path, 'utf8'), file);
}

/** How the rounds of a run are dealt to two halves. */
export type Deal = 'balanced' | 'by pairs';

/**
 * The rounds of one of two halves, by chance. `balanced`: of each four in a row one odd and one even round, so that both
 * halves alternate as a whole run does. `by pairs`: of each two in a row one.
 */
function roundsOf(seed: number, rounds: readonly number[], deal: Deal): Set<number> {
  const random = randomOf(seed);
  const chosen = new Set<number>();
  const choose = (...of: number[]) => {
    const round = rounds[of[random() < 0.5 ? 0 : 1] as number];
    if (round !== undefined) chosen.add(round);
  };
  if (deal === 'by pairs') for (let i = 0; i < rounds.length; i += 2) choose(i, i + 1);
  else
    for (let i = 0; i < rounds.length; i += 4) {
      choose(i, i + 2);
      choose(i + 1, i + 3);
    }
  return chosen;
}

function withRounds(times: RowTimes, keep: (round: number) => boolean, slower: number): RowTimes {
  const kept = times.rounds.map(({ round }) => keep(round));
  const rounds = times.rounds
    .filter((_, i) => kept[i])
    .map((round) => ({ ...round, medianUs: round.medianUs * slower }));
  const { ratio, ...rest } = times;
  const medianUs = median(rounds.map((round) => round.medianUs));
  if (ratio === undefined) return { ...rest, medianUs, rounds };
  const perRound = ratio.perRound.filter((_, i) => kept[i]).map((value) => value / slower);
  return { ...rest, medianUs, rounds, ratio: { ...ratio, perRound, rounds: perRound.length } };
}

/** Splits every row of a result into two results of half of its rounds each. Times of the second are multiplied. */
export function halvesOf(
  result: BenchResult,
  seed: number,
  slower: (row: ResultRow) => number = () => 1,
  deal: Deal = 'balanced',
): { readonly base: BenchResult; readonly new: BenchResult } {
  const all = [...new Set(result.rows.flatMap(({ times }) => times?.rounds.map(({ round }) => round) ?? []))];
  const chosen = roundsOf(seed, all, deal);
  const half = (first: boolean): BenchResult => ({
    ...result,
    rows: result.rows.map((row) => {
      if (row.times === undefined) return row;
      const keep = (round: number) => chosen.has(round) === first;
      return { ...row, times: withRounds(row.times, keep, first ? 1 : slower(row)) };
    }),
  });
  return { base: half(true), new: half(false) };
}
