import { asChange } from '@ffma/core';
import type { ComparedRow, ComparisonResult } from '../../compare/schema.js';
import { count, shape } from '../../render/numbers.js';
import type { Table } from '../../render/table.js';
import { tenths } from '../../render/times.js';
import type { ChangeRow } from '../charts/changes.js';
import type { Figure, Section } from '../model.js';
import { list, table } from './blocks.js';
import type { SectionContext } from './context.js';

const order: readonly ComparedRow['verdict'][] = [
  'failed',
  'slower',
  'unclear',
  'faster',
  'same',
  'incomparable',
];

/** What matters most first; as the file has them where it matters alike. */
const sorted = (rows: readonly ComparedRow[]) =>
  [...rows].sort((x, y) => order.indexOf(x.verdict) - order.indexOf(y.verdict));

const signed = (share: number) => `${share > 0 ? '+' : ''}${tenths(share)}`;

function rowsTable(rows: readonly ComparedRow[]): Table {
  return {
    columns: [
      { title: 'kernel' },
      { title: 'size' },
      { title: 'verdict' },
      { title: 'change, %', align: 'right' },
      { title: 'interval', align: 'right' },
      { title: 'by' },
      { title: 'why' },
    ],
    rows: sorted(rows).map(({ id, problem, verdict, change, interval, by, reason }) => ({
      cells: [
        id,
        shape(problem),
        verdict,
        change === undefined ? '–' : signed(change),
        interval === undefined ? '–' : `${signed(interval.low)} to ${signed(interval.high)}`,
        by ?? '–',
        reason ?? '–',
      ],
    })),
  };
}

function changesFigure(id: string, { rows, rule }: ComparisonResult): Figure | undefined {
  const drawn = sorted(rows).flatMap(({ id: kernel, problem, verdict, change, interval }): ChangeRow[] => {
    if (change === undefined || interval === undefined) return [];
    return [
      {
        name: `${kernel}, ${shape(problem)}`,
        change: change * 100,
        low: interval.low * 100,
        high: interval.high * 100,
        text:
          verdict === 'same' || verdict === 'unclear' ? `${verdict}, ${asChange(change)}` : asChange(change),
        clear: verdict === 'slower' || verdict === 'faster' || verdict === 'failed',
      },
    ];
  });
  if (drawn.length === 0) return undefined;
  const percent = tenths(rule.confidence).replace(/\.0$/, '');
  return {
    id: `${id}-changes`,
    title: 'Changes of time, new beside base',
    says:
      `A mark is the change, its stroke the ${percent} % confidence interval; hollow where it is the same or not clear. ` +
      `Changes up to ${tenths(rule.threshold)} %, between the tinted parts, are no change.`,
    chart: { kind: 'changes', threshold: rule.threshold * 100, rows: drawn },
    table: rowsTable(rows),
  };
}

/** What changed from some results to others. */
export function comparisonSection(result: ComparisonResult, { file, newId }: SectionContext): Section {
  const { rows, pairs, notes, failures, onlyInBase, onlyInNew } = result;
  const id = newId(file.replace(/\.json$/, ''));
  const counts = order.flatMap((verdict) => {
    const found = rows.filter((row) => row.verdict === verdict).length;
    return found === 0 ? [] : [`${found} ${verdict}`];
  });
  const lone = (which: string, of: typeof onlyInBase) =>
    of.length === 0
      ? []
      : [`Only in ${which}: ${of.map((one) => `${one.id} at ${shape(one.problem)}`).join(', ')}.`];
  const figure = changesFigure(id, result);
  return {
    id,
    title: `${file}: what changed`,
    blocks: [
      { kind: 'text', text: `${count(rows.length, 'row')} compared: ${counts.join(', ') || 'none'}.` },
      ...list([...failures, ...pairs.flatMap(({ warnings }) => warnings), ...notes]),
      ...(figure === undefined ? table('Rows', rowsTable(rows)) : [{ kind: 'figure' as const, figure }]),
      ...list([...lone('base', onlyInBase), ...lone('new', onlyInNew)]),
    ],
  };
}
