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

/**
 * The rounds of one of two halves: of each four in a row one odd and one even round, chosen by chance, so that both
 * halves alternate as a whole run does.
 */
function roundsOf(seed: number, rounds: readonly number[]): Set<number> {
  const random = randomOf(seed);
  const chosen = new Set<number>();
  for (let first = 0; first < rounds.length; first += 4)
    for (const parity of [0, 1]) {
      const index = first + parity + (random() < 0.5 ? 0 : 2);
      if (index < rounds.length) chosen.add(rounds[index] as number);
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
): { readonly base: BenchResult; readonly new: BenchResult } {
  const all = [...new Set(result.rows.flatMap(({ times }) => times?.rounds.map(({ round }) => round) ?? []))];
  const chosen = roundsOf(seed, all);
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
