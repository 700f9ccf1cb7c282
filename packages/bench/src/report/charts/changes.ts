import { gridLine, roundTicks } from './axis.js';
import { BOLD, type ChartWidth, type Drawing, draw, fitted, textWidth } from './drawing.js';
import { dotOf, type Look } from './looks.js';
import { faster, ink, muted, seriesColour, slower } from './palette.js';
import { scaleOf } from './scale.js';

/** Changes of time with their intervals, around none. */
export interface ChangesChart {
  readonly kind: 'changes';
  /** Changes up to this, in percent, are no change. */
  readonly threshold: number;
  readonly rows: readonly ChangeRow[];
}

export interface ChangeRow {
  readonly name: string;
  /** In percent; over 0 is slower. */
  readonly change: number;
  readonly low: number;
  readonly high: number;
  /** `slower, 5.1 %`. */
  readonly text: string;
  readonly clear: boolean;
}

const ROW = 40;
const TOP = 34;
const BOTTOM = 44;

/** A change as it is written: `+5 %`. */
const signed = (value: number) => `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(value)} %`;

export function drawChanges(on: Drawing, { rows, threshold }: ChangesChart, width: ChartWidth): string {
  const { Plot } = on;
  const ends = rows.flatMap(({ low, high, change }) => [low, high, change]);
  const most = Math.max(threshold * 1.5, ...ends.map(Math.abs)) * 1.06;
  const ticks = roundTicks(-most, most, width > 500 ? 8 : 4).filter((tick) => Math.abs(tick) <= most);
  const height = TOP + rows.length * ROW + BOTTOM;
  const [left, right, floor] = [1, width - 1, height - BOTTOM];
  const x = scaleOf('linear', [-most, most], [left, right]);
  const at = (px: number, py: number) => ({ x: () => x.from(px), y: () => py });
  const band = (x1: number, x2: number, fill: string) =>
    Plot.rect([0], { x1: () => x1, x2: () => x2, y1: () => TOP, y2: () => floor, fill, fillOpacity: 0.45 });
  const look: Look = { colour: seriesColour(0), dash: 'none', symbol: 'circle' };
  const marks: unknown[] = [
    band(-most, -threshold, faster),
    band(threshold, most, slower),
    Plot.gridX(ticks, gridLine),
    Plot.axisX(ticks, { tickSize: 0, tickPadding: 8, tickFormat: signed, fill: muted, label: null }),
    Plot.ruleX([0], { y1: TOP, y2: floor, stroke: ink, strokeWidth: 1.5 }),
    Plot.text(['← faster'], { ...at(left + 7, 14), textAnchor: 'start', fill: ink }),
    Plot.text(['no change'], { ...at(x.to(0), 14), fill: muted }),
    Plot.text(['slower →'], { ...at(right - 7, 14), textAnchor: 'end', fill: ink }),
  ];
  for (const [i, { name, change, low, high, text, clear }] of rows.entries()) {
    const top = TOP + i * ROW;
    const line = top + 28;
    marks.push(
      Plot.text([fitted(name, width - textWidth(text) * BOLD - 28)], {
        ...at(8, top + 10),
        textAnchor: 'start',
        fill: ink,
      }),
      Plot.text([text], {
        ...at(width - 8, top + 10),
        textAnchor: 'end',
        fill: ink,
        fontWeight: clear ? 'bold' : 'normal',
      }),
      Plot.ruleY([line], { x1: low, x2: high, stroke: look.colour, strokeWidth: 2.5 }),
      Plot.dot([{ x: change, y: line }], { x: 'x', y: 'y', ...dotOf(look, !clear) } as never),
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
    y: { type: 'linear', domain: [TOP, floor], range: [TOP, floor], axis: null },
    marks,
  });
}
