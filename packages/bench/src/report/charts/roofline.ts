import { axisNumber, gridLine, logTicks } from './axis.js';
import { type ChartWidth, type Drawing, draw, fitted, widest } from './drawing.js';
import { dotOf, KEY_ROW, keyMarks, looksOf } from './looks.js';
import { ink, muted, paper } from './palette.js';
import { scaleOf } from './scale.js';
import { spreadApart } from './spread-apart.js';

/** Throughput by work for each byte, under what the device can do. */
export interface RooflineChart {
  readonly kind: 'roofline';
  /** TFLOP/s. */
  readonly compute: readonly { readonly name: string; readonly tflops: number }[];
  /** 10⁹ bytes a second. */
  readonly memory: readonly { readonly name: string; readonly gbps: number }[];
  readonly points: readonly RooflineDot[];
}

export interface RooflineDot {
  readonly name: string;
  readonly reference?: true;
  /** FLOP per byte. */
  readonly intensity: number;
  readonly tflops: number;
  /** Its bytes come from a model, not from the device: drawn hollow. */
  readonly modelled: boolean;
}

const HEIGHT = 380;
const TOP = 34;
const BOTTOM = 46;
const NAME_GAP = 15;

export function drawRoofline(on: Drawing, chart: RooflineChart, width: ChartWidth): string {
  const { Plot } = on;
  const { compute, memory, points } = chart;
  const looks = looksOf(points);
  const [peak, bandwidth] = [compute[0]?.tflops ?? 1, (memory[0]?.gbps ?? 1) / 1000];
  const ridge = peak / bandwidth;
  const xs = logTicks(
    Math.min(ridge / 4, ...points.map((one) => one.intensity / 2)),
    Math.max(ridge * 10, ...points.map((one) => one.intensity * 2)),
  );
  const ys = logTicks(
    Math.min(peak / 10, ...points.map(({ tflops }) => tflops / 2)),
    Math.max(...compute.map(({ tflops }) => tflops)),
  );
  const room = widest(points.map(({ name }) => name)) + 40;
  const beside = room < width * 0.36;
  const below = beside ? 0 : points.length * KEY_ROW + 6;
  const height = HEIGHT + below;
  const [left, right, floor] = [44, width - (beside ? room : 16), HEIGHT - BOTTOM];
  const x = scaleOf('log', [xs[0] as number, xs.at(-1) as number], [left, right]);
  const y = scaleOf('log', [ys[0] as number, ys.at(-1) as number], [floor, TOP]);
  const at = (px: number, py: number) => ({ x: () => x.from(px), y: () => y.from(py) });
  const halo = { stroke: paper, strokeWidth: 5 };

  const marks: unknown[] = [
    Plot.gridY(ys, gridLine),
    Plot.gridX(xs, gridLine),
    Plot.axisY(ys, { tickSize: 0, tickPadding: 8, tickFormat: axisNumber, fill: muted, label: null }),
    Plot.axisX(xs, { tickSize: 0, tickPadding: 8, tickFormat: axisNumber, fill: muted, label: null }),
    Plot.text(['TFLOP/s'], { ...at(0, 12), textAnchor: 'start', fill: muted }),
    Plot.text(['FLOP for each byte of DRAM'], { ...at(right, floor + 36), textAnchor: 'end', fill: muted }),
  ];
  for (const [i, { name, tflops }] of compute.entries()) {
    const start = Math.max(x.domain[0], tflops / bandwidth);
    const ends = [start, x.domain[1]].map((value) => ({ x: value, y: tflops }));
    marks.push(
      Plot.line(ends, {
        x: 'x',
        y: 'y',
        stroke: ink,
        strokeWidth: i === 0 ? 2 : 1.25,
        strokeDasharray: i === 0 ? 'none' : '5 4',
      }),
      Plot.text([fitted(`${name}, ${axisNumber(tflops)} TFLOP/s`, right - x.to(ridge))], {
        ...at(x.to(ridge) + 12, y.to(tflops) + (i === 0 ? -9 : 10 + (i - 1) * 14)),
        textAnchor: 'start',
        fill: ink,
        ...halo,
      }),
    );
  }
  for (const [i, { name, gbps }] of memory.entries()) {
    const slope = gbps / 1000;
    const low = Math.max(x.domain[0], y.domain[0] / slope);
    const high = Math.min(x.domain[1], peak / slope);
    const ends = [low, high].map((value) => ({ x: value, y: value * slope }));
    marks.push(
      Plot.line(ends, {
        x: 'x',
        y: 'y',
        stroke: ink,
        strokeWidth: i === 0 ? 2 : 1.25,
        strokeDasharray: i === 0 ? 'none' : '5 4',
      }),
    );
    const middle = { x: Math.sqrt(low * high), y: Math.sqrt(low * high) * slope };
    marks.push(
      Plot.text([`${name}, ${axisNumber(gbps)} GB/s`], {
        ...at(x.to(middle.x) + (i === 0 ? 10 : -10), y.to(middle.y) + (i === 0 ? 12 : -12)),
        textAnchor: i === 0 ? 'start' : 'end',
        fill: ink,
        ...halo,
      }),
    );
  }
  const placed = spreadApart(
    points.map(({ tflops }) => y.to(tflops)),
    NAME_GAP,
    TOP,
    floor,
  );
  for (const [i, point] of points.entries()) {
    const look = looks[i] as (typeof looks)[0];
    marks.push(
      Plot.dot([point], { x: 'intensity', y: 'tflops', ...dotOf(look, point.modelled), r: 5 } as never),
    );
    if (!beside) {
      const name = { name: point.name, look, hollow: point.modelled, alone: true };
      marks.push(...keyMarks(on, { x: x.from, y: y.from }, name, 0, HEIGHT + 8 + i * KEY_ROW));
      continue;
    }
    const middle = placed[i] as number;
    const leader = [
      { x: x.from(x.to(point.intensity) + 7), y: point.tflops },
      { x: x.from(right + 24), y: y.from(middle) },
    ];
    marks.push(
      Plot.line(leader, { x: 'x', y: 'y', stroke: look.colour, strokeWidth: 0.75 }),
      Plot.text([point.name], { ...at(right + 29, middle), textAnchor: 'start', fill: ink }),
    );
  }
  return draw(on, {
    width,
    height,
    marginLeft: left,
    marginRight: width - right,
    marginTop: TOP,
    marginBottom: height - floor,
    x: { type: 'log', domain: x.domain },
    y: { type: 'log', domain: y.domain },
    marks,
  });
}
