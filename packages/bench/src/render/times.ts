import { sameSize } from '../bench/sizes.js';
import type { BenchResult, ResultRow } from '../result/schema.js';
import type { Session } from '../result/times-schema.js';
import { count, figure } from './numbers.js';
import { nameOf } from './rows.js';
import type { Style } from './style.js';
import { type Column, type Row, renderMarkdown, renderTable, type Table } from './table.js';
import { hang } from './text.js';

/** Rows of one size, with what they went through together. */
export interface TimedRows {
  readonly rows: readonly ResultRow[];
  readonly session: Session;
}

/** The session of rows of one size; undefined where no times were taken. */
export function sessionOf({ sessions }: BenchResult, [row]: readonly ResultRow[]): Session | undefined {
  return row && sessions?.find(({ problem }) => sameSize(problem, row.problem));
}

export function microseconds(us: number): string {
  return us.toFixed(us < 1000 ? 1 : 0);
}

/** A share of 1 in percent, to a tenth. */
export function tenths(ratio: number): string {
  return (ratio * 100).toFixed(1);
}

/** TFLOP/s to three digits that count. */
export function rate(tflops: number): string {
  return tflops >= 99.95 ? tflops.toFixed(0) : tflops >= 0.1 ? tflops.toPrecision(3) : figure(tflops);
}

function referenceRow({ rows }: TimedRows): ResultRow | undefined {
  return rows.find(({ role, times }) => role === 'reference' && times !== undefined);
}

function cellsOf(row: ResultRow, rows: readonly ResultRow[], beside: boolean): string[] {
  const { times, artefact, role } = row;
  if (times === undefined) return [];
  const { ratio } = times;
  const share = ratio
    ? [tenths(ratio.median), `${tenths(ratio.min)}–${tenths(ratio.max)}`, `${ratio.wins} of ${ratio.rounds}`]
    : [role === 'reference' ? '100.0' : '–', '–', '–'];
  return [
    nameOf(row, rows),
    microseconds(times.medianUs),
    rate(times.tflops),
    ...(beside ? share : []),
    artefact?.ranAs ?? '–',
  ];
}

/** The table of one size: the reference and what takes any size, then what was made for this one. */
export function timesTables(timed: TimedRows): { readonly generic: Table; readonly specialised: Table } {
  const { rows } = timed;
  const reference = referenceRow(timed);
  const columns: Column[] = [
    { title: 'kernel', least: 8, wrapTo: 12 },
    { title: 'µs', align: 'right', least: 7 },
    { title: 'TFLOP/s', align: 'right' },
    ...(reference === undefined
      ? []
      : [
          { title: `% of ${nameOf(reference, rows)}`, align: 'right' as const },
          { title: 'range', align: 'right' as const, least: 11 },
          { title: 'faster in', align: 'right' as const },
        ]),
    { title: 'ran' },
  ];
  const lines = (specialised: boolean): Row[] =>
    rows
      .filter((row) => row.times !== undefined && (row.specialised === true) === specialised)
      .map((row) => ({ cells: cellsOf(row, rows, reference !== undefined) }));
  return { generic: { columns, rows: lines(false) }, specialised: { columns, rows: lines(true) } };
}

const span = (values: readonly number[], digits = 0) => {
  const [low, high] = [Math.min(...values).toFixed(digits), Math.max(...values).toFixed(digits)];
  return low === high ? low : `${low}–${high}`;
};

export function clocksText({ rounds }: Session): string[] {
  const clocks = rounds.flatMap((round) => (round.used && round.clocks !== undefined ? [round.clocks] : []));
  if (clocks.length === 0) return [];
  const all = (name: 'smMHz' | 'powerW' | 'temperatureC') => clocks.flatMap((one) => one[name]);
  return [`SM ${span(all('smMHz'))} MHz`, `${span(all('powerW'))} W`, `${span(all('temperatureC'))} °C`];
}

/** Math mode of the reference, or of the first that was timed, and of each that has another. */
export function mathModes(rows: readonly ResultRow[]): string {
  const timed = rows.filter(({ times }) => times !== undefined);
  if (timed.length === 0) return 'no times';
  const modeOf = (row: ResultRow) => row.artefact?.mathMode ?? 'fp32';
  const usual = modeOf(timed.find(({ role }) => role === 'reference') ?? (timed[0] as ResultRow));
  const others = timed.filter((row) => modeOf(row) !== usual);
  if (others.length === 0) return `math mode ${usual} on all sides`;
  return `math mode ${usual}, but ${others.map((row) => `${nameOf(row, rows)} ${modeOf(row)}`).join(', ')}`;
}

/** How the times of a size were taken, as one line. */
export function circumstances({ rows, session }: TimedRows, result: BenchResult): string {
  const { rounds, launches, l2 } = result.protocol.parameters ?? {};
  const used = session.rounds.filter((round) => round.used).length;
  const of = used === rounds ? '' : ` of ${rounds}`;
  const how = `${used}${of} alternating rounds, each the median of ${launches} launches, L2 ${l2}`;
  return [how, mathModes(rows), ...clocksText(session)].join('; ');
}

function best(rows: readonly ResultRow[], specialised: boolean): ResultRow | undefined {
  return rows
    .filter((row) => row.role !== 'reference' && row.times?.ratio !== undefined)
    .filter((row) => (row.specialised === true) === specialised)
    .sort((x, y) => (y.times?.ratio?.median ?? 0) - (x.times?.ratio?.median ?? 0))[0];
}

/** What the numbers say, as sentences: the fastest of each kind, what was run again, what was not known. */
export function timesSays({ rows, session }: TimedRows): string[] {
  const says: string[] = [];
  const reference = referenceRow({ rows, session });
  for (const specialised of [false, true]) {
    const row = best(rows, specialised);
    const ratio = row?.times?.ratio;
    if (row === undefined || ratio === undefined || reference === undefined) continue;
    const kind = specialised ? 'Fastest of those made for this size alone' : 'Fastest';
    says.push(
      `${kind}: ${nameOf(row, rows)}, at ${tenths(ratio.median)} % of ${nameOf(reference, rows)}, ` +
        `ahead in ${ratio.wins} of ${ratio.rounds} rounds.`,
    );
  }
  return [...says, ...sessionNotes(session)];
}

/** What was run again, and what was not known, as sentences. */
export function sessionNotes(session: Session): string[] {
  const says: string[] = [];
  const again = session.rounds.filter(({ used }) => !used);
  if (again.length > 0) {
    const why = [...new Set(again.flatMap(({ throttledBy }) => throttledBy))].join(', ');
    says.push(
      `The GPU was throttled (${why}) in ${count(again.length, 'round')}, which ${again.length === 1 ? 'was' : 'were'} run again.`,
    );
  }
  if (session.interrupted) says.push('Interrupted: fewer rounds were run than were asked for.');
  return [...says, ...session.notes];
}

/** Times of one size for a terminal. */
export function timesLines(timed: TimedRows, result: BenchResult, style: Style, width: number): string[] {
  const { generic, specialised } = timesTables(timed);
  const table = (one: Table) => (one.rows.length === 0 ? [] : renderTable(one, width, style));
  const apart = specialised.rows.length === 0 ? [] : [style.dim('Made for this size alone:')];
  return [
    ...hang('', circumstances(timed, result), width).map(style.dim),
    ...table(generic),
    ...apart,
    ...table(specialised),
    ...timesSays(timed).flatMap((text) => hang(`${style.cyan('→')} `, text, width)),
  ];
}

/** The same as Markdown. */
export function timesMarkdown(timed: TimedRows, result: BenchResult): string[] {
  const { generic, specialised } = timesTables(timed);
  const lines = [`${circumstances(timed, result)}.`, ''];
  if (generic.rows.length > 0) lines.push(...renderMarkdown(generic), '');
  if (specialised.rows.length > 0)
    lines.push('Made for this size alone:', '', ...renderMarkdown(specialised), '');
  return [...lines, ...timesSays(timed).map((text) => `- ${text}`)];
}
