import { asChange } from '@ffma/core';
import type { ComparedRow, ComparisonResult } from '../../compare/schema.js';
import { countsText, judgedRows, labels, remarksOf, ruleText, tableOf } from '../../render/compare-rows.js';
import { percent, shape } from '../../render/numbers.js';
import type { Table } from '../../render/table.js';
import type { ChangeRow } from '../charts/changes.js';
import type { Figure, Section } from '../model.js';
import { list, table } from './blocks.js';
import type { SectionContext } from './context.js';

function rowsTable(comparison: ComparisonResult): Table {
  const judged = judgedRows(comparison);
  const { columns, rows } = tableOf(comparison, judged);
  return {
    columns: [...columns, { title: 'by' }, { title: 'why' }],
    rows: rows.map(({ cells }, i) => ({ cells: [...cells, judged[i]?.by ?? '–', judged[i]?.reason ?? '–'] })),
  };
}

/** A chart of more rows is one of those that are not the same. */
const MOST_DRAWN = 24;

function drawnRows(comparison: ComparisonResult): ComparedRow[] {
  const rows = judgedRows(comparison).filter(({ interval }) => interval !== undefined);
  return rows.length <= MOST_DRAWN ? rows : rows.filter(({ verdict }) => verdict !== 'same');
}

function changesFigure(id: string, comparison: ComparisonResult): Figure | undefined {
  const { threshold, confidence } = comparison.rule;
  const name = labels(comparison);
  const drawn = drawnRows(comparison);
  if (drawn.length === 0) return undefined;
  const rows = drawn.map((row): ChangeRow => {
    const { problem, verdict, change = 0, interval } = row;
    const clear = verdict === 'slower' || verdict === 'faster' || verdict === 'failed';
    return {
      name: `${name(row)}, ${shape(problem)}`,
      change: change * 100,
      low: (interval?.low ?? 0) * 100,
      high: (interval?.high ?? 0) * 100,
      text: clear ? asChange(change) : `${verdict}, ${asChange(change)}`,
      clear,
    };
  });
  const left = judgedRows(comparison).length - drawn.length;
  return {
    id: `${id}-changes`,
    title: 'Changes of time, new beside base',
    says:
      `A mark is the change, its stroke the ${percent(confidence)} confidence interval; hollow where it is the same or not clear. ` +
      `Changes up to ${percent(threshold)}, between the tinted parts, are no change.` +
      (left === 0 ? '' : ` ${left} more rows are in the table.`),
    chart: { kind: 'changes', threshold: threshold * 100, rows },
    table: rowsTable(comparison),
  };
}

/** What changed from some results to others. */
export function comparisonSection(result: ComparisonResult, { file, newId }: SectionContext): Section {
  const id = newId(file.replace(/\.json$/, ''));
  const figure = changesFigure(id, result);
  return {
    id,
    title: `${file}: what changed`,
    blocks: [
      { kind: 'text', text: `${countsText(result)}. ${ruleText(result)}` },
      ...list(remarksOf(result)),
      ...(figure === undefined ? table('Rows', rowsTable(result)) : [{ kind: 'figure' as const, figure }]),
    ],
  };
}
