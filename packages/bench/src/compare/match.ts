import { isDeepStrictEqual } from 'node:util';
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

/** Whether rows are of the same kernel and the same work; what they were measured with aside. */
const isSameWork = (x: ResultRow, y: ResultRow) =>
  x.id === y.id && x.package.name === y.package.name && isDeepStrictEqual(x.problem, y.problem);

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
  const left = new Set(base.result.rows);
  const both: RowPair[] = [];
  const onlyInNew: ResultRow[] = [];
  for (const row of fresh.result.rows) {
    const other = [...left].find((one) => isSameWork(one, row));
    if (other === undefined) onlyInNew.push(row);
    else both.push({ base: other, new: row });
    if (other !== undefined) left.delete(other);
  }
  return { both, onlyInBase: [...left], onlyInNew };
}
