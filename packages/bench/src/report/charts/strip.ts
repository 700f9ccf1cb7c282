import { axisNumber, gridLine, roundTicks } from './axis.js';
import { BOLD, type ChartWidth, type Drawing, draw, fitted, textWidth } from './drawing.js';
import { ink, muted, paper, seriesColour } from './palette.js';
import { scaleOf } from './scale.js';

/** A dot a round, in percent of the reference's speed, for each of several kernels. */
export interface StripChart {
  readonly kind: 'strip';
  readonly label: string;
  readonly reference: string;
  /** The fastest first. */
  readonly rows: readonly StripRow[];
}

export interface StripRow {
  readonly name: string;
  /** In percent, in the order of the rounds. */
  readonly rounds: readonly number[];
  readonly median: number;
  readonly low: number;
  readonly high: number;
  /** Median and interval in words. */
  readonly text: string;
}

const ROW = 48;
const TOP = 30;
const BOTTOM = 44;
/** Dots of a row, from the first round to the last. */
const BAND = 16;

/** Rows slower than this share of what matters would squeeze the others together; they stand at the edge. */
const NEAR = 0.6;

export function drawStrip(on: Drawing, chart: StripChart, width: ChartWidth): string {
  const { Plot } = on;
  const { rows, label, reference } = chart;
  const near = rows.filter(({ median }) => median >= NEAR * Math.min(100, rows[0]?.median ?? 100));
  const values = [100, ...near.flatMap((row) => row.rounds)];
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const pad = Math.max(0.5, (most - least) * 0.04);
  const ticks = roundTicks(least - pad, most + pad, width > 500 ? 8 : 4).filter(
    (tick) => tick >= least - pad && tick <= most + pad,
  );
  const height = TOP + rows.length * ROW + BOTTOM;
  const [left, right] = [14, width - 14];
  const x = scaleOf('linear', [least - pad, most + pad], [left, right]);
  const y = scaleOf('linear', [0, rows.length], [TOP, height - BOTTOM]);
  const place = (px: number, py: number) => ({ x: () => x.from(px), y: () => y.from(py) });

  const marks: unknown[] = [
    Plot.gridX(ticks, gridLine),
    Plot.axisX(ticks, { tickSize: 0, tickPadding: 8, tickFormat: axisNumber, fill: muted, label: null }),
    Plot.text([label], { ...place(right, height - 8), textAnchor: 'end', fill: muted }),
    Plot.ruleX([100], { stroke: ink, strokeWidth: 1.5 }),
  ];
  const named = `100 %: ${reference}`;
  const half = (textWidth(named) * BOLD) / 2 + 2;
  const middle = Math.min(Math.max(x.to(100), half), width - half);
  marks.push(Plot.text([named], { ...place(middle, 12), fill: ink, fontWeight: 'bold' }));
  for (const [i, { name, rounds, median, low, high, text }] of rows.entries()) {
    const top = TOP + i * ROW;
    const centre = top + 33;
    const halo = { stroke: paper, strokeWidth: 5, fill: ink };
    const textRoom = textWidth(text) + 16;
    marks.push(
      Plot.text([fitted(name, (width - textRoom - 8) / BOLD)], {
        ...place(2, top + 10),
        textAnchor: 'start',
        ...halo,
        fontWeight: 'bold',
      }),
      Plot.text([text], { ...place(width - 2, top + 10), textAnchor: 'end', ...halo }),
    );
    if (!near.includes(rows[i] as StripRow)) {
      marks.push(
        Plot.text(['◂ off the scale'], {
          ...place(left, centre),
          textAnchor: 'start',
          stroke: paper,
          strokeWidth: 5,
          fill: muted,
        }),
      );
      continue;
    }
    const last = Math.max(1, rounds.length - 1);
    const dots = rounds.map((value, round) => ({
      x: value,
      y: y.from(centre + (round / last - 0.5) * BAND),
    }));
    marks.push(
      Plot.dot(dots, {
        x: 'x',
        y: 'y',
        r: 2.75,
        fill: seriesColour(0),
        fillOpacity: 0.55,
        stroke: seriesColour(0),
        strokeWidth: 0.75,
      }),
      Plot.ruleX([median], {
        y1: y.from(centre - BAND * 0.75),
        y2: y.from(centre + BAND * 0.75),
        stroke: ink,
        strokeWidth: 2.5,
      }),
    );
    marks.push(
      Plot.ruleY([y.from(centre)], { x1: low, x2: high, stroke: ink, strokeWidth: 2 }),
      ...[low, high].map((end) =>
        Plot.ruleX([end], { y1: y.from(centre - 4), y2: y.from(centre + 4), stroke: ink, strokeWidth: 2 }),
      ),
    );
  }
  return draw(on, {
    width,
    height,
    marginLeft: left,
    marginRight: width - right,
    marginTop: TOP,
    marginBottom: BOTTOM,
    x: { type: 'linear', domain: x.domain },
    y: { type: 'linear', domain: y.domain, range: [TOP, height - BOTTOM], axis: null },
    marks,
  });
}
