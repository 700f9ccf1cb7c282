import { figures } from '../bench/figures.js';
import { lessonOf } from '../bench/lesson.js';
import type { BenchResult, ResultRow } from '../result/schema.js';
import { shape } from './numbers.js';
import { plain, type Style } from './style.js';
import { type Column, type Row, renderMarkdown, renderTable } from './table.js';
import { hang } from './text.js';

export const notTimes =
  'Counted from the PTX that ran, before ptxas. An emulator says nothing about time on a GPU, so none is shown.';

/** How a row is called beside others: its short name where that is not ambiguous, else its id. */
function nameOf(row: ResultRow, rows: readonly ResultRow[]): string {
  return new Set(rows.filter(({ kernel }) => kernel === row.kernel).map(({ id }) => id)).size > 1
    ? row.id
    : row.kernel;
}

/** The row of the kernel that one is based on, at the same size. */
export function baseRow(row: ResultRow, rows: readonly ResultRow[]): ResultRow | undefined {
  return rows.find(
    (other) =>
      other.id === row.base?.id && other.package.name === row.base.package && sizeOf(other) === sizeOf(row),
  );
}

function sizeOf({ problem: { m, n, k } }: ResultRow): string {
  return shape({ m, n, k });
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

/** Rows that were asked for and carry no measurement, with the reason. */
export function unrankedLines(rows: readonly ResultRow[], style: Style, width: number): string[] {
  return rows
    .filter((row) => row.asked && row.correctness.status !== 'passed')
    .flatMap((row) => {
      const word = row.correctness.status === 'failed' ? style.red('wrong') : style.yellow('refused');
      return hang(
        `${word}  ${nameOf(row, rows)} ${sizeOf(row)}: `,
        row.correctness.failures.join(' ') || 'nothing ran',
        width,
      );
    });
}

/** The rows of each size, sizes in the order met. */
export function sizesOf(rows: readonly ResultRow[]): ResultRow[][] {
  const sizes = [...new Set(rows.map(sizeOf))];
  return sizes.map((size) => rows.filter((row) => sizeOf(row) === size));
}

function heading({ device, host, tool }: BenchResult): string {
  const fma = typeof device.details.fma === 'string' ? `, FMA ${device.details.fma}` : '';
  return `${device.name} (${device.arch}${fma}) · ${host.cpu} · @ffma/bench ${tool['@ffma/bench']} · Node ${host.node}`;
}

/** A result for a terminal: a table for each size, then what its numbers say. */
export function renderBench(result: BenchResult, style: Style, width: number): string[] {
  const lines = [...hang('', heading(result), width)];
  for (const rows of sizesOf(result.rows)) {
    lines.push('', style.cyan(sizeOf(rows[0] as ResultRow)));
    const counted = rows.filter((row) => row.asked && row.counters !== undefined);
    if (counted.length > 0) lines.push(...counterTable(rows, style, width), '');
    else lines.push(...correctLines(rows));
    lines.push(...counted.flatMap((row) => hang('', rowLesson(row, rows) ?? '', width)));
    lines.push(...unrankedLines(rows, style, width));
  }
  if (result.rows.some((row) => row.counters !== undefined))
    lines.push('', ...hang('', notTimes, width).map(style.dim));
  return lines;
}

function correctLines(rows: readonly ResultRow[]): string[] {
  return rows
    .filter((row) => row.asked && row.correctness.status === 'passed')
    .map((row) => `${nameOf(row, rows)}: correct (${row.correctness.gates.join(', ')})`);
}

/** The same as GitHub Markdown: each figure with its base's in brackets. */
export function renderBenchMarkdown(result: BenchResult): string[] {
  const lines = [
    heading(result),
    '',
    `${result.createdAt} · math mode ${result.mathMode} · protocol ${result.protocol.name} ${result.protocol.version}`,
  ];
  for (const rows of sizesOf(result.rows)) {
    const body = rows
      .filter((row) => row.asked && row.counters !== undefined)
      .map((row): Row => {
        const base = baseRow(row, rows);
        const beside = base?.counters ? cellsOf(base).map((cell) => ` (${cell})`) : [];
        const name = base?.counters ? `${nameOf(row, rows)} (${nameOf(base, rows)})` : nameOf(row, rows);
        return { cells: [name, ...cellsOf(row).map((cell, i) => cell + (beside[i] ?? ''))] };
      });
    lines.push('', `### ${sizeOf(rows[0] as ResultRow)}`, '');
    if (body.length > 0) lines.push(...renderMarkdown({ columns, rows: body }), '');
    else lines.push(...correctLines(rows).map((line) => `- ${line}`));
    lines.push(
      ...rows
        .filter((row) => row.asked)
        .flatMap((row) => rowLesson(row, rows) ?? [])
        .map((lesson) => `- ${lesson}`),
    );
    lines.push(...unrankedLines(rows, plain, Number.POSITIVE_INFINITY).map((line) => `- ${line}`));
  }
  if (result.rows.some((row) => row.counters !== undefined)) lines.push('', notTimes);
  return lines;
}
