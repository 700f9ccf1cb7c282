import { type ChartWidth, type Drawing, drawPlaced, FONT_SIZE, textWidth, widest } from './drawing.js';
import { faster, ink, muted, rule, slower } from './palette.js';
import { type Part, stack } from './stack.js';

/** Two changes, alone and together: a grid of four cells for each size. */
export interface GridsChart {
  readonly kind: 'grids';
  /** Labels of the grid's rows, without and with the first change, and of its columns. */
  readonly down: readonly [string, string];
  readonly across: readonly [string, string];
  readonly grids: readonly Grid[];
}

export interface Grid {
  readonly title: string;
  readonly cells: readonly GridCell[];
}

export interface GridCell {
  /** 0 without the change, 1 with it. */
  readonly row: 0 | 1;
  readonly column: 0 | 1;
  /** `67.6 µs`. */
  readonly text: string;
  /** `8.5 % faster`. */
  readonly change: string | undefined;
  /** Less than 0 where it takes less time than without either change. */
  readonly sign: number;
  /** `H100: 67.6 µs, 8.5 % faster`. */
  readonly published: string | undefined;
  readonly best: boolean;
}

const LINE = 17;
const SMALL = 10.5;
const GAP = 6;
const TOP = 48;

/** What stands under the time: parts side by side where there is room, else each on a line of its own. */
function linesOf({ change, best, published }: GridCell, room: number) {
  const lay = (parts: readonly string[], small: boolean) => {
    const together = parts.join(', ');
    const fits = textWidth(together, small ? SMALL : FONT_SIZE) <= room;
    return (fits ? [together] : parts).map((words) => ({ words, small }));
  };
  const own = [...(change === undefined ? [] : [change]), ...(best ? ['fastest'] : [])];
  return [
    ...(own.length === 0 ? [{ words: '', small: false }] : lay(own, false)),
    ...(published === undefined ? [] : lay(published.split(', '), true)),
  ];
}

function drawGrid(on: Drawing, { down, across }: GridsChart, grid: Grid, width: number): Part {
  const { Plot } = on;
  const left = widest(down) + 12;
  const cellWidth = Math.min(210, (width - left - GAP) / 2);
  const lines = grid.cells.map((cell) => linesOf(cell, cellWidth - 8));
  const tall = 36 + LINE * Math.max(...lines.map((own) => own.length));
  const height = TOP + 2 * tall + GAP + 14;
  const box = ({ row, column }: Pick<GridCell, 'row' | 'column'>) => ({
    x1: left + column * (cellWidth + GAP),
    y1: TOP + row * (tall + GAP),
  });
  const middle = (cell: Pick<GridCell, 'row' | 'column'>) => box(cell).x1 + cellWidth / 2;
  const text = (words: string, x: number, y: number, options: object = {}) =>
    Plot.text([words], { x: () => x, y: () => y, fill: ink, ...options });
  const marks: unknown[] = [
    text(grid.title, 0, 12, { textAnchor: 'start', fontWeight: 'bold', fontSize: 13 }),
    ...across.map((name, column) =>
      text(name, middle({ row: 0, column: column as 0 | 1 }), TOP - 12, { fill: muted }),
    ),
    ...down.map((name, row) =>
      text(name, left - 10, TOP + row * (tall + GAP) + tall / 2, { textAnchor: 'end', fill: muted }),
    ),
  ];
  for (const [i, cell] of grid.cells.entries()) {
    const { x1, y1 } = box(cell);
    const fill = cell.sign < 0 ? faster : cell.sign > 0 ? slower : 'none';
    marks.push(
      Plot.rect([cell], {
        x1: () => x1,
        x2: () => x1 + cellWidth,
        y1: () => y1,
        y2: () => y1 + tall,
        fill,
        stroke: cell.best ? ink : rule,
        strokeWidth: cell.best ? 2 : 1,
        rx: 4,
      }),
      text(cell.text, middle(cell), y1 + 20, { fontWeight: 'bold', fontSize: 15 }),
      ...(lines[i] ?? []).map(({ words, small }, line) =>
        text(words, middle(cell), y1 + 42 + line * LINE, small ? { fontSize: SMALL } : {}),
      ),
    );
  }
  const svg = drawPlaced(on, width, height, marks);
  return { svg, height };
}

export function drawGrids(on: Drawing, chart: GridsChart, width: ChartWidth): string {
  return stack(
    chart.grids.map((grid) => drawGrid(on, chart, grid, width)),
    width,
  );
}
