import { renderMarkdown, type Table } from './table.js';
import { tame } from './text.js';

/** Text that is not taken for markup, nor for HTML. */
export const escapeMarkdown = (text: string): string =>
  tame(text)
    .replaceAll('\n', ' ')
    .replaceAll(/[\\`*_[\]<>&|#]/g, (letter) =>
      letter === '<' ? '&lt;' : letter === '&' ? '&amp;' : `\\${letter}`,
    );

/** A table whose cells stand as they are but for what would end them or begin a tag. */
export function safeMarkdownTable({ columns, rows }: Table): string[] {
  const safe = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('`', '\\`');
  return renderMarkdown({
    columns: columns.map((column) => ({ ...column, title: safe(column.title) })),
    rows: rows.map((row) => ({ ...row, cells: row.cells.map(safe) })),
  });
}
