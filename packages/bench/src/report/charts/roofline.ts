import { axisNumber, gridLine, labelsBelow, labelsBeside, logTicks } from './axis.js';
import { type ChartWidth, type Drawing, draw, fitted, WIDE, widest } from './drawing.js';
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

interface Roof {
  /** With its value. */
  readonly name: string;
  /** The one that points are held against. */
  readonly first: boolean;
  readonly ends: readonly [Place, Place];
}

interface Place {
  readonly x: number;
  readonly y: number;
}

type Span = readonly [number, number];

/** Flat ones end where the first slope comes up to them, slopes where they come up to the first flat one. */
function roofsOf({ compute, memory }: RooflineChart, [left, right]: Span, [floor]: Span): Roof[] {
  const slope = (memory[0]?.gbps ?? 1) / 1000;
  const peak = compute[0]?.tflops ?? 1;
  return [
    ...compute.map(({ name, tflops }, i): Roof => {
      const start = Math.max(left, tflops / slope);
      const ends = [
        { x: start, y: tflops },
        { x: right, y: tflops },
      ] as const;
      return { name: `${name}, ${axisNumber(tflops)} TFLOP/s`, first: i === 0, ends };
    }),
    ...memory.map(({ name, gbps }, i): Roof => {
      const own = gbps / 1000;
      const [low, high] = [Math.max(left, floor / own), Math.min(right, peak / own)];
      const ends = [
        { x: low, y: low * own },
        { x: high, y: high * own },
      ] as const;
      return { name: `${name}, ${axisNumber(gbps)} GB/s`, first: i === 0, ends };
    }),
  ];
}

const roofStyle = ({ first }: Roof) => ({
  stroke: ink,
  strokeWidth: first ? 2 : 1.25,
  strokeDasharray: first ? 'none' : '5 4',
});

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
  // On a telephone everything is named in a key below.
  const beside = width === WIDE && room < width * 0.36;
  const below = beside ? 0 : (points.length + compute.length + memory.length) * KEY_ROW + 6;
  const height = HEIGHT + below;
  const [left, right, floor] = [44, width - (beside ? room : 16), HEIGHT - BOTTOM];
  const x = scaleOf('log', [xs[0] as number, xs.at(-1) as number], [left, right]);
  const y = scaleOf('log', [ys[0] as number, ys.at(-1) as number], [floor, TOP]);
  const places = { x: x.from, y: y.from };
  const roofs = roofsOf(chart, x.domain, y.domain);
  const at = (px: number, py: number) => ({ x: () => x.from(px), y: () => y.from(py) });
  const marks: unknown[] = [
    Plot.gridY(ys, gridLine),
    Plot.gridX(xs, gridLine),
    labelsBeside(on, x, ys, axisNumber, left - 8),
    labelsBelow(on, y, xs, axisNumber, floor + 16),
    Plot.text(['TFLOP/s'], { ...at(0, 12), textAnchor: 'start', fill: muted }),
    Plot.text(['FLOP for each byte of DRAM'], { ...at(right, floor + 36), textAnchor: 'end', fill: muted }),
  ];
  for (const roof of roofs) {
    const [start, end] = roof.ends;
    marks.push(Plot.line([start, end], { x: 'x', y: 'y', ...roofStyle(roof) }));
    if (!beside) continue;
    const isFlat = start.y === end.y;
    const middle = isFlat
      ? { x: x.to(ridge) + 12, y: y.to(start.y) - (roof.first ? 9 : -10) }
      : {
          x: x.to(Math.sqrt(start.x * end.x)) + (roof.first ? 10 : -10),
          y: y.to(Math.sqrt(start.y * end.y)) + (roof.first ? 12 : -12),
        };
    marks.push(
      Plot.text([fitted(roof.name, right - middle.x)], {
        ...at(middle.x, middle.y),
        textAnchor: isFlat || roof.first ? 'start' : 'end',
        fill: ink,
        stroke: paper,
        strokeWidth: 5,
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
      marks.push(...keyMarks(on, places, name, 0, HEIGHT + 8 + i * KEY_ROW));
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
  if (!beside)
    for (const [i, roof] of roofs.entries()) {
      const { strokeDasharray: dash } = roofStyle(roof);
      const row = { name: roof.name, look: { colour: ink, dash, symbol: 'none' }, bare: true };
      marks.push(...keyMarks(on, places, row, 0, HEIGHT + 8 + (points.length + i) * KEY_ROW));
    }
  return draw(on, {
    width,
    height,
    marginLeft: left,
    marginRight: width - right,
    marginTop: TOP,
    marginBottom: height - floor,
    x: { type: 'log', domain: x.domain, axis: null },
    y: { type: 'log', domain: y.domain, axis: null },
    marks,
  });
}
