import { correctLines, countedTable, notTimes, rowLesson } from '../../render/bench.js';
import { detailTable } from '../../render/counter-details.js';
import { heading, sizeOf, sizesOf, unrankedLines } from '../../render/rows.js';
import { plain } from '../../render/style.js';
import { circumstances, sessionOf, timesSays, timesTables } from '../../render/times.js';
import type { BenchResult, ResultRow } from '../../result/schema.js';
import { bySizeFigures } from '../figures/by-size.js';
import { countedFigure } from '../figures/counted.js';
import { type LineUp, lineUpOf } from '../figures/line-up.js';
import { roundsFigure } from '../figures/rounds.js';
import type { Block, Section } from '../model.js';
import { list, table } from './blocks.js';
import type { SectionContext } from './context.js';

/** Why rows carry no measurement, as sentences. */
export const unrankedItems = (rows: readonly ResultRow[]) =>
  unrankedLines(rows, plain, Number.POSITIVE_INFINITY);

function timesBlocks(result: BenchResult, lineUp: LineUp, rows: readonly ResultRow[], id: string): Block[] {
  const session = sessionOf(result, rows);
  const [first] = rows;
  if (session === undefined || first === undefined) return [];
  const timed = { rows, session };
  const { generic, specialised } = timesTables(timed, result);
  const figure = roundsFigure(id, lineUp, first.problem);
  return [
    ...list(timesSays(timed, result)),
    ...table(`Times at ${sizeOf(first)}`, generic),
    ...table(`Made for ${sizeOf(first)} alone`, specialised),
    { kind: 'note', text: `${circumstances(timed, result)}.` },
    ...(figure === undefined ? [] : [{ kind: 'figure' as const, figure }]),
  ];
}

function countedBlocks(rows: readonly ResultRow[], id: string): Block[] {
  const counted = countedTable(rows);
  if (counted.rows.length === 0) return [];
  const details = detailTable(rows);
  const size = sizeOf(rows[0] as ResultRow);
  const figure = countedFigure(id, size, rows);
  return [
    ...list(rows.filter(({ asked }) => asked).flatMap((row) => rowLesson(row, rows) ?? [])),
    ...table(`What was counted at ${size}, beside the base of each`, counted),
    ...(details === undefined ? [] : table(`Shared memory and ptxas at ${size}`, details.table)),
    ...(details?.notes ?? []).map((text) => ({ kind: 'note' as const, text })),
    ...(figure === undefined ? [] : [{ kind: 'figure' as const, figure }]),
  ];
}

function sizePart(
  result: BenchResult,
  lineUp: LineUp,
  rows: readonly ResultRow[],
  newId: SectionContext['newId'],
  of: string,
): Section {
  const id = newId(`${of} ${sizeOf(rows[0] as ResultRow)}`);
  const measured = [...timesBlocks(result, lineUp, rows, id), ...countedBlocks(rows, id)];
  return {
    id,
    title: sizeOf(rows[0] as ResultRow),
    blocks: [...(measured.length > 0 ? measured : list(correctLines(rows))), ...list(unrankedItems(rows))],
  };
}

/** What ffma bench measured: charts over all sizes, then each size. */
export function benchSection(result: BenchResult, { file, newId }: SectionContext): Section {
  const id = newId(file.replace(/\.json$/, ''));
  const lineUp = lineUpOf(result);
  const counted = result.rows.some(({ counters }) => counters !== undefined);
  return {
    id,
    title: `${file}: ${result.sessions === undefined ? 'what kernels do' : 'times'} on ${result.device.name}`,
    blocks: [
      { kind: 'text', text: heading(result) },
      ...(counted ? [{ kind: 'note' as const, text: notTimes }] : []),
      ...bySizeFigures(id, result, lineUp).map((figure) => ({ kind: 'figure' as const, figure })),
    ],
    parts: sizesOf(result.rows).map((rows) => sizePart(result, lineUp, rows, newId, id)),
  };
}
