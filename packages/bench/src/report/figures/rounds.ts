import type { Size } from '../../bench/sizes.js';
import { shape } from '../../render/numbers.js';
import type { Table } from '../../render/table.js';
import { tenths } from '../../render/times.js';
import type { ResultRow } from '../../result/schema.js';
import type { StripRow } from '../charts/strip.js';
import type { Figure } from '../model.js';
import type { LineUp } from './line-up.js';

/** Rows that were set beside the reference at a size, each once, the fastest first. */
function rankedAt({ contenders }: LineUp, size: Size): { name: string; row: ResultRow }[] {
  const found: { name: string; row: ResultRow }[] = [];
  for (const { name, at, several } of contenders) {
    const row = at(size);
    if (row?.times?.ratio === undefined || found.some((one) => one.row === row)) continue;
    found.push({ name: several ? `${name}: ${row.id}` : name, row });
  }
  const median = ({ row }: { row: ResultRow }) => row.times?.ratio?.median ?? 0;
  return found.sort((x, y) => median(y) - median(x));
}

function stripRow({ name, row }: { name: string; row: ResultRow }): StripRow[] {
  const ratio = row.times?.ratio;
  if (ratio === undefined) return [];
  const { low, high } = ratio.interval;
  return [
    {
      name,
      rounds: ratio.perRound.map((value) => value * 100),
      median: ratio.median * 100,
      low: low * 100,
      high: high * 100,
      text: `${tenths(ratio.median)} % (${tenths(low)}–${tenths(high)})`,
    },
  ];
}

function tableOf(rows: readonly StripRow[]): Table {
  const rounds = Math.max(...rows.map((row) => row.rounds.length));
  return {
    columns: [
      { title: 'kernel' },
      { title: 'median, %', align: 'right' },
      { title: 'interval', align: 'right' },
      ...Array.from({ length: rounds }, (_, i) => ({ title: `round ${i + 1}`, align: 'right' as const })),
    ],
    rows: rows.map(({ name, median, low, high, rounds: own }) => ({
      cells: [
        name,
        median.toFixed(2),
        `${low.toFixed(2)}–${high.toFixed(2)}`,
        ...Array.from({ length: rounds }, (_, i) => own[i]?.toFixed(2) ?? '–'),
      ],
    })),
  };
}

/** Every round of one size beside the reference's of the same round; undefined where nothing was set beside one. */
export function roundsFigure(id: string, lineUp: LineUp, size: Size): Figure | undefined {
  const rows = rankedAt(lineUp, size).flatMap(stripRow);
  const { reference } = lineUp;
  const [best] = rows;
  if (best === undefined || reference === undefined) return undefined;
  const count = best.rounds.length;
  return {
    id: `${id}-rounds`,
    title: `Round by round at ${shape(size)}, in percent of ${reference}`,
    says:
      `A dot is the speed in one of ${count} rounds, beside ${reference} in the same round; the first round is the highest dot. ` +
      `The long stroke is the median; in parentheses and beside it, its 95 % confidence interval. Fastest: ${best.name}, ${best.text}.`,
    chart: { kind: 'strip', label: `% of ${reference}`, reference, rows },
    table: tableOf(rows),
    detail: true,
  };
}
