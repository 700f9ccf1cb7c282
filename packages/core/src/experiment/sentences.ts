import type { MeasuredSize } from './measured-size.js';
import { asChange, asMicroseconds, asPercent } from './words.js';

/** Share of the rounds in which a row must be ahead, or behind, before a difference is called one. */
const CLEAR = 0.8;

function sentence(what: string, parts: readonly string[]): readonly string[] {
  if (parts.length === 0) return [];
  return [`${what.charAt(0).toUpperCase()}${what.slice(1)}: ${parts.join(', ')}.`];
}

function changeAt(at: MeasuredSize, of: string, to: string): string {
  const { ahead, rounds } = at.roundsAhead(of, to);
  const change = asChange(at.change(of, to));
  const clear = Math.max(ahead, rounds - ahead) >= CLEAR * rounds && change !== asChange(0);
  return `${change} at ${at.label} (ahead in ${ahead} of ${rounds} rounds${clear ? '' : ': not clear'})`;
}

/**
 * What a change did, size by size, with the rounds that agree: `Prefetching alone: 4.2 % faster at 1024³ (ahead in 15 of
 * 15 rounds), 0.2 % slower at 2048³ (ahead in 6 of 15 rounds: not clear).` No sentence where neither was measured.
 * @param of row with the change
 * @param to row without it
 */
export function changeSentence(
  measured: readonly MeasuredSize[],
  of: string,
  to: string,
  what: string,
): readonly string[] {
  const both = measured.filter((at) => at.has(of) && at.has(to));
  return sentence(
    what,
    both.map((at) => changeAt(at, of, to)),
  );
}

/**
 * The figures of a row, size by size: `The best of k08: 89.4 % of the reference's speed at 1024³ (k08_128x64x8, 72.1 µs,
 * ahead in 0 of 15 rounds).` No sentence where it was not measured.
 */
export function bestSentence(
  measured: readonly MeasuredSize[],
  row: string,
  what: string,
): readonly string[] {
  const parts = measured
    .filter((at) => at.has(row))
    .map((at, i) => {
      const { id, us, ofReference, wins, perRoundUs } = at.of(row);
      const share = `${asPercent(ofReference)}${i === 0 ? " of the reference's speed" : ''}`;
      return `${share} at ${at.label} (${id}, ${asMicroseconds(us)}, ahead in ${wins} of ${perRoundUs.length} rounds)`;
    });
  return sentence(what, parts);
}

/**
 * The fastest and the slowest of some rows, size by size: `The order: rows at 1024³ (the slowest, columns, is 3.1 %
 * slower).` No sentence where none was measured.
 */
export function rankSentence(
  measured: readonly MeasuredSize[],
  rows: readonly string[],
  what: string,
): readonly string[] {
  const parts = measured.flatMap((at) => {
    const ranked = at.ranking().filter(({ row }) => rows.includes(row));
    const [first, last] = [ranked[0], ranked.at(-1)];
    if (first === undefined || last === undefined || first === last) return [];
    const behind = asChange(at.change(last.row, first.row));
    return [`${first.row} at ${at.label} (the slowest, ${last.row}, is ${behind})`];
  });
  return sentence(what, parts);
}
