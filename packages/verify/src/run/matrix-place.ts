import type { MatrixLayout } from '../data/matrix-image.js';

/** A matrix in device memory. */
export interface PlacedMatrix {
  readonly layout: MatrixLayout;
  /** Device address of its buffer. */
  readonly address: bigint;
}

/** Device address that a kernel fault names, if it is one of global memory. */
function addressOf(error: unknown): bigint | undefined {
  const place = (error as { place?: { address?: unknown } } | undefined)?.place;
  const hex = typeof place?.address === 'string' ? /^0x[0-9a-f]+(?=,|$)/.exec(place.address)?.[0] : undefined;
  return hex === undefined ? undefined : BigInt(hex);
}

/**
 * Which element of which operand a kernel's fault is about, as a sentence: `That is row 3, column 7 of C (33×17).`
 * Undefined where it is about something else, or far from all of them.
 */
export function matrixPlace(error: unknown, matrices: readonly PlacedMatrix[]): string | undefined {
  const address = addressOf(error);
  if (address === undefined) return undefined;
  for (const { layout, address: first } of matrices) {
    const { name, rows, cols, ld, start, length } = layout;
    const word = Math.floor(Number(address - first) / 4);
    // A row's length before and behind a buffer: what a kernel hits that is off by a tile's edge.
    if (word < -ld || word >= length + ld || rows === 0 || cols === 0) continue;
    const element = word - start;
    const what = `${name.toUpperCase()} (${rows}×${cols})`;
    const row = Math.floor(element / ld);
    const col = element - row * ld;
    const before = element === -1 ? 'just' : `${-element} elements`;
    if (element < 0) return `That is ${before} before the first element of ${what}.`;
    if (row >= rows) return `That is row ${row}, column ${col} of ${what}, past its last row.`;
    if (col >= cols) return `That is row ${row}, column ${col} of ${what}, past the end of the row.`;
    return `That is row ${row}, column ${col} of ${what}.`;
  }
  return undefined;
}
