import { figures } from '../bench/figures.js';
import { lessonOf } from '../bench/lesson.js';
import type { BenchResult, ResultRow } from '../result/schema.js';
import { detailLines, detailMarkdown } from './counter-details.js';
import { heading, nameOf, sizeOf, sizesOf, unrankedLines } from './rows.js';
import { sitesLines, sitesMarkdown } from './sites.js';
import { plain, type Style } from './style.js';
import { type Column, type Row, renderMarkdown, renderTable, type Table } from './table.js';
import { hang } from './text.js';
import { sessionOf, timesLines, timesMarkdown } from './times.js';

export const notTimes =
  'Counted from the PTX that ran, before ptxas. An emulator says nothing about time on a GPU, so none is shown.';

/** The row of the kernel that one is based on, at the same size. */
export function baseRow(row: ResultRow, rows: readonly ResultRow[]): ResultRow | undefined {
  return rows.find(
    (other) =>
      other.id === row.base?.id && other.package.name === row.base.package && sizeOf(other) === sizeOf(row),
  );
}

const cellsOf = ({ counters }: ResultRow) =>
  figures.map(({ name, format }) => format(counters?.values[name]));

const columns: Column[] = [
  { title: 'kernel', least: 8 },
  ...figures.map(({ title }) => ({ title, align: 'right' as const, least: 6 })),
];

/** What a row's counters say, as one sentence; undefined where it counted nothing. */
export function rowLesson(row: ResultRow, rows: readonly ResultRow[]): string | undefined {
  if (row.counters === undefined) return undefined;
  const base = baseRow(row, rows);
  const counted = (one: ResultRow) => ({ name: nameOf(one, rows), values: one.counters?.values ?? {} });
  return lessonOf(counted(row), base?.counters && counted(base));
}

/** A line for each row that counted (of those in `of`), and under it the figures of its base. */
export function counterTable(rows: readonly ResultRow[], style: Style, width: number, of = rows): string[] {
  const lines: Row[] = of
    .filter((row) => row.asked && row.counters !== undefined)
    .flatMap((row) => {
      const base = baseRow(row, rows);
      const own: Row = { cells: [nameOf(row, rows), ...cellsOf(row)] };
      if (base?.counters === undefined) return [own];
      return [own, { cells: [`  ${nameOf(base, rows)}`, ...cellsOf(base)], paint: style.dim }];
    });
  return renderTable({ columns, rows: lines }, width, style);
}

/** A row for each that counted, each figure with its base's in brackets. */
export function countedTable(rows: readonly ResultRow[]): Table {
  const body = rows
    .filter((row) => row.asked && row.counters !== undefined)
    .map((row): Row => {
      const base = baseRow(row, rows);
      const beside = base?.counters ? cellsOf(base).map((cell) => ` (${cell})`) : [];
      const name = base?.counters ? `${nameOf(row, rows)} (${nameOf(base, rows)})` : nameOf(row, rows);
      return { cells: [name, ...cellsOf(row).map((cell, i) => cell + (beside[i] ?? ''))] };
    });
  return { columns, rows: body };
}

/** What else is shown. */
export interface BenchRendering {
  /** A table of the lines of the source that access memory. */
  readonly sites?: boolean;
}

const interrupted = 'Interrupted: not all that was asked for was measured.';

/** A result for a terminal: a table for each size, then what its numbers say. */
export function renderBench(
  result: BenchResult,
  style: Style,
  width: number,
  { sites = false }: BenchRendering = {},
): string[] {
  const lines = [...hang('', heading(result), width)];
  for (const rows of sizesOf(result.rows)) {
    lines.push('', style.cyan(sizeOf(rows[0] as ResultRow)));
    const session = sessionOf(result, rows);
    const counted = rows.filter((row) => row.asked && row.counters !== undefined);
    if (session !== undefined) lines.push(...timesLines({ rows, session }, result, style, width));
    else if (counted.length > 0)
      lines.push(...counterTable(rows, style, width), '', ...detailLines(rows, style, width));
    else lines.push(...correctLines(rows));
    lines.push(...counted.flatMap((row) => hang('', rowLesson(row, rows) ?? '', width)));
    if (sites) lines.push(...sitesLines(rows, style, width));
    lines.push(...unrankedLines(rows, style, width));
  }
  if (result.rows.some((row) => row.counters !== undefined))
    lines.push('', ...hang('', notTimes, width).map(style.dim));
  if (result.interrupted) lines.push('', style.yellow(interrupted));
  return lines;
}

export function correctLines(rows: readonly ResultRow[]): string[] {
  return rows
    .filter((row) => row.asked && row.correctness.status === 'passed')
    .map((row) => `${nameOf(row, rows)}: correct (${row.correctness.gates.join(', ')})`);
}

/** The same as GitHub Markdown: each figure with its base's in brackets. */
export function renderBenchMarkdown(result: BenchResult, { sites = false }: BenchRendering = {}): string[] {
  const lines = [
    heading(result),
    '',
    `${result.createdAt} · math mode ${result.mathMode} · protocol ${result.protocol.name} ${result.protocol.version}`,
  ];
  for (const rows of sizesOf(result.rows)) {
    const counted = countedTable(rows);
    const session = sessionOf(result, rows);
    lines.push('', `### ${sizeOf(rows[0] as ResultRow)}`, '');
    if (session !== undefined) lines.push(...timesMarkdown({ rows, session }, result));
    else if (counted.rows.length > 0) lines.push(...renderMarkdown(counted), '', ...detailMarkdown(rows));
    else lines.push(...correctLines(rows).map((line) => `- ${line}`));
    lines.push(
      ...rows
        .filter((row) => row.asked)
        .flatMap((row) => rowLesson(row, rows) ?? [])
        .map((lesson) => `- ${lesson}`),
    );
    if (sites) lines.push(...sitesMarkdown(rows), '');
    lines.push(...unrankedLines(rows, plain, Number.POSITIVE_INFINITY).map((line) => `- ${line}`));
  }
  if (result.rows.some((row) => row.counters !== undefined)) lines.push('', notTimes);
  if (result.interrupted) lines.push('', interrupted);
  return lines;
}
