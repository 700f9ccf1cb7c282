import type { SourcePlace } from './ast.js';
import type { Cursor } from './cursor.js';

type Mutable<T> = { -readonly [K in keyof T]: Mutable<T[K]> };

/**
 * Collects `.file` and `.loc`. The files are often listed at the end of the text, so places get their file's
 * name in {@link finish}. Places that are equal are one object.
 */
export class SourceLines {
  /** Place of the last `.loc`; undefined before the first and where the compiler gave line 0. */
  current: SourcePlace | undefined;
  private readonly files = new Map<number, string>();
  private readonly places = new Map<string, Mutable<SourcePlace>>();
  private readonly unnamed: { file: number; place: { file: string } }[] = [];

  /** Reads what follows `.file`: number, quoted name, optional time stamp and size. */
  file(cursor: Cursor): void {
    const number = cursor.integer('a file number');
    if (cursor.kind !== 'string') throw cursor.expected('a file name in quotes');
    this.files.set(number, cursor.text.slice(1, -1));
    cursor.advance();
    for (let i = 0; i < 2 && cursor.accept(','); i++) cursor.integer('a time stamp or a size');
  }

  /** Reads what follows `.loc`: file, line, column, optional `, function_name label[+n], inlined_at f l c`. */
  loc(cursor: Cursor): void {
    const [file, line] = triple(cursor);
    let inlinedAt: readonly [number, number] | undefined;
    while (cursor.accept(',')) {
      const key = cursor.word("'function_name' or 'inlined_at'");
      if (key === 'inlined_at') {
        inlinedAt = triple(cursor);
      } else {
        cursor.word('the label of a function name');
        if (cursor.accept('+')) cursor.integer();
      }
    }
    this.current = line === 0 ? undefined : this.place(file, line, inlinedAt);
  }

  /** Ends a function: the next one starts with no place. */
  reset(): void {
    this.current = undefined;
  }

  /** Fills in file names; a number without a `.file` becomes `file N`. */
  finish(): void {
    for (const { file, place } of this.unnamed) place.file = this.files.get(file) ?? `file ${file}`;
  }

  private place(file: number, line: number, inlinedAt: readonly [number, number] | undefined): SourcePlace {
    const key =
      inlinedAt === undefined ? `${file}:${line}` : `${file}:${line}:${inlinedAt[0]}:${inlinedAt[1]}`;
    const known = this.places.get(key);
    if (known !== undefined) return known;
    const place: Mutable<SourcePlace> = { file: '', line };
    this.unnamed.push({ file, place });
    if (inlinedAt !== undefined) {
      place.inlinedAt = { file: '', line: inlinedAt[1] };
      this.unnamed.push({ file: inlinedAt[0], place: place.inlinedAt });
    }
    this.places.set(key, place);
    return place;
  }
}

function triple(cursor: Cursor): readonly [file: number, line: number] {
  const file = cursor.integer('a file number');
  const line = cursor.integer('a line number');
  cursor.integer('a column');
  return [file, line];
}
