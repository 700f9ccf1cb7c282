import type { Size } from '../bench/sizes.js';
import { shape } from '../render/numbers.js';
import type { Journal } from './journal.js';
import { keyOf } from './keys.js';
import type { Checked, Compiled, Counted, Finished, RoundRecord, RungName, SweepRecord } from './records.js';

/** All that is known of a sweep; what is added is on the disk first, where there is a journal. */
export class SweepLog {
  readonly records: SweepRecord[] = [];
  readonly #journal: Journal | undefined;
  readonly #compiled = new Map<string, Compiled>();
  readonly #checked = new Map<string, Checked>();
  readonly #counted = new Map<string, Counted>();
  readonly #rounds = new Map<string, RoundRecord[]>();

  constructor(earlier: readonly SweepRecord[] = [], journal?: Journal) {
    this.#journal = journal;
    for (const record of earlier) this.#take(record);
  }

  add(record: SweepRecord): void {
    this.#journal?.append(record);
    this.#take(record);
  }

  compiled(id: string, size?: Size): Compiled | undefined {
    return this.#compiled.get(keyOf(id, size));
  }

  checked(id: string, level: Checked['level'], size?: Size): Checked | undefined {
    return this.#checked.get(`${level} ${keyOf(id, size)}`);
  }

  counted(id: string, size: Size): Counted | undefined {
    return this.#counted.get(keyOf(id, size));
  }

  /** Rounds of one rung at a size, in the order in which they were run. */
  rounds(size: Size, rung: RungName): readonly RoundRecord[] {
    return this.#rounds.get(`${rung} ${shape(size)}`) ?? [];
  }

  finished(size: Size): Finished[] {
    return this.records.filter(
      (record): record is Finished => record.type === 'finished' && shape(record.size) === shape(size),
    );
  }

  /** Why a candidate is wrong at a size, or anywhere; undefined while nothing it did was. */
  fault(id: string, size: Size): string | undefined {
    for (const found of [
      this.checked(id, 'quick'),
      this.checked(id, 'size', size),
      this.checked(id, 'full'),
      this.checked(id, 'after', size),
    ]) {
      if (found !== undefined && found.status !== 'passed') return found.failures[0] ?? found.status;
    }
    return undefined;
  }

  #take(record: SweepRecord): void {
    this.records.push(record);
    if (record.type === 'compiled') this.#compiled.set(keyOf(record.id, record.size), record);
    if (record.type === 'counted') this.#counted.set(keyOf(record.id, record.size), record);
    if (record.type === 'checked') {
      const key = `${record.level} ${keyOf(record.id, record.size)}`;
      // Of two verdicts the bad one stands: what was wrong once is wrong.
      if (this.#checked.get(key)?.status !== 'failed') this.#checked.set(key, record);
    }
    if (record.type === 'round') {
      const key = `${record.rung} ${shape(record.size)}`;
      this.#rounds.set(key, [...(this.#rounds.get(key) ?? []), record]);
    }
  }
}
