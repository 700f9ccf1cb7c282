import { existsSync, renameSync, rmSync } from 'node:fs';
import { checkWritable, writeAtomically } from '../result/output.js';
import { ofKind, readAnyResult } from '../result/read.js';
import { stringifyResult } from '../result/store.js';
import { UsageError } from '../usage-error.js';
import { differences } from './identity.js';
import { Journal, readJournal } from './journal.js';
import { takeLock } from './lock.js';
import type { Identity, SweepRecord } from './records.js';
import type { SweepResult } from './schema.js';

export const journalOf = (file: string) => `${file}.journal`;
export const lockOf = (file: string) => `${file}.lock`;

interface Earlier {
  readonly identity: Identity;
  readonly records: readonly SweepRecord[];
}

/**
 * Where a sweep is kept: a result file, written when the sweep ends; beside it, while it runs or after a crash, a
 * journal that has every record; and a lock, while a process works on it.
 */
export class SweepStore implements Disposable {
  readonly file: string;
  readonly journal: Journal;
  readonly earlier: readonly SweepRecord[];
  /** What a reader should know of how it began, as sentences. */
  readonly notes: readonly string[];
  readonly #lock: Disposable;

  private constructor(
    file: string,
    journal: Journal,
    lock: Disposable,
    earlier: readonly SweepRecord[],
    notes: string[],
  ) {
    this.file = file;
    this.journal = journal;
    this.#lock = lock;
    this.earlier = earlier;
    this.notes = notes;
  }

  /**
   * @param resume goes on from the journal, else from the result file, else from nothing
   * @throws UsageError where another process works on it, where it is of another sweep, or is there and not resumed
   */
  static async open(file: string, identity: Identity, resume: boolean): Promise<SweepStore> {
    const { regular } = await checkWritable(file);
    if (!regular) throw new UsageError(`${file} is a pipe or a device, but a sweep is kept in a file.`);
    const lock = takeLock(lockOf(file));
    try {
      return await SweepStore.#opened(file, identity, resume, lock);
    } catch (error) {
      lock[Symbol.dispose]();
      throw error;
    }
  }

  static async #opened(
    file: string,
    identity: Identity,
    resume: boolean,
    lock: Disposable,
  ): Promise<SweepStore> {
    const path = journalOf(file);
    if (!resume && existsSync(path)) {
      throw new UsageError(`${path} holds a sweep that did not come to its end.`, {
        remedy: 'Go on with it by --resume, or delete it.',
      });
    }
    const kept = resume ? readJournal(path) : undefined;
    const earlier: Earlier | undefined =
      kept ?? (resume && existsSync(file) ? await earlierOf(file) : undefined);
    const from = kept === undefined ? file : path;
    const differs = earlier === undefined ? [] : differences(identity, earlier.identity);
    if (differs.length > 0) {
      throw new UsageError(`${from} cannot be resumed, because it differs in ${differs.join('; in ')}.`, {
        remedy: 'Write to another file, or leave out --resume.',
      });
    }
    const records = earlier?.records ?? [];
    const notes =
      kept?.torn === true
        ? ['The last line of the journal was torn and is dropped; what it was about is done again.']
        : [];
    const journal = kept === undefined ? createWhole(path, identity, records) : Journal.open(path, kept);
    return new SweepStore(file, journal, lock, records, notes);
  }

  /** Writes the result, which has all that the journal has, and removes that. */
  async finish(result: SweepResult): Promise<void> {
    await writeAtomically(this.file, stringifyResult(result));
    rmSync(journalOf(this.file), { force: true });
  }

  [Symbol.dispose](): void {
    this.journal[Symbol.dispose]();
    this.#lock[Symbol.dispose]();
  }
}

async function earlierOf(file: string): Promise<Earlier> {
  return ofKind(await readAnyResult(file), 'sweep', file);
}

/** Under its name once it is whole: a crash in between leaves the result file as what is resumed. */
function createWhole(path: string, identity: Identity, records: readonly SweepRecord[]): Journal {
  const journal = Journal.create(`${path}.tmp`, identity, records);
  renameSync(`${path}.tmp`, path);
  return journal;
}
