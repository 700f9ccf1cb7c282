import { basename } from 'node:path';
import type { ComparedRow, ComparisonResult, LoneRow, Verdict } from '../compare/schema.js';
import { count, percent, shape, signed } from './numbers.js';
import type { Column, Table } from './table.js';
import { microseconds, tenths } from './times.js';

/** What is worth reading first. */
export const verdictOrder: readonly Verdict[] = [
  'failed',
  'slower',
  'unclear',
  'incomparable',
  'faster',
  'same',
];

/** `k02 at 512³`, by the short name where no other variant of that kernel is compared. */
export function labels({ rows }: ComparisonResult): (row: ComparedRow) => string {
  const ids = new Map<string, Set<string>>();
  for (const { kernel, id } of rows) ids.set(kernel, (ids.get(kernel) ?? new Set()).add(id));
  return ({ kernel, id }) => ((ids.get(kernel)?.size ?? 0) > 1 ? id : kernel);
}

/** Rows that are judged, the most important first; the references stand apart. */
export function judgedRows({ rows }: ComparisonResult): ComparedRow[] {
  const judged = rows.filter(({ role, verdict }) => role !== 'reference' || verdict === 'failed');
  return verdictOrder.flatMap((verdict) => judged.filter((row) => row.verdict === verdict));
}

/** `1 slower, 2 unclear, 57 same`. */
export function countsText(comparison: ComparisonResult): string {
  const rows = judgedRows(comparison);
  const counts = verdictOrder.flatMap((verdict) => {
    const found = rows.filter((row) => row.verdict === verdict).length;
    return found === 0 ? [] : [`${found} ${verdict}`];
  });
  return counts.join(', ') || 'nothing but the reference in common';
}

/** The speed in percent of the reference's, or the time. */
function figureOf({ level, medianUs }: ComparedRow['base'], by: ComparedRow['by']): string {
  if (by === 'ratio' && level !== undefined) return `${tenths(1 / level)} %`;
  const us = level ?? medianUs;
  return us === undefined ? '–' : `${microseconds(us)} µs`;
}

const columns: readonly Column[] = [
  { title: 'kernel', least: 8, wrapTo: 14 },
  { title: 'size', least: 5, wrapTo: 6 },
  { title: 'base', align: 'right', least: 7 },
  { title: 'new', align: 'right', least: 7 },
  { title: 'change', align: 'right', least: 7 },
  { title: 'interval', align: 'right' },
  { title: 'verdict', least: 7 },
];

function cellsOf(row: ComparedRow, name: string): string[] {
  const { problem, by, base, new: fresh, change, interval, verdict } = row;
  return [
    name,
    shape(problem),
    figureOf(base, by),
    figureOf(fresh, by),
    change === undefined ? '–' : `${signed(change)} %`,
    interval === undefined ? '–' : `${signed(interval.low)}…${signed(interval.high)}`,
    verdict,
  ];
}

/** The table of some rows; where several pairs of files were compared, it names the file of each. */
export function tableOf(comparison: ComparisonResult, rows: readonly ComparedRow[]): Table {
  const { pairs } = comparison;
  const name = labels(comparison);
  const several = pairs.length > 1;
  return {
    columns: [...(several ? [{ title: 'file', wrapTo: 10 }] : []), ...columns],
    rows: rows.map((row) => ({
      cells: [...(several ? [basename(pairs[row.pair]?.new.from ?? '')] : []), ...cellsOf(row, name(row))],
    })),
  };
}

/** By what was compared, and what counts as a change, as one sentence. */
export function ruleText(comparison: ComparisonResult): string {
  const { rows, rule } = comparison;
  const used = rows.filter(({ role }) => role !== 'reference');
  const to = [...new Set(used.flatMap(({ reference }) => (reference === undefined ? [] : [reference.id])))];
  const times = used.filter(({ by }) => by === 'time').length;
  const by = [
    ...(to.length > 0 ? [`the speed relative to ${to.join(', ')} of the same round`] : []),
    ...(times > 0 ? [to.length > 0 ? `of ${count(times, 'row')} the time` : 'the time'] : []),
  ];
  const compared = by.length === 0 ? '' : `Compared: ${by.join('; ')}. `;
  return (
    `${compared}Change is that of the time, up to ${percent(rule.threshold)} is none; ` +
    `intervals are of ${percent(rule.confidence)} confidence.`
  );
}

/** Where a reference is not as fast as it was, as sentences: ratios to it hold that, too. */
function referenceText({ rows }: ComparisonResult): string[] {
  return rows
    .filter(({ role, verdict }) => role === 'reference' && (verdict === 'slower' || verdict === 'faster'))
    .map(
      ({ id, problem, change = 0, base, new: fresh }) =>
        `The reference ${id} itself took ${figureOf(base, 'time')} at ${shape(problem)} and now takes ` +
        `${figureOf(fresh, 'time')} (${signed(change)} %); ratios to it move by as much the other way.`,
    );
}

/** Rows that ran the same bytes and are not as fast, as one sentence: it is not the kernel that changed. */
function bytesText(comparison: ComparisonResult): string[] {
  const name = labels(comparison);
  const rows = judgedRows(comparison).filter(
    ({ verdict, sameBytes }) => sameBytes && (verdict === 'slower' || verdict === 'faster'),
  );
  if (rows.length === 0) return [];
  const names = [...new Set(rows.map(name))].join(', ');
  return [
    `Of ${names} both ran the same bytes: what changed is not the kernel, but what it ran on or was compared with.`,
  ];
}

/** More rounds than this take longer than to find out what disturbs them. */
const MOST_ROUNDS = 1000;

/** How many rounds would make unclear rows clear, as one sentence. */
function remedyText(comparison: ComparisonResult): string[] {
  const unclear = judgedRows(comparison).filter(
    ({ verdict, roundsNeeded }) => verdict === 'unclear' && roundsNeeded !== undefined,
  );
  const [first, ...others] = unclear;
  if (first === undefined) return [];
  const rounds = ({ roundsNeeded = 0 }: ComparedRow) => roundsNeeded;
  const most = others.reduce((worst, row) => (rounds(row) > rounds(worst) ? row : worst), first);
  const where = `${labels(comparison)(most)} at ${shape(most.problem)}`;
  const beside = most.by === 'ratio' ? ', or compare --by time if it is the reference that is unsteady' : '';
  return [
    `${count(unclear.length, 'row')} ${others.length === 0 ? 'is' : 'are'} unclear: too noisy for a change of that size. ` +
      (rounds(most) > MOST_ROUNDS
        ? `${where} would need over ${MOST_ROUNDS} rounds: look for what disturbs it${beside}.`
        : `More rounds on both sides tell: ${where} needs about ${rounds(most)} (--rounds ${rounds(most)}).`),
  ];
}

/** `Only in the base: k05 at 512³, 1024³; k06 at 512³.` */
function loneText(where: string, rows: readonly LoneRow[]): string[] {
  if (rows.length === 0) return [];
  const ids = [...new Set(rows.map(({ id }) => id))];
  const parts = ids.map((id) => {
    const sizes = rows.filter((row) => row.id === id).map(({ problem }) => shape(problem));
    return `${id} at ${[...new Set(sizes)].join(', ')}`;
  });
  return [`Only in the ${where}: ${parts.join('; ')}.`];
}

/** Everything that is said beside the table, as sentences. */
export function remarksOf(comparison: ComparisonResult): string[] {
  const { pairs, onlyInBase, onlyInNew, notes } = comparison;
  return [
    ...new Set(pairs.flatMap(({ warnings }) => warnings)),
    ...referenceText(comparison),
    ...bytesText(comparison),
    ...remedyText(comparison),
    ...loneText('base', onlyInBase),
    ...loneText('new file', onlyInNew),
    ...notes,
  ];
}
