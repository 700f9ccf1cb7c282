import type { MatrixImage, MatrixLayout } from '../data/matrix-image.js';
import { floatOf, hexWord, reported } from '../float/bits.js';
import { counted, type GateElement, type GateResult } from './gate.js';

/** A buffer before and after: `after` is the whole of it, as 32-bit words. */
export interface BufferChange {
  readonly before: MatrixImage;
  readonly after: Uint32Array;
  /** Whether the elements may change: true for C alone. Bands and padding never may. */
  readonly written: boolean;
}

/** Row and column of a word relative to its matrix; outside it they are negative or over its extents. */
function place({ start, ld }: MatrixLayout, index: number) {
  const row = Math.floor((index - start) / ld);
  return { row, col: index - start - row * ld };
}

function region(layout: MatrixLayout, index: number): string {
  const { rows, cols, ld, start, length } = layout;
  const name = layout.name.toUpperCase();
  const end = rows === 0 || cols === 0 ? start : start + (rows - 1) * ld + cols;
  if (index < start)
    return `the band before ${name}, ${counted(start - index, 'word')} before its first element`;
  if (index >= length) return `the end of ${name}'s buffer`;
  if (index >= end)
    return `the band after ${name}, ${counted(index - end + 1, 'word')} past its last element`;
  const { row, col } = place(layout, index);
  return col < cols ? `input ${name}[${row}][${col}]` : `the padding of ${name}, column ${col} of row ${row}`;
}

/** Index of each changed word is passed to `found`; rows of elements are stepped over where they may change. */
function eachChange({ before, after, written }: BufferChange, found: (index: number) => void): void {
  const { rows, cols, ld, start, length } = before.layout;
  let index = 0;
  const compareTo = (end: number) => {
    for (; index < end; index++) if (before.words[index] !== after[index]) found(index);
  };
  for (let row = 0; written && row < rows; row++) {
    compareTo(start + row * ld);
    index += cols;
  }
  compareTo(length);
}

/**
 * Gate 6: bands around every buffer, the padding of every leading dimension and all inputs are unchanged, compared as
 * 32-bit words, so that one NaN in place of another shows.
 */
export function memoryGate(buffers: readonly BufferChange[]): GateResult {
  let failures = 0;
  let compared = 0;
  let worst: { element: GateElement; where: string; was: string } | undefined;
  for (const buffer of buffers) {
    const { layout, words } = buffer.before;
    compared += layout.length - (buffer.written ? layout.rows * layout.cols : 0);
    eachChange(buffer, (index) => {
      failures++;
      if (worst !== undefined) return;
      const was = words[index] as number;
      const is = buffer.after[index];
      worst = {
        where: region(layout, index),
        was: hexWord(was),
        element: {
          matrix: layout.name,
          ...place(layout, index),
          got: is === undefined ? 'NaN' : reported(floatOf(is)),
          want: reported(floatOf(was)),
          gotWord: is === undefined ? 'missing' : hexWord(is),
        },
      };
    });
  }
  return {
    gate: 'memory',
    passed: failures === 0,
    decides: true,
    measured: failures,
    limit: 0,
    failures,
    ...(worst === undefined ? {} : { worst: worst.element }),
    sentence:
      worst === undefined
        ? `All ${counted(compared, 'word')} outside the result are unchanged.`
        : `${counted(failures, 'word')} outside the result changed, first in ${worst.where}: ` +
          `${worst.element.gotWord} (${worst.element.got}) where ${worst.was} was.`,
  };
}
