import type { BenchResult, ResultRow } from '../result/schema.js';

/** A result and where it came from. */
export interface ComparedFile {
  /** Path, or `revision:path`. */
  readonly from: string;
  readonly result: BenchResult;
}

/** Two results that are set side by side. */
export interface FilePair {
  readonly base: ComparedFile;
  readonly new: ComparedFile;
}

export type Settings = Readonly<Record<string, string | number | boolean>>;

/** How a row was measured, as far as that makes its figures another thing; more rounds only make them surer. */
export function settingsOf({ protocol: { parameters = {} } }: BenchResult, { times }: ResultRow): Settings {
  const { l2 } = parameters;
  return { ...(l2 === undefined ? {} : { l2 }), launched: times?.launched ?? 'singly' };
}

/** Names the kernel and the work of a row; what it was measured with aside. */
function keyOf({ id, package: { name }, problem }: ResultRow): string {
  const all = Object.entries({ ...problem, batch: problem.batch ?? 1 });
  return JSON.stringify([id, name, all.sort(([x], [y]) => (x < y ? -1 : 1))]);
}

export interface RowPair {
  readonly base: ResultRow;
  readonly new: ResultRow;
}

export interface Matched {
  readonly both: readonly RowPair[];
  readonly onlyInBase: readonly ResultRow[];
  readonly onlyInNew: readonly ResultRow[];
}

/** Rows of two results by kernel, package and problem, in the order of the new one. */
export function matchRows({ base, new: fresh }: FilePair): Matched {
  const left = new Map(base.result.rows.map((row) => [keyOf(row), row]));
  const both: RowPair[] = [];
  const onlyInNew: ResultRow[] = [];
  for (const row of fresh.result.rows) {
    const key = keyOf(row);
    const other = left.get(key);
    if (other === undefined) onlyInNew.push(row);
    else both.push({ base: other, new: row });
    left.delete(key);
  }
  return { both, onlyInBase: [...left.values()], onlyInNew };
}
