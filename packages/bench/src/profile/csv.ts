/**
 * Rows of comma-separated values as RFC 4180 has them: a cell in quotes may hold commas, line breaks and, doubled,
 * quotes.
 */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex;
    const match = cell.exec(text);
    if (match === null) {
      const line = text.slice(0, at).split('\n').length;
      throw new SyntaxError(`line ${line} has a quote in the middle of a cell, or one that is not closed`);
    }
    const [, quoted, bare, end] = match;
    row.push(quoted === undefined ? (bare as string) : quoted.replaceAll('""', '"'));
    if (end === ',' && cell.lastIndex < text.length) continue;
    if (end === ',') row.push('');
    rows.push(row);
    row = [];
  }
  return rows;
}
