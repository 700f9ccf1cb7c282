import type { MatrixImage } from '../data/matrix-image.js';
import { hexWord } from '../float/bits.js';
import { counted, type GateResult } from './gate.js';

/**
 * Every element of C was stored: none still holds the poison that it was filled with. Beside the gates on values, it
 * sees a tile that was left out where the right result is NaN itself, and says so where one was.
 *
 * @param before C as the kernel got it, all poison
 * @param after the whole buffer afterwards
 */
export function writtenGate(before: MatrixImage, after: Uint32Array): GateResult {
  const { rows, cols, ld, start } = before.layout;
  let failures = 0;
  let first: { row: number; col: number; word: number } | undefined;
  for (let row = 0; row < rows; row++) {
    for (let col = 0; col < cols; col++) {
      const index = start + row * ld + col;
      const word = before.words[index] as number;
      if (after[index] !== word) continue;
      failures++;
      first ??= { row, col, word };
    }
  }
  const count = counted(rows * cols, 'element');
  return {
    gate: 'written',
    passed: failures === 0,
    decides: true,
    measured: failures,
    limit: 0,
    failures,
    ...(first === undefined
      ? {}
      : {
          worst: {
            matrix: 'c',
            row: first.row,
            col: first.col,
            got: 'NaN',
            want: 'NaN',
            gotWord: hexWord(first.word),
          },
        }),
    sentence:
      first === undefined
        ? `All ${count} of C were written.`
        : `${failures} of ${count} of C still hold the poison, as if never written, the first C[${first.row}][${first.col}].`,
  };
}
