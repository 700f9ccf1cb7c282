import { BOLD, type ChartWidth, type Drawing, drawPlaced, fitted, textWidth, widest } from './drawing.js';
import { ink, muted, paper, rule, seriesColour } from './palette.js';

/** Bars in groups, each with its figure in words. */
export interface BarsChart {
  readonly kind: 'bars';
  readonly groups: readonly BarGroup[];
  /** Whether all groups share a scale, or each has its own. */
  readonly oneScale: boolean;
}

export interface BarGroup {
  readonly title: string;
  /** What stands beside the title, such as what the longest bar says. */
  readonly says?: string;
  readonly bars: readonly Bar[];
}

export interface Bar {
  readonly name: string;
  readonly value: number;
  readonly text: string;
  /** The one that is spoken of. */
  readonly strong: boolean;
}

const ROW = 22;
const TITLE = 36;

export function drawBars(on: Drawing, { groups, oneScale }: BarsChart, width: ChartWidth): string {
  const { Plot } = on;
  const all = groups.flatMap(({ bars }) => bars);
  const left = Math.min(width * 0.46, widest(all.map(({ name }) => name)) * BOLD + 12);
  const right = width - widest(all.map(({ text }) => text)) * BOLD - 12;
  const most = Math.max(...all.map(({ value }) => value), 0);
  const height = groups.reduce((sum, { bars }) => sum + TITLE + bars.length * ROW + 8, 0);
  const marks: unknown[] = [];
  const text = (words: string, x: number, y: number, options: object = {}) =>
    Plot.text([words], { x: () => x, y: () => y, fill: ink, ...options });
  let top = 0;
  for (const { title, says, bars } of groups) {
    const longest = oneScale ? most : Math.max(...bars.map(({ value }) => value), 0);
    const room = width - textWidth(title, 13) * BOLD - 16;
    marks.push(text(title, 0, top + 16, { textAnchor: 'start', fontWeight: 'bold', fontSize: 13 }));
    if (says !== undefined)
      marks.push(text(fitted(says, room), width - 2, top + 16, { textAnchor: 'end', fill: muted }));
    top += TITLE;
    const first = top;
    for (const [i, { name, value, text: figure, strong }] of bars.entries()) {
      const y1 = first + i * ROW;
      const end = longest === 0 ? left : left + (value / longest) * (right - left);
      const weight = strong ? { fontWeight: 'bold' } : {};
      marks.push(
        Plot.rect([value], {
          x1: () => left,
          x2: () => end,
          y1: () => y1 + 4,
          y2: () => y1 + ROW - 4,
          fill: strong ? seriesColour(0) : muted,
          fillOpacity: strong ? 1 : 0.55,
        }),
        text(fitted(name, (left - 10) / (strong ? BOLD : 1)), left - 8, y1 + ROW / 2, {
          textAnchor: 'end',
          ...weight,
        }),
        text(figure, end + 6, y1 + ROW / 2, {
          textAnchor: 'start',
          stroke: paper,
          strokeWidth: 3,
          ...weight,
        }),
      );
    }
    top += bars.length * ROW;
    marks.push(
      Plot.ruleX([left], {
        y1: first,
        y2: top,
        stroke: rule,
        strokeWidth: 1.5,
      }),
    );
    top += 8;
  }
  return drawPlaced(on, width, height, marks);
}
