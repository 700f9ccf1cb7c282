import { asChange, type MeasuredSize, sameSize, sizeLabel } from '@ffma/core';
import type { Size } from '../bench/sizes.js';
import {
  type ExperimentResult,
  fastestOf,
  measuredSizes,
  recordRowsAt,
  sizesIn,
} from '../experiment/row-figures.js';
import type { ExperimentRecord, ExperimentRecordRow } from '../result/experiment-schema.js';
import type { ResultRow } from '../result/schema.js';
import { publishedChange, publishedText } from './published.js';
import { heading, unrankedLines } from './rows.js';
import type { Style } from './style.js';
import { type Column, type Row, renderTable, type Table } from './table.js';
import { hang } from './text.js';
import { circumstances, microseconds, sessionNotes, tenths } from './times.js';

/** Everything about one size of an experiment, before it is laid out. */
export interface ExperimentSize {
  readonly size: Size;
  readonly title: string;
  /** How times were taken; undefined where none were. */
  readonly how: string | undefined;
  readonly rows: Table;
  readonly pairs: Table | undefined;
  readonly notes: readonly string[];
  readonly results: readonly ResultRow[];
}

/** What a person reads as the name of a row: of several kernels, with the one that was fastest. */
function rowName(row: ExperimentRecordRow, found: ResultRow | undefined): string {
  const of = row.kernels.length > 1 && found !== undefined ? `${row.name}: ${found.id}` : row.name;
  return found?.specialised === true ? `${of}, made for this size` : of;
}

function cellsOf(row: ExperimentRecordRow, result: ExperimentResult, size: Size): string[] {
  const found = fastestOf(row, result.rows, size);
  const published = row.published.filter((one) => sameSize(one.size, size)).map(publishedText);
  const ratio = found?.times?.ratio;
  const share = found?.role === 'reference' ? '100.0' : ratio === undefined ? '–' : tenths(ratio.median);
  return [
    rowName(row, found),
    found?.times === undefined ? '–' : microseconds(found.times.medianUs),
    found?.times === undefined ? '–' : share,
    ratio === undefined ? '–' : `${ratio.wins} of ${ratio.rounds}`,
    published.join('; ') || '–',
  ];
}

/** Rows of one size; those of a search fastest first, what has no time last. */
function rowTable(result: ExperimentResult, size: Size): Table {
  const { experiment } = result;
  const reference = result.rows.find((row) => row.role === 'reference' && sameSize(row.problem, size));
  const columns: Column[] = [
    { title: 'row', wrapTo: 18 },
    { title: 'µs', align: 'right', least: 7 },
    { title: `% of ${reference?.kernel ?? 'the reference'}`, align: 'right' },
    { title: 'faster in', align: 'right' },
    { title: 'published', wrapTo: 20 },
  ];
  const time = (row: ExperimentRecordRow) =>
    fastestOf(row, result.rows, size)?.times?.medianUs ?? Number.POSITIVE_INFINITY;
  const rows = recordRowsAt(experiment, size);
  const ordered = experiment.ranked === true ? [...rows].sort((x, y) => time(x) - time(y)) : rows;
  return { columns, rows: ordered.map((row): Row => ({ cells: cellsOf(row, result, size) })) };
}

const pairColumns: readonly Column[] = [
  { title: 'row', wrapTo: 16 },
  { title: 'against', wrapTo: 16 },
  { title: 'what differs', wrapTo: 14 },
  { title: 'here', align: 'right', least: 13 },
  { title: 'published', wrapTo: 14 },
];

function pairTable({ pairs, rows }: ExperimentRecord, at: MeasuredSize | undefined): Table | undefined {
  const lines = pairs.flatMap(({ of, to, about, published: said }): Row[] => {
    if (at === undefined || !at.has(of) || !at.has(to)) return [];
    const published = publishedChange(rows, of, to, at.size) ?? said;
    return [{ cells: [of, to, about ?? '–', asChange(at.change(of, to)), published ?? '–'] }];
  });
  return lines.length === 0 ? undefined : { columns: pairColumns, rows: lines };
}

export function experimentSizes(result: ExperimentResult): ExperimentSize[] {
  const measured = measuredSizes(result);
  return sizesIn(result).map((size): ExperimentSize => {
    const session = result.sessions?.find(({ problem }) => sameSize(problem, size));
    const results = result.rows.filter(({ problem }) => sameSize(problem, size));
    const at = measured.find((one) => sameSize(one.size, size));
    return {
      size,
      title: sizeLabel(size),
      how: session && circumstances({ rows: results, session }, result),
      rows: rowTable(result, size),
      pairs: pairTable(result.experiment, at),
      notes: session === undefined ? [] : sessionNotes(session),
      results,
    };
  });
}

const INTERRUPTED = 'Interrupted: not all that was asked for was measured.';

/** An experiment for a terminal: its question, a table for each size beside what was published, and what follows. */
export function renderExperiment(result: ExperimentResult, style: Style, width: number): string[] {
  const { experiment } = result;
  const { name, question, source } = experiment;
  const lines = [
    ...hang(`${style.bold(name)}  `, question, width),
    ...hang('', `Repeats ${source.table} in ${source.title}.`, width).map(style.dim),
    ...hang('', heading(result), width).map(style.dim),
  ];
  for (const { title, how, rows, pairs, notes, results } of experimentSizes(result)) {
    lines.push('', style.cyan(title));
    if (how !== undefined) lines.push(...hang('', how, width).map(style.dim));
    lines.push(...renderTable(rows, width, style));
    if (pairs !== undefined) lines.push('', ...renderTable(pairs, width, style));
    lines.push(...notes.flatMap((note) => hang('', note, width)));
    lines.push(...unrankedLines(results, style, width));
  }
  if (experiment.conclusions.length > 0) lines.push('');
  for (const sentence of experiment.conclusions) lines.push(...hang(`${style.cyan('→')} `, sentence, width));
  for (const note of experiment.notes) lines.push(...hang(`${style.yellow('note')}  `, note, width));
  if (result.interrupted) lines.push('', style.yellow(INTERRUPTED));
  return lines;
}
