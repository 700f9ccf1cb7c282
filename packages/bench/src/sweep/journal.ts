import { closeSync, existsSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { sentenceOf } from '../error-sentence.js';
import { UsageError } from '../usage-error.js';
import { headerSchema, type Identity, recordSchema, type SweepRecord } from './records.js';

/** What a journal holds. */
export interface JournalContent {
  readonly identity: Identity;
  readonly records: readonly SweepRecord[];
  /** Bytes of whole lines; what follows was being written when the process ended. */
  readonly length: number;
  /** Whether there is such a rest. */
  readonly torn: boolean;
}

function parsed<T>(parse: (value: unknown) => T, line: string, path: string, number: number): T {
  try {
    return parse(JSON.parse(line));
  } catch (error) {
    throw new UsageError(`${path} is damaged: line ${number} is no record of a sweep.`, {
      remedy: 'Restore it, or delete it and begin again.',
      details: { why: sentenceOf(error) },
      cause: error,
    });
  }
}

/**
 * Reads a journal. A last line without its end is left out: it was torn when the process died.
 * @returns undefined where there is none, or none but a torn first line
 * @throws UsageError where a whole line is none of a sweep
 */
export function readJournal(path: string): JournalContent | undefined {
  if (!existsSync(path)) return undefined;
  const bytes = readFileSync(path);
  const length = bytes.lastIndexOf(10) + 1;
  if (length === 0) return undefined;
  const [first = '', ...lines] = bytes.toString('utf8', 0, length - 1).split('\n');
  const { identity } = parsed((value) => headerSchema.parse(value), first, path, 1);
  const records = lines.map((line, i) => parsed((value) => recordSchema.parse(value), line, path, i + 2));
  return { identity, records, length, torn: length < bytes.length };
}

/** A file of lines, each of them on the disk before `append` returns. */
export class Journal implements Disposable {
  readonly #descriptor: number;

  private constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  /** A new one, with what is known already. */
  static create(path: string, identity: Identity, records: readonly SweepRecord[]): Journal {
    const journal = new Journal(openSync(path, 'w'));
    journal.#write([{ type: 'sweep', version: 1, identity }, ...records]);
    // The file's name is on the disk, too.
    const folder = openSync(dirname(path), 'r');
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
    return journal;
  }

  /** One that is there, behind its last whole line. */
  static open(path: string, { length }: Pick<JournalContent, 'length'>): Journal {
    const descriptor = openSync(path, 'r+');
    ftruncateSync(descriptor, length);
    closeSync(descriptor);
    return new Journal(openSync(path, 'a'));
  }

  append(record: SweepRecord): void {
    this.#write([record]);
  }

  #write(values: readonly unknown[]): void {
    let rest = Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(''));
    while (rest.length > 0) rest = rest.subarray(writeSync(this.#descriptor, rest));
    fsyncSync(this.#descriptor);
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor);
  }
}
