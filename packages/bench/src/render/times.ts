import { sameSize } from '../bench/sizes.js';
import type { BenchResult, ResultRow } from '../result/schema.js';
import type { Session } from '../result/times-schema.js';
import { count, duration, figure, float32, percent } from './numbers.js';
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

/** Whether a result says how sure it is: those from before it did are shown as they were. */
const isSure = ({ protocol }: BenchResult) => protocol.parameters?.confidence !== undefined;

const bounds = (low: number, high: number) => `${tenths(low)}–${tenths(high)}`;

function cellsOf(row: ResultRow, rows: readonly ResultRow[], beside: boolean, sure: boolean): string[] {
  const { times, artefact, role } = row;
  if (times === undefined) return [];
  const { ratio } = times;
  const share = ratio
    ? [
        tenths(ratio.median),
        sure ? bounds(ratio.interval.low, ratio.interval.high) : bounds(ratio.min, ratio.max),
        `${ratio.wins} of ${ratio.rounds}`,
      ]
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
export function timesTables(
  timed: TimedRows,
  result: BenchResult,
): { readonly generic: Table; readonly specialised: Table } {
  const { rows } = timed;
  const reference = referenceRow(timed);
  const sure = isSure(result);
  const columns: Column[] = [
    { title: 'kernel', least: 8, wrapTo: 12 },
    { title: 'µs', align: 'right', least: 7 },
    { title: 'TFLOP/s', align: 'right' },
    ...(reference === undefined
      ? []
      : [
          { title: `% of ${nameOf(reference, rows)}`, align: 'right' as const },
          { title: sure ? '95 % interval' : 'range', align: 'right' as const, least: 11 },
          { title: 'faster in', align: 'right' as const },
        ]),
    { title: 'ran' },
  ];
  const lines = (specialised: boolean): Row[] =>
    rows
      .filter((row) => row.times !== undefined && (row.specialised === true) === specialised)
      .map((row) => ({ cells: cellsOf(row, rows, reference !== undefined, sure) }));
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

/** What is not as usual: launched as graphs, other scalars. */
function modesText({ protocol: { parameters = {} } }: BenchResult): string[] {
  const { launched, alpha = 1, beta = 0 } = parameters;
  return [
    ...(launched === 'graph' ? ['launched as graphs'] : []),
    ...(alpha === 1 && beta === 0 ? [] : [`alpha ${float32(Number(alpha))}, beta ${float32(Number(beta))}`]),
  ];
}

/** How far launches and rounds usually lie from their median, and how many launches lie far off. */
function noiseText(rows: readonly ResultRow[], result: BenchResult): string[] {
  const times = rows.flatMap((row) => row.times ?? []);
  if (!isSure(result) || times.length === 0) return [];
  const text = (kind: 'launches' | 'rounds') =>
    `${span(
      times.map(({ noise }) => noise[kind] * 100),
      1,
    )} % of ${kind}`;
  const rounds = times.flatMap((one) => one.rounds);
  const outliers = rounds.reduce((sum, round) => sum + round.outliers.length, 0);
  const launches = rounds.reduce((sum, { launchesUs }) => sum + launchesUs.length, 0);
  const off = outliers === 0 ? [] : [`${outliers} of ${launches} launches are outliers`];
  return [`noise ${text('launches')}, ${text('rounds')}`, ...off];
}

/** How the times of a size were taken, as one line. */
export function circumstances({ rows, session }: TimedRows, result: BenchResult): string {
  const { rounds, launches, l2, untilWidth } = result.protocol.parameters ?? {};
  const used = session.rounds.filter((round) => round.used).length;
  const of = used === rounds || untilWidth !== undefined ? '' : ` of ${rounds}`;
  const how = `${used}${of} alternating rounds, each the median of ${launches} launches, L2 ${l2}`;
  return [
    how,
    ...modesText(result),
    mathModes(rows),
    ...clocksText(session),
    ...noiseText(rows, result),
  ].join('; ');
}

function best(rows: readonly ResultRow[], specialised: boolean): ResultRow | undefined {
  return rows
    .filter((row) => row.role !== 'reference' && row.times?.ratio !== undefined)
    .filter((row) => (row.specialised === true) === specialised)
    .sort((x, y) => (y.times?.ratio?.median ?? 0) - (x.times?.ratio?.median ?? 0))[0];
}

/** What the numbers say, as sentences: the fastest of each kind, what was run again, what was not known. */
export function timesSays({ rows, session }: TimedRows, result: BenchResult): string[] {
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
    if (isSure(result) && ratio.rounds > 1 && ratio.interval.low <= 1 && ratio.interval.high >= 1)
      says.push(`The rounds do not tell ${nameOf(row, rows)} and ${nameOf(reference, rows)} apart.`);
  }
  return [...says, ...endingText(session, result), ...sessionNotes(session)];
}

/** Which rule ended a session, where it was not the number of rounds; what interrupted it is said elsewhere. */
function endingText({ endedBy, rounds }: Session, { protocol }: BenchResult): string[] {
  const { untilWidth, timeLimitMs } = protocol.parameters ?? {};
  const used = count(rounds.filter((round) => round.used).length, 'round');
  const width = percent(Number(untilWidth));
  if (endedBy === 'interval') return [`After ${used} every interval is narrower than ${width}.`];
  if (endedBy === 'max-rounds')
    return [`After ${used}, as many as there may be, not every interval is narrower than ${width}.`];
  return endedBy === 'time-limit'
    ? [`The time limit of ${duration(Number(timeLimitMs))} ended it after ${used}.`]
    : [];
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
  const { generic, specialised } = timesTables(timed, result);
  const table = (one: Table) => (one.rows.length === 0 ? [] : renderTable(one, width, style));
  const apart = specialised.rows.length === 0 ? [] : [style.dim('Made for this size alone:')];
  return [
    ...hang('', circumstances(timed, result), width).map(style.dim),
    ...table(generic),
    ...apart,
    ...table(specialised),
    ...timesSays(timed, result).flatMap((text) => hang(`${style.cyan('→')} `, text, width)),
  ];
}

/** The same as Markdown. */
export function timesMarkdown(timed: TimedRows, result: BenchResult): string[] {
  const { generic, specialised } = timesTables(timed, result);
  const lines = [`${circumstances(timed, result)}.`, ''];
  if (generic.rows.length > 0) lines.push(...renderMarkdown(generic), '');
  if (specialised.rows.length > 0)
    lines.push('Made for this size alone:', '', ...renderMarkdown(specialised), '');
  return [...lines, ...timesSays(timed, result).map((text) => `- ${text}`)];
}
