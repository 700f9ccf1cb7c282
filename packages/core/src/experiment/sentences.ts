import type { MeasuredSize } from './measured-size.js';
import { asChange, asMicroseconds, asPercent } from './words.js';

/** Share of the rounds in which a row must be ahead, or behind, before a difference is called one. */
const CLEAR = 0.8;

/** A first letter as sentences have it, but names such as k08 as they are. */
const capital = (text: string) =>
  /^[a-z]+\b/.test(text) ? `${text.charAt(0).toUpperCase()}${text.slice(1)}` : text;

function sentence(what: string, parts: readonly string[]): readonly string[] {
  return parts.length === 0 ? [] : [`${capital(what)}: ${parts.join(', ')}.`];
}

function changeAt(at: MeasuredSize, of: string, to: string): string {
  const { ahead, rounds } = at.roundsAhead(of, to);
  const change = at.change(of, to);
  const agreeing = change < 0 ? ahead : rounds - ahead;
  const clear = agreeing >= CLEAR * rounds && asChange(change) !== asChange(0);
  const all = rounds === 1 ? 'one round' : `all ${rounds} rounds`;
  const share = agreeing === rounds ? all : `${agreeing} of ${rounds} rounds`;
  return `${asChange(change)} at ${at.label} (${share}${clear ? '' : ': not clear'})`;
}

/**
 * What a change did, size by size, with the rounds that agree: `Prefetching alone: 4.2 % faster at 1024³ (all 15
 * rounds), 0.2 % slower at 2048³ (9 of 15 rounds: not clear).` No sentence where one of them was measured nowhere.
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
 * The figures of a row, size by size: `The best of k08, k08_128x64x8: 89.4 % of the reference's speed at 1024³ (72.1 µs,
 * ahead in 0 of 15 rounds).` Where it is another variant at another size, each is named. No sentence where it was not
 * measured.
 */
export function bestSentence(
  measured: readonly MeasuredSize[],
  row: string,
  what: string,
): readonly string[] {
  const all = measured.filter((at) => at.has(row)).map((at) => ({ label: at.label, ...at.of(row) }));
  const ids = [...new Set(all.map(({ id }) => id))];
  const parts = all.map(({ label, id, us, ofReference, wins, perRoundUs: { length } }, i) => {
    const share = `${asPercent(ofReference)}${i === 0 ? " of the reference's speed" : ''} at ${label}`;
    const name = ids.length > 1 ? `${id}, ` : '';
    return `${share} (${name}${asMicroseconds(us)}, ahead in ${wins} of ${length}${i === 0 ? ' rounds' : ''})`;
  });
  return sentence(ids.length === 1 ? `${what}, ${ids[0]}` : what, parts);
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
