import type { PublishedRecord } from '../../result/experiment-schema.js';
import { axisNumber, gridLine, roundTicks } from './axis.js';
import { type ChartWidth, type Drawing, draw, drawPlaced, textWidth, widest } from './drawing.js';
import { dotOf, KEY_ROW, keyMarks, type Look } from './looks.js';
import { ink, muted, paper, seriesColour } from './palette.js';
import { scaleOf } from './scale.js';
import { type Part, stack } from './stack.js';

/** Speed step by step beside the reference, a panel a size, with what was published. */
export interface StepsChart {
  readonly kind: 'steps';
  readonly reference: string;
  /** Names, in order. */
  readonly steps: readonly string[];
  /** What the figures are called that were measured, and those that were published. */
  readonly here: string;
  readonly there: string;
  readonly panels: readonly StepsPanel[];
}

export interface StepsPanel {
  readonly title: string;
  /** By place of the step; in percent. */
  readonly ours: readonly { readonly step: number; readonly value: number }[];
  readonly published: readonly PublishedPoint[];
}

export interface PublishedPoint {
  readonly step: number;
  readonly value: number;
  readonly kind: PublishedRecord['kind'];
  /** It comes from elsewhere than the others. */
  readonly apart: boolean;
}

const HEIGHT = 210;
const TOP = 40;

const ours: Look = { colour: seriesColour(0), dash: 'none', symbol: 'circle' };
const looks: Readonly<Record<PublishedRecord['kind'], Look>> = {
  "sweep's best": { colour: seriesColour(1), dash: 'none', symbol: 'diamond' },
  'fixed configuration': { colour: seriesColour(1), dash: 'none', symbol: 'square' },
};

/** Labels of steps under a panel: turned where they are wider than a step. */
function labelsOf(steps: readonly string[], room: number) {
  const wide = widest(steps);
  return wide + 4 <= room
    ? { turned: false, height: 26 }
    : { turned: true, height: Math.min(120, wide * 0.75 + 16) };
}

/** The line through published points, in pieces: one that begins or ends apart is dashed. */
function links(points: readonly PublishedPoint[]) {
  return points.slice(1).map((to, i) => {
    const from = points[i] as PublishedPoint;
    return { from, to, dashed: from.apart || to.apart };
  });
}

function drawPanel(on: Drawing, chart: StepsChart, panel: StepsPanel, width: ChartWidth): Part {
  const { Plot } = on;
  const { steps, reference } = chart;
  const left = 34;
  const right = width - 10;
  const room = (right - left) / steps.length;
  const { turned, height: below } = labelsOf(steps, room);
  const height = HEIGHT + below;
  const floor = height - below;
  const most = Math.max(100, ...[...panel.ours, ...panel.published].map(({ value }) => value));
  const top = Math.max(108, most * 1.12);
  const ticks = roundTicks(0, top, 4).filter((tick) => tick <= top);
  const x = scaleOf('linear', [-0.5, steps.length - 0.5], [left, right]);
  const y = scaleOf('linear', [0, top], [floor, TOP]);
  const at = (px: number, py: number) => ({ x: () => x.from(px), y: () => y.from(py) });
  const halo = { stroke: paper, strokeWidth: 4 };
  const figure = (value: number) => (room >= 40 ? value.toFixed(1) : value.toFixed(0));
  const fits = room >= textWidth('100', 11) - 1;
  const marks: unknown[] = [
    Plot.gridY(ticks, gridLine),
    Plot.axisY(ticks, { tickSize: 0, tickPadding: 8, tickFormat: axisNumber, fill: muted, label: null }),
    Plot.ruleY([100], { stroke: ink, strokeWidth: 1.5 }),
    Plot.text([panel.title], {
      ...at(0, 12),
      textAnchor: 'start',
      fill: ink,
      fontWeight: 'bold',
      fontSize: 13,
    }),
    Plot.text([`line at 100 %: ${reference}`], { ...at(right, 12), textAnchor: 'end', fill: muted }),
    Plot.text(steps, {
      x: (_: string, i: number) => i,
      y: () => y.from(floor + (turned ? 10 : 15)),
      ...(turned ? { rotate: -40, textAnchor: 'end' as const, dx: 4 } : {}),
      fill: muted,
    }),
  ];
  for (const { from, to, dashed } of links(panel.published))
    marks.push(
      Plot.line([from, to], {
        x: 'step',
        y: 'value',
        stroke: seriesColour(1),
        strokeWidth: 1.5,
        strokeDasharray: dashed ? '4 4' : 'none',
      }),
    );
  marks.push(Plot.line(panel.ours, { x: 'step', y: 'value', stroke: ours.colour, strokeWidth: 2 }));
  for (const point of panel.published)
    marks.push(Plot.dot([point], { x: 'step', y: 'value', ...dotOf(looks[point.kind], true) } as never));
  marks.push(Plot.dot(panel.ours, { x: 'step', y: 'value', ...dotOf(ours) } as never));
  // Figures stand on the far side of what was published, so that neither covers the other.
  for (const { step, value } of panel.ours) {
    const other = panel.published.find((one) => one.step === step);
    const above = other === undefined || other.value <= value;
    if (fits)
      marks.push(
        Plot.text([figure(value)], {
          x: step,
          y: value,
          dy: above ? -11 : 12,
          fontSize: 11,
          fill: ink,
          ...halo,
        }),
      );
  }
  for (const { step, value } of panel.published) {
    const own = panel.ours.find((one) => one.step === step);
    const above = own !== undefined && value > own.value;
    if (room >= 40)
      marks.push(
        Plot.text([axisNumber(value)], {
          x: step,
          y: value,
          dy: above ? -11 : 12,
          fontSize: 11,
          fill: muted,
          ...halo,
        }),
      );
  }
  const svg = draw(on, {
    width,
    height,
    marginLeft: left,
    marginRight: width - right,
    marginTop: TOP,
    marginBottom: below,
    x: { type: 'linear', domain: x.domain, axis: null },
    y: { type: 'linear', domain: y.domain },
    marks,
  });
  return { svg, height };
}

/** What the marks are, under the panels. */
function drawKey(on: Drawing, { here, there, panels }: StepsChart, width: ChartWidth): Part {
  const published = panels.flatMap((panel) => panel.published);
  const rows = [
    { name: here, look: ours },
    ...(Object.keys(looks) as PublishedRecord['kind'][])
      .filter((kind) => published.some((point) => point.kind === kind))
      .map((kind) => ({ name: `${there}, ${kind}`, look: looks[kind], hollow: true })),
    ...(published.some(({ apart }) => apart)
      ? [
          {
            name: 'to a figure that was measured elsewhere',
            look: { colour: seriesColour(1), dash: '4 4', symbol: 'none' },
            bare: true,
          },
        ]
      : []),
  ];
  const height = rows.length * KEY_ROW + 12;
  const x = scaleOf('linear', [0, width], [0, width]);
  const y = scaleOf('linear', [0, height], [0, height]);
  const marks = rows.flatMap((row, i) => keyMarks(on, { x: x.from, y: y.from }, row, 4, 14 + i * KEY_ROW));
  const svg = drawPlaced(on, width, height, marks);
  return { svg, height };
}

export function drawSteps(on: Drawing, chart: StepsChart, width: ChartWidth): string {
  const panels = chart.panels.map((panel) => drawPanel(on, chart, panel, width));
  return stack([...panels, drawKey(on, chart, width)], width);
}
