import type { SourcePlace } from './ast.js';
import type { Cursor } from './cursor.js';

interface Entry {
  readonly place: { file: string; readonly line: number; readonly inlinedAt?: SourcePlace };
  readonly id: number;
  readonly file: number;
}

/**
 * Collects `.file` and `.loc`. The files are often listed at the end of the text, so places get their file's
 * name in {@link finish}. Places that are equal are one object.
 */
export class SourceLines {
  /** Place of the last `.loc`; undefined before a function's first and where the compiler gave line 0. */
  current: SourcePlace | undefined;
  private readonly files = new Map<number, string>();
  private readonly entries = new Map<string, Entry>();
  /** Last entry for a file, line and column: `inlined_at` names one that an earlier `.loc` gave. */
  private readonly latest = new Map<string, Entry>();

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
    const [file, line, column] = triple(cursor);
    let caller: Entry | undefined;
    while (cursor.accept(',')) {
      const key = cursor.word("'function_name' or 'inlined_at'");
      if (key === 'inlined_at') {
        const at = triple(cursor);
        caller = this.latest.get(at.join()) ?? this.entry(at[0], at[1], undefined);
      } else {
        cursor.word('the label of a function name');
        if (cursor.accept('+')) cursor.integer();
      }
    }
    const entry = this.entry(file, line, caller);
    this.latest.set(`${file},${line},${column}`, entry);
    this.current = line === 0 ? undefined : entry.place;
  }

  /** Starts a function: its first instructions have no place yet. */
  reset(): void {
    this.current = undefined;
  }

  /** Fills in file names; a number without a `.file` becomes `file N`. */
  finish(): void {
    for (const { file, place } of this.entries.values()) place.file = this.files.get(file) ?? `file ${file}`;
  }

  private entry(file: number, line: number, caller: Entry | undefined): Entry {
    const key = `${file},${line},${caller?.id ?? ''}`;
    let entry = this.entries.get(key);
    if (entry === undefined) {
      const place = { file: '', line, ...(caller === undefined ? {} : { inlinedAt: caller.place }) };
      entry = { place, id: this.entries.size, file };
      this.entries.set(key, entry);
    }
    return entry;
  }
}

function triple(cursor: Cursor): readonly [file: number, line: number, column: number] {
  const file = cursor.integer('a file number');
  const line = cursor.integer('a line number');
  return [file, line, cursor.integer('a column')];
}
