import type { Drawing } from './drawing.js';
import { ink, paper, seriesColour, seriesDash, seriesSymbol } from './palette.js';

/** How a series is drawn: told by its mark and its dashes as well as by its colour. */
export interface Look {
  readonly colour: string;
  readonly dash: string;
  readonly symbol: string;
}

/** The reference is drawn in the colour of text, so that colours are left for the others. */
export function looksOf(series: readonly { readonly reference?: true }[]): Look[] {
  let index = 0;
  return series.map(({ reference }) => {
    if (reference) return { colour: ink, dash: '5 4', symbol: 'times' };
    const look = { colour: seriesColour(index), dash: seriesDash(index), symbol: seriesSymbol(index) };
    index++;
    return look;
  });
}

/** Options of a dot of a series; hollow ones are filled with the paper. */
export const dotOf = ({ symbol, colour }: Look, hollow = false) =>
  symbol === 'times'
    ? { symbol, r: 4, fill: 'none', stroke: colour, strokeWidth: 2 }
    : { symbol, r: 4, fill: hollow ? paper : colour, stroke: colour, strokeWidth: hollow ? 1.75 : 1 };

/** Values at places in pixels, for marks that stand beside the frame of a chart. */
export interface Places {
  readonly x: (pixel: number) => number;
  readonly y: (pixel: number) => number;
}

export const KEY_ROW = 19;

interface KeyRow {
  readonly name: string;
  readonly look: Look;
  /** A line alone, without marks. */
  readonly bare?: boolean;
  readonly hollow?: boolean;
  /** A mark alone, without its line. */
  readonly alone?: boolean;
}

/** A line of a key: a piece of the series, and its name. `left` and `middle` in pixels. */
export function keyMarks(
  { Plot }: Drawing,
  at: Places,
  { name, look, bare = false, hollow = false, alone = false }: KeyRow,
  left: number,
  middle: number,
): unknown[] {
  const y = at.y(middle);
  const { colour, dash } = look;
  const ends = [
    { x: at.x(left), y },
    { x: at.x(left + 30), y },
  ];
  return [
    ...(alone
      ? []
      : [Plot.line(ends, { x: 'x', y: 'y', stroke: colour, strokeWidth: 2, strokeDasharray: dash })]),
    ...(bare
      ? []
      : [Plot.dot([{ x: at.x(left + 15), y }], { x: 'x', y: 'y', ...dotOf(look, hollow) } as never)]),
    Plot.text([name], { x: () => at.x(left + 38), y: () => y, textAnchor: 'start', fill: ink }),
  ];
}
