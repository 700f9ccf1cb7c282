import { batchOf, type Size } from '../../bench/sizes.js';
import { shape } from '../../render/numbers.js';
import type { Table } from '../../render/table.js';
import { microseconds, rate, tenths } from '../../render/times.js';
import type { BenchResult, ResultRow } from '../../result/schema.js';
import type { LinesChart } from '../charts/lines.js';
import { SERIES } from '../charts/palette.js';
import type { Figure } from '../model.js';
import { type Contender, type LineUp, shareOf } from './line-up.js';

/** As many lines as can be told apart, the reference not counted; the others are in the table. */
const MOST_LINES = SERIES;

interface Quantity {
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  /** At the axis. */
  readonly label: string;
  readonly log: boolean;
  readonly fromZero: boolean;
  of(row: ResultRow): number | undefined;
  text(value: number): string;
  /** Whether the reference is one of the lines. */
  readonly reference: boolean;
  /** Whether more is better. */
  readonly up: boolean;
}

const share = (reference: string): Quantity => ({
  id: 'share',
  title: `Speed by size, in percent of ${reference}`,
  unit: '%',
  label: `% of ${reference}`,
  log: false,
  fromZero: false,
  of: (row) => {
    const own = shareOf(row);
    return own === undefined ? undefined : own * 100;
  },
  text: (value) => tenths(value / 100),
  reference: false,
  up: true,
});

const time: Quantity = {
  id: 'time',
  title: 'Time by size',
  unit: 'µs',
  label: 'µs',
  log: true,
  fromZero: false,
  of: ({ times }) => times?.medianUs,
  text: microseconds,
  reference: true,
  up: false,
};

const throughput: Quantity = {
  id: 'throughput',
  title: 'Throughput by size',
  unit: 'TFLOP/s',
  label: 'TFLOP/s',
  log: false,
  fromZero: true,
  of: ({ times }) => times?.tflops,
  text: rate,
  reference: true,
  up: true,
};

const isCube = (size: Size) => size.m === size.n && size.n === size.k && batchOf(size) === 1;

/** The fastest over all sizes: how near each comes to the best of a size, where it was measured, on average. */
function drawn(contenders: readonly Contender[], sizes: readonly Size[]): readonly Contender[] {
  const others = contenders.filter((one) => !one.reference);
  if (others.length <= MOST_LINES) return contenders;
  const time = (one: Contender, size: Size) => one.at(size)?.times?.medianUs ?? Number.POSITIVE_INFINITY;
  const best = sizes.map((size) => Math.min(...others.map((one) => time(one, size))));
  const nearness = new Map(
    others.map((one) => [
      one,
      sizes.reduce((sum, size, i) => sum + (best[i] as number) / time(one, size), 0),
    ]),
  );
  const ranked = [...others].sort((x, y) => (nearness.get(y) ?? 0) - (nearness.get(x) ?? 0));
  const kept = new Set(ranked.slice(0, MOST_LINES));
  return contenders.filter((one) => one.reference || kept.has(one));
}

/** Who is ahead at each size, as a sentence: each name once, with its figures. */
function aheadText(
  { of, text, up, unit }: Quantity,
  contenders: readonly Contender[],
  sizes: readonly Size[],
): string {
  const ahead = new Map<string, string[]>();
  for (const size of sizes) {
    const best = contenders
      .flatMap((one) => {
        const row = one.at(size);
        const value = row === undefined || one.reference ? undefined : of(row);
        return value === undefined ? [] : [{ name: one.name, value }];
      })
      .sort((x, y) => (up ? y.value - x.value : x.value - y.value))[0];
    if (best === undefined) continue;
    ahead.set(best.name, [...(ahead.get(best.name) ?? []), `${text(best.value)} ${unit} at ${shape(size)}`]);
  }
  return [...ahead].map(([name, figures]) => `${name} (${figures.join(', ')})`).join('; ');
}

function tableOf(quantity: Quantity, { sizes, contenders }: LineUp): Table {
  return {
    columns: [
      { title: 'kernel' },
      ...sizes.map((size) => ({ title: `${shape(size)}, ${quantity.unit}`, align: 'right' as const })),
    ],
    rows: contenders.map((one) => ({
      cells: [
        one.name,
        ...sizes.map((size) => {
          const row = one.at(size);
          const value = row && quantity.of(row);
          return value === undefined ? '–' : quantity.text(value);
        }),
      ],
    })),
  };
}

function figureOf(
  id: string,
  quantity: Quantity,
  lineUp: LineUp,
  across: LinesChart['across'],
): Figure | undefined {
  const { sizes, contenders } = lineUp;
  const byExtent = sizes.every(isCube);
  const at = (size: Size, i: number) => (byExtent ? size.n : i + 1);
  const chosen = drawn(
    contenders.filter((one) => quantity.reference || one.reference === undefined),
    sizes,
  );
  const series = chosen.flatMap((one) => {
    const points = sizes.flatMap((size, i) => {
      const row = one.at(size);
      const value = row && quantity.of(row);
      return value === undefined ? [] : [{ at: at(size, i), value }];
    });
    if (points.length === 0) return [];
    return [{ name: one.name, ...(one.reference ? { reference: true as const } : {}), points }];
  });
  if (series.length === 0) return undefined;
  const left = contenders.length - (quantity.reference ? 0 : 1) - series.length;
  const says = [
    `${quantity.up ? 'Highest' : 'Lowest'}: ${aheadText(quantity, contenders, sizes)}.`,
    ...(left > 0
      ? [`The ${series.length} that are drawn are the fastest; the others are in the table.`]
      : []),
  ];
  return {
    id: `${id}-${quantity.id}`,
    title: quantity.title,
    says: says.join(' '),
    chart: {
      kind: 'lines',
      quantity: { label: quantity.label, log: quantity.log, fromZero: quantity.fromZero },
      sizes: sizes.map((size, i) => ({ label: shape(size), at: at(size, i) })),
      byExtent,
      series,
      ...(across === undefined ? {} : { across }),
    },
    table: tableOf(quantity, lineUp),
  };
}

/** Speed beside the reference, time and throughput by size; none where times were taken at one size only. */
export function bySizeFigures(id: string, result: BenchResult, lineUp: LineUp): Figure[] {
  if (lineUp.sizes.length < 2) return [];
  const { reference } = lineUp;
  const peak = result.sessions?.find((session) => session.peak !== undefined)?.peak;
  const peakLine = peak && { value: peak.tflops, label: `peak, ${rate(peak.tflops)} TFLOP/s` };
  const figures = [
    reference === undefined
      ? undefined
      : figureOf(id, share(reference), lineUp, { value: 100, label: `100 %: ${reference}` }),
    figureOf(id, time, lineUp, undefined),
    figureOf(id, throughput, lineUp, peakLine),
  ];
  return figures.filter((figure) => figure !== undefined);
}
