import type { MatrixName } from '../data/matrix-image.js';
import { bitsOf, hexWord, type ReportedNumber, reported } from '../float/bits.js';

export type GateName =
  | 'exact'
  | 'hard-bound'
  | 'quality'
  | 'article'
  | 'k-order'
  | 'memory'
  | 'written'
  | 'combination';

/** The element that decided a gate, or came closest to its limit. */
export interface GateElement {
  readonly matrix: MatrixName;
  readonly row: number;
  readonly col: number;
  readonly got: ReportedNumber;
  readonly want: ReportedNumber;
  /** Bits of `got`, e.g. `0x7fc00000`. */
  readonly gotWord: string;
}

/** What one gate found; JSON as it is. */
export interface GateResult {
  readonly gate: GateName;
  readonly passed: boolean;
  /** False: reported for comparison, decides nothing. */
  readonly decides: boolean;
  /** In the gate's own unit: wrong elements or words, or the largest error as a share of its bound. */
  readonly measured: ReportedNumber;
  /** `measured` must not be over this. */
  readonly limit: number;
  /** Elements, or words, that break the gate. */
  readonly failures: number;
  readonly worst?: GateElement;
  /** For people: what was found, with the values. */
  readonly sentence: string;
}

/** A computed C, m×n without padding. */
export interface GateInput {
  readonly m: number;
  readonly n: number;
  readonly got: Float32Array;
  /** Where these are some rows of a larger C: which row of it each is. */
  readonly rows?: readonly number[] | undefined;
}

/** Counts elements whose excess is not at most `limit`, and finds the largest; NaN is over everything. */
export function scan(count: number, limit: number, excess: (index: number) => number) {
  let failures = 0;
  let measured = 0;
  let worst = -1;
  for (let i = 0; i < count; i++) {
    const found = excess(i);
    const value = Number.isNaN(found) ? Number.POSITIVE_INFINITY : found;
    if (!(value <= limit)) failures++;
    if (value > measured) {
      measured = value;
      worst = i;
    }
  }
  return { failures, measured, worst };
}

/** The element of C at a dense index. */
export function elementAt({ n, got, rows }: GateInput, index: number, want: number): GateElement {
  const value = got[index] as number;
  const row = Math.floor(index / n);
  return {
    matrix: 'c',
    row: rows?.[row] ?? row,
    col: index % n,
    got: reported(value),
    want: reported(want),
    gotWord: hexWord(bitsOf(value)),
  };
}

export function describeElement(element: GateElement): string {
  const { matrix, row, col, got, want, gotWord } = element;
  return `${matrix.toUpperCase()}[${row}][${col}] is ${got} (${gotWord}), not ${want}`;
}

/** `1 element`, `12 elements`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
