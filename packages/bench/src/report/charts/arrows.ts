import { axisNumber, gridLine, roundTicks } from './axis.js';
import { type ChartWidth, type Drawing, draw, fitted, textWidth } from './drawing.js';
import { dotOf, KEY_ROW, keyMarks, type Look } from './looks.js';
import { ink, muted, paper, seriesColour } from './palette.js';
import { scaleOf } from './scale.js';

/** What a change does: an arrow from 100 %, without it, to what there is with it. */
export interface ArrowsChart {
  readonly kind: 'arrows';
  readonly ends: readonly [string, string];
  readonly groups: readonly ArrowGroup[];
}

export interface ArrowGroup {
  /** `Time`, `Bytes read from DRAM`. */
  readonly title: string;
  readonly arrows: readonly Arrow[];
}

export interface Arrow {
  readonly name: string;
  /** With the change, in percent of without it. */
  readonly percent: number;
  /** `3058 → 3475 µs, 13.6 % slower`. */
  readonly text: string;
}

const ROW = 46;
const TITLE = 34;
const BOTTOM = 30;

const from: Look = { colour: ink, dash: 'none', symbol: 'circle' };
const to: Look = { colour: seriesColour(0), dash: 'none', symbol: 'circle' };

export function drawArrows(on: Drawing, chart: ArrowsChart, width: ChartWidth): string {
  const { Plot } = on;
  const { groups, ends } = chart;
  const values = groups.flatMap(({ arrows }) => arrows.map(({ percent }) => percent));
  const [least, most] = [Math.min(100, ...values), Math.max(100, ...values)];
  const pad = Math.max(2, (most - least) * 0.08);
  const inner = roundTicks(least - pad, most + pad, width > 500 ? 8 : 4);
  const ticks = inner.filter((tick) => tick >= least - pad && tick <= most + pad);
  const rows = groups.reduce((sum, { arrows }) => sum + arrows.length, 0);
  const body = groups.length * TITLE + rows * ROW;
  const key = 2 * KEY_ROW + 14;
  const height = body + BOTTOM + key;
  const [left, right] = [16, width - 16];
  const x = scaleOf('linear', [least - pad, most + pad], [left, right]);
  const y = scaleOf('linear', [0, 1], [0, body]);
  const at = (px: number, py: number) => ({ x: () => x.from(px), y: () => y.from(py) });
  const halo = { stroke: paper, strokeWidth: 5 };
  const marks: unknown[] = [
    Plot.gridX(ticks, gridLine),
    Plot.axisX(ticks, {
      tickSize: 0,
      tickPadding: 8,
      tickFormat: (tick: number) => `${axisNumber(tick)} %`,
      fill: muted,
      label: null,
    }),
    Plot.ruleX([100], { stroke: ink, strokeWidth: 1.5 }),
  ];
  let top = 0;
  for (const { title, arrows } of groups) {
    marks.push(
      Plot.text([title], {
        ...at(0, top + 14),
        textAnchor: 'start',
        fontWeight: 'bold',
        fontSize: 13,
        fill: ink,
        ...halo,
      }),
    );
    top += TITLE;
    for (const { name, percent, text } of arrows) {
      const line = y.from(top + 25);
      const moved = Math.abs(x.to(percent) - x.to(100)) > 12;
      marks.push(
        Plot.text([fitted(name, width - textWidth(text) - 20)], {
          ...at(2, top + 6),
          textAnchor: 'start',
          fill: ink,
          ...halo,
        }),
        Plot.text([text], { ...at(width - 2, top + 6), textAnchor: 'end', fill: ink, ...halo }),
        ...(moved
          ? [
              Plot.arrow([{ x1: 100, x2: percent }], {
                x1: 'x1',
                x2: 'x2',
                y1: () => line,
                y2: () => line,
                stroke: to.colour,
                strokeWidth: 2,
                headLength: 7,
                insetStart: 5,
                insetEnd: 6,
              }),
            ]
          : []),
        Plot.dot([{ x: 100, y: line }], { x: 'x', y: 'y', ...dotOf(from, true) } as never),
        Plot.dot([{ x: percent, y: line }], { x: 'x', y: 'y', ...dotOf(to) } as never),
      );
      top += ROW;
    }
  }
  const place = { x: x.from, y: y.from };
  marks.push(
    ...keyMarks(
      on,
      place,
      { name: `${ends[0]}: 100 %`, look: from, hollow: true, alone: true },
      0,
      body + BOTTOM + 12,
    ),
    ...keyMarks(on, place, { name: ends[1], look: to, alone: true }, 0, body + BOTTOM + 12 + KEY_ROW),
  );
  return draw(on, {
    width,
    height,
    marginLeft: left,
    marginRight: width - right,
    marginTop: 0,
    marginBottom: height - body,
    x: { type: 'linear', domain: x.domain },
    y: { type: 'linear', domain: y.domain, range: [0, body], axis: null },
    marks,
  });
}
