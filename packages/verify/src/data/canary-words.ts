import type { MatrixName } from './matrix-image.js';

/**
 * What fills memory that no kernel may write, or must not use: quiet NaNs whose payload says what they are and
 * where they stood, so that a word copied from one place of a band to another shows as well. Bits, high to low:
 * 0x7fd guard, 0x7fe padding, 0x7ff poison; a, b or c for the matrix; 16 bits of the word's index.
 */
const kinds = { guard: 0x7fd0_0000, padding: 0x7fe0_0000, poison: 0x7ff0_0000 } as const;

export type CanaryKind = keyof typeof kinds;

const matrices: Readonly<Record<MatrixName, number>> = { a: 0xa_0000, b: 0xb_0000, c: 0xc_0000 };

/** The word of a kind at an index of a matrix's image. */
export function canaryWord(kind: CanaryKind, matrix: MatrixName, index: number): number {
  return kinds[kind] | matrices[matrix] | (index & 0xffff);
}
