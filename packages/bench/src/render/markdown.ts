import { renderMarkdown, type Table } from './table.js';
import { tame } from './text.js';

const entities: Readonly<Record<string, string>> = { '<': '&lt;', '&': '&amp;' };

/** Letters that begin markup; an underscore within a word does not, nor does a mark of a list but at the beginning. */
const MARKUP = /[\\`*[\]<>&|]|(?<![\p{L}\d])_|_(?![\p{L}\d])|^[#+-]/gu;

/** Text that is not taken for markup, nor for HTML. Ids stay readable. */
export const escapeMarkdown = (text: string): string =>
  tame(text)
    .replaceAll('\n', ' ')
    .replaceAll(MARKUP, (letter) => entities[letter] ?? `\\${letter}`);

/** A table whose cells stand as they are but for what would end them or begin a tag. */
export function safeMarkdownTable({ columns, rows }: Table): string[] {
  const safe = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('`', '\\`');
  return renderMarkdown({
    columns: columns.map((column) => ({ ...column, title: safe(column.title) })),
    rows: rows.map((row) => ({ ...row, cells: row.cells.map(safe) })),
  });
}
