import { plain, type Style } from './style.js';
import { clip, pad, tame, widthOf, wrap } from './text.js';

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Wraps, down to this many columns, when the table is too wide. */
  readonly wrapTo?: number;
  /** At least so wide, so that tables printed one after another line up. */
  readonly least?: number;
}

/** A row of cells; `paint` colours a line of it after it is laid out. */
export interface Row {
  readonly cells: readonly string[];
  readonly paint?: (line: string) => string;
}

export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

const GAP = 2;

/** Shrinks the wrapping columns, widest first, until the table fits; then cuts the widest of the others. */
function widthsOf({ columns, rows }: Table, width: number): number[] {
  const widths = columns.map((column, i) =>
    Math.max(column.least ?? 0, widthOf(column.title), ...rows.map((row) => widthOf(row.cells[i] ?? ''))),
  );
  const room = width - GAP * (columns.length - 1);
  const shrink = (candidates: readonly number[], least: (i: number) => number) => {
    for (let over = widths.reduce((x, y) => x + y, 0) - room; over > 0; over--) {
      const widest = candidates
        .filter((i) => (widths[i] as number) > least(i))
        .sort((x, y) => (widths[y] as number) - (widths[x] as number))[0];
      if (widest === undefined) return;
      widths[widest] = (widths[widest] as number) - 1;
    }
  };
  const all = columns.map((_, i) => i);
  shrink(
    all.filter((i) => columns[i]?.wrapTo !== undefined),
    (i) => columns[i]?.wrapTo ?? 0,
  );
  shrink(
    all.filter((i) => columns[i]?.align !== 'right'),
    () => 6,
  );
  return widths;
}

/** Lines of a table at most `width` columns wide, title line first. Cells are plain text. */
export function renderTable(table: Table, width: number, style: Style = plain): string[] {
  const widths = widthsOf(table, width);
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => pad(cell, widths[i] as number, table.columns[i]?.align))
      .join(' '.repeat(GAP))
      .trimEnd();
  const lines = [style.bold(line(table.columns.map((column, i) => clip(column.title, widths[i] as number))))];
  for (const { cells, paint = (text: string) => text } of table.rows) {
    const parts = cells.map((cell, i) =>
      table.columns[i]?.wrapTo === undefined
        ? [clip(cell, widths[i] as number)]
        : wrap(cell, widths[i] as number),
    );
    const height = Math.max(1, ...parts.map((part) => part.length));
    for (let y = 0; y < height; y++) lines.push(paint(line(parts.map((part) => part[y] ?? ''))));
  }
  return lines;
}

/** The same table as GitHub Markdown; a pipe in a cell is escaped. */
export function renderMarkdown({ columns, rows }: Table): string[] {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => tame(cell).replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [
    line(columns.map((column) => column.title)),
    `|${columns.map((column) => (column.align === 'right' ? ' ---: ' : ' --- ')).join('|')}|`,
    ...rows.map((row) => line(row.cells)),
  ];
}
