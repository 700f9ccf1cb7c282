import type { BenchResult, ResultRow } from '../result/schema.js';
import { nameOf, sizeOf, sizesOf } from './rows.js';
import { type Row, renderMarkdown } from './table.js';
import { mathModes, microseconds, rate, tenths } from './times.js';

/** The row of a line at a size: the one of that name, or the fastest where a kernel has one for each size. */
function rowAt(rows: readonly ResultRow[], of: (row: ResultRow) => boolean): ResultRow | undefined {
  return rows
    .filter((row) => row.times !== undefined && of(row))
    .sort((x, y) => (x.times?.medianUs ?? 0) - (y.times?.medianUs ?? 0))[0];
}

function cell(row: ResultRow | undefined): string {
  if (row?.times === undefined) return '–';
  const { medianUs, tflops, ratio } = row.times;
  const time = `${microseconds(medianUs)} µs`;
  return ratio === undefined ? `${time}, ${rate(tflops)} TFLOP/s` : `${tenths(ratio.median)} % (${time})`;
}

/** A line for each kernel, the reference first, those that are made for one size last. */
function linesOf(result: BenchResult): Row[] {
  const sizes = sizesOf(result.rows);
  const timed = result.rows.filter(({ times }) => times !== undefined);
  const line = (name: string, of: (row: ResultRow) => boolean): Row => ({
    cells: [name, ...sizes.map((rows) => cell(rowAt(rows, of)))],
  });
  const unique = (names: readonly string[]) => [...new Set(names)];
  const plainName = (row: ResultRow) => nameOf(row, timed);
  const of = (part: (row: ResultRow) => boolean, nameBy: (row: ResultRow) => string, suffix = '') =>
    unique(timed.filter(part).map(nameBy)).map((name) =>
      line(name + suffix, (row) => part(row) && nameBy(row) === name),
    );
  return [
    ...of(({ role }) => role === 'reference', plainName),
    ...of((row) => row.role !== 'reference' && row.specialised !== true, plainName),
    ...of(
      ({ specialised }) => specialised === true,
      (row) => row.kernel,
      ', made for each size',
    ),
  ];
}

/** How many rounds were asked for; where a rule ended them, how many there were at each size. */
function roundsOf({ protocol, sessions = [] }: BenchResult): string {
  const { rounds, untilWidth } = protocol.parameters ?? {};
  if (untilWidth === undefined) return String(rounds);
  const used = sessions.map((session) => session.rounds.filter((round) => round.used).length);
  const [least, most] = [Math.min(...used), Math.max(...used)];
  return least === most ? String(least) : `${least} to ${most}`;
}

/**
 * A result's times in one Markdown table for a README: a line a kernel, a column a size, in percent of the reference.
 * @param link path or address of the result file
 */
export function renderSpeedTable(result: BenchResult, link: string): string[] {
  const { device, protocol, createdAt, rows } = result;
  const { launches, l2 } = protocol.parameters ?? {};
  const sizes = sizesOf(rows).map((same) => sizeOf(same[0] as ResultRow));
  const columns = [{ title: 'kernel' }, ...sizes.map((title) => ({ title, align: 'right' as const }))];
  const reference = rows.find(({ role }) => role === 'reference');
  const library = reference?.artefact === undefined ? '' : ` (${reference.artefact.compiler})`;
  const beside = reference === undefined ? '' : `Percent of ${reference.kernel}${library}, `;
  const driver = device.details.driver === undefined ? '' : `, driver ${device.details.driver}`;
  return [
    ...renderMarkdown({ columns, rows: linesOf(result) }),
    '',
    `${beside}median of ${roundsOf(result)} alternating rounds, each the median of ${launches} launches, L2 ${l2}, ` +
      `${mathModes(rows)}. ${device.name}${driver}, ${createdAt.slice(0, 10)}; [all figures](${link}).`,
  ];
}
