import { axisNumber, gridLine, labelsBelow, labelsBeside, logTicks, roundTicks } from './axis.js';
import { BOLD, type ChartWidth, type Drawing, draw, widest } from './drawing.js';
import { dotOf, KEY_ROW, keyMarks, type Look, looksOf } from './looks.js';
import { ink, muted } from './palette.js';
import { scaleOf } from './scale.js';
import { spreadApart } from './spread-apart.js';

/** Something by problem size: a line a kernel. */
export interface LinesChart {
  readonly kind: 'lines';
  /** What goes up: `time`, and in which unit. */
  readonly quantity: { readonly label: string; readonly log: boolean; readonly fromZero: boolean };
  /** `at`: where it stands along the axis: its extent, or its place. */
  readonly sizes: readonly { readonly label: string; readonly at: number }[];
  /** Whether sizes stand by the logarithm of their extent, or one beside the other. */
  readonly byExtent: boolean;
  readonly series: readonly Series[];
  /** A line across, such as a peak: its value and what it is. */
  readonly across?: { readonly value: number; readonly label: string };
}

export interface Series {
  readonly name: string;
  readonly reference?: true;
  readonly points: readonly { readonly at: number; readonly value: number }[];
}

const HEIGHT = 340;
const NAME_GAP = 15;
const TOP = 34;
const BOTTOM = 36;

function valueAxis({ quantity, series, across }: LinesChart) {
  const values = series.flatMap(({ points }) => points.map(({ value }) => value));
  if (across !== undefined) values.push(across.value);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  if (quantity.log) return logTicks(least, most);
  // Lines that lie together are told apart where the axis begins near them.
  return roundTicks(quantity.fromZero || least < most / 2 ? 0 : least, most, 6);
}

/** Everything by places in pixels. */
function layoutOf(chart: LinesChart, width: number) {
  const { quantity, sizes, byExtent, series } = chart;
  const ticks = valueAxis(chart);
  // Names stand at the ends of lines; where there is no room for them, in a key below.
  const names = [...series.map(({ name }) => name), ...(chart.across ? [chart.across.label] : [])];
  const room = widest(names) * BOLD + 34;
  const beside = room < width * 0.36;
  const below = beside ? 0 : names.length * KEY_ROW + 6;
  const height = HEIGHT + below;
  const left = Math.max(40, widest(ticks.map(axisNumber)) + 14);
  const right = width - (beside ? room : 24);
  const floor = height - BOTTOM - below;
  const at = sizes.map((size) => size.at);
  const [first, last] = [Math.min(...at), Math.max(...at)];
  const alone = first === last;
  const x =
    byExtent && !alone
      ? scaleOf('log', [first, last], [left, right])
      : scaleOf('linear', [first - (alone ? 1 : 0.3), last + (alone ? 1 : 0)], [left, right]);
  const y = scaleOf(
    quantity.log ? 'log' : 'linear',
    [ticks[0] as number, ticks.at(-1) as number],
    [floor, TOP],
  );
  return { ticks, beside, height, left, right, floor, x, y, last };
}

/** Sizes that can be written without touching, the last of them always. */
function writtenSizes({ sizes }: LinesChart, x: (at: number) => number): number[] {
  const written: number[] = [];
  let free = Number.POSITIVE_INFINITY;
  for (const { at, label } of [...sizes].sort((one, other) => other.at - one.at)) {
    const half = widest([label]) / 2 + 4;
    if (x(at) + half > free) continue;
    free = x(at) - half;
    written.push(at);
  }
  return written;
}

interface Named {
  readonly name: string;
  readonly look: Look;
  readonly end: { readonly at: number; readonly value: number };
  /** A line alone, without marks. */
  readonly bare: boolean;
  readonly bold: boolean;
}

/** What is named, at its end: every series, and the line across. */
function namedOf({ series, across }: LinesChart, looks: readonly Look[], last: number): Named[] {
  const lines = series.map(({ name, points, reference }, i) => ({
    name,
    look: looks[i] as Look,
    end: points.at(-1) as Named['end'],
    bare: false,
    bold: reference === true,
  }));
  if (across === undefined) return lines;
  const look = { colour: ink, dash: 'none', symbol: 'none' };
  return [
    ...lines,
    { name: across.label, look, end: { at: last, value: across.value }, bare: true, bold: true },
  ];
}

export function drawLines(on: Drawing, chart: LinesChart, width: ChartWidth): string {
  const { Plot } = on;
  const { quantity, sizes, series, across } = chart;
  const looks = looksOf(series);
  const { ticks, beside, height, left, right, floor, x, y, last } = layoutOf(chart, width);
  const place = { x: x.from, y: y.from };

  const marks: unknown[] = [
    Plot.gridY(ticks, gridLine),
    labelsBeside(on, x, ticks, axisNumber, left - 8),
    labelsBelow(
      on,
      y,
      writtenSizes(chart, x.to),
      (at) => sizes.find((size) => size.at === at)?.label ?? '',
      floor + 18,
    ),
    Plot.ruleX(sizes, { x: 'at', y1: () => y.from(floor), y2: () => y.from(floor + 5), stroke: muted }),
    Plot.text([quantity.label], {
      x: () => x.from(0),
      y: () => y.from(12),
      textAnchor: 'start',
      fill: muted,
    }),
  ];
  if (across !== undefined) marks.push(Plot.ruleY([across.value], { stroke: ink, strokeWidth: 1.5 }));
  for (const [i, { points }] of series.entries()) {
    const look = looks[i] as (typeof looks)[0];
    marks.push(
      Plot.line(points, {
        x: 'at',
        y: 'value',
        stroke: look.colour,
        strokeWidth: 2,
        strokeDasharray: look.dash,
      }),
      Plot.dot(points, { x: 'at', y: 'value', ...dotOf(look) } as never),
    );
  }
  const named = namedOf(chart, looks, last);
  const placed = spreadApart(
    named.map(({ end }) => y.to(end.value)),
    NAME_GAP,
    TOP,
    floor,
  );
  for (const [i, { name, look, end, bare, bold }] of named.entries()) {
    if (!beside) {
      marks.push(...keyMarks(on, place, { name, look, bare }, 2, floor + BOTTOM + 10 + i * KEY_ROW));
      continue;
    }
    const middle = placed[i] as number;
    const leader = [
      { x: x.from(x.to(end.at) + (bare ? 0 : 7)), y: end.value },
      { x: x.from(right + 20), y: y.from(middle) },
    ];
    marks.push(
      Plot.line(leader, { x: 'x', y: 'y', stroke: look.colour, strokeWidth: 1 }),
      Plot.text([name], {
        x: () => x.from(right + 25),
        y: () => y.from(middle),
        textAnchor: 'start',
        fill: ink,
        ...(bold ? { fontWeight: 'bold' } : {}),
      }),
    );
  }
  return draw(on, {
    width,
    height,
    marginLeft: left,
    marginRight: width - right,
    marginTop: TOP,
    marginBottom: height - floor,
    x: { type: x.type, domain: x.domain, axis: null },
    y: { type: y.type, domain: y.domain, axis: null },
    marks,
  });
}
