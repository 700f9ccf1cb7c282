import { asChange } from '@ffma/core';
import type { ComparisonResult } from '../../compare/schema.js';
import { countsText, judgedRows, labels, remarksOf, ruleText, tableOf } from '../../render/compare-rows.js';
import { shape } from '../../render/numbers.js';
import { tenths } from '../../render/times.js';
import type { ChangeRow } from '../charts/changes.js';
import type { Figure, Section } from '../model.js';
import { list, table } from './blocks.js';
import type { SectionContext } from './context.js';

const clear = new Set(['slower', 'faster', 'failed']);

function changesFigure(id: string, result: ComparisonResult): Figure | undefined {
  const { rule } = result;
  const name = labels(result);
  const rows = judgedRows(result);
  const drawn = rows.flatMap((row): ChangeRow[] => {
    const { problem, verdict, change, interval } = row;
    if (change === undefined || interval === undefined) return [];
    return [
      {
        name: `${name(row)}, ${shape(problem)}`,
        change: change * 100,
        low: interval.low * 100,
        high: interval.high * 100,
        text: clear.has(verdict) ? asChange(change) : `${verdict}, ${asChange(change)}`,
        clear: clear.has(verdict),
      },
    ];
  });
  if (drawn.length === 0) return undefined;
  const percent = tenths(rule.confidence).replace(/\.0$/, '');
  return {
    id: `${id}-changes`,
    title: 'Changes of time, new beside base',
    says:
      `${countsText(result)}. A mark is the change, its stroke the ${percent} % confidence interval; hollow where it is ` +
      `the same or not clear. Changes up to ${tenths(rule.threshold)} %, between the tinted parts, are none.`,
    chart: { kind: 'changes', threshold: rule.threshold * 100, rows: drawn },
    table: tableOf(result, rows),
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
      ...list([...result.failures, ...remarksOf(result)]),
      ...(figure === undefined
        ? table('Rows', tableOf(result, judgedRows(result)))
        : [{ kind: 'figure' as const, figure }]),
    ],
  };
}
