import { stripVTControlCharacters } from 'node:util';

/** Columns that text takes on a terminal, colour codes not counted. */
export function widthOf(text: string): number {
  return [...stripVTControlCharacters(text)].length;
}

export function pad(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const space = ' '.repeat(Math.max(0, width - widthOf(text)));
  return align === 'right' ? space + text : text + space;
}

/**
 * Text that came from a package, without what a terminal would obey: escape sequences and control characters. Line
 * breaks stay; a tab becomes a space.
 */
export function tame(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll('\t', ' ')
    .replaceAll(/(?!\n)\p{Cc}/gu, '');
}

/** Cuts plain text to `width` columns, marking the cut. What a terminal would obey is left out. */
export function clip(text: string, width: number): string {
  const letters = [...tame(text)];
  return letters.length <= width ? letters.join('') : `${letters.slice(0, Math.max(0, width - 1)).join('')}…`;
}

/** Parts of a word that is too long for a line: of a path, whole names where they fit; of an id, whole parts. */
function pieces(word: string, width: number): string[] {
  const letters = [...word];
  const parts: string[] = [];
  while (letters.length > width) {
    const line = letters.slice(0, width);
    const end = [line.lastIndexOf('/'), line.lastIndexOf('_')].find((at) => at > 0) ?? width - 1;
    parts.push(letters.splice(0, end + 1).join(''));
  }
  return [...parts, letters.join('')];
}

/** Between words; a unit stays with its figure: `95.4 %`, `61.3 µs`. */
const GAP = / +(?!(?:%|µs|ms|TFLOP\/s)(?:\P{L}|$))/u;

/** Breaks plain text into lines of at most `width` columns, between words where it can. What a terminal would obey is left out. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const paragraph of tame(text).split('\n')) {
    let line = '';
    for (const word of paragraph.split(GAP).flatMap((w) => (widthOf(w) > width ? pieces(w, width) : [w]))) {
      if (line !== '' && widthOf(line) + 1 + widthOf(word) > width) {
        lines.push(line);
        line = word;
      } else {
        line = line === '' ? word : `${line} ${word}`;
      }
    }
    lines.push(line);
  }
  return lines;
}

/** Wraps text as a hanging block: `first` begins the first line, later lines are indented as far. */
export function hang(first: string, text: string, width: number): string[] {
  const indent = ' '.repeat(widthOf(first));
  return wrap(text, Math.max(20, width - indent.length)).map((line, i) => (i === 0 ? first : indent) + line);
}
