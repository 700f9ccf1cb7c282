import type { Expr } from '../lower/spec.js';
import type { Operands } from './operands.js';

type Read = () => Expr;

/** Byte indices that pick `items` (of `bytes` each) from two vectors side by side. */
function pick(bytes: 4 | 8, ...items: number[]): number[] {
  return items.flatMap((item) => Array.from({ length: bytes }, (_, b) => item * bytes + b));
}

function shuffle(o: Operands, bytes: 4 | 8, x: Read, y: Read, ...items: number[]): Read {
  return o.keep('v128', o.f.m.i8x16.shuffle(x(), y(), pick(bytes, ...items)));
}

/** Rows and columns of a 4×4 block of words exchanged. */
function transpose4(o: Operands, [a, b, c, d]: readonly Read[]): Read[] {
  const ab = shuffle(o, 4, a!, b!, 0, 4, 1, 5);
  const cd = shuffle(o, 4, c!, d!, 0, 4, 1, 5);
  const ab2 = shuffle(o, 4, a!, b!, 2, 6, 3, 7);
  const cd2 = shuffle(o, 4, c!, d!, 2, 6, 3, 7);
  return [
    shuffle(o, 8, ab, cd, 0, 2),
    shuffle(o, 8, ab, cd, 1, 3),
    shuffle(o, 8, ab2, cd2, 0, 2),
    shuffle(o, 8, ab2, cd2, 1, 3),
  ];
}

/**
 * From memory order (lane 0's elements, lane 1's…) to one vector an element, or two halves an element for 8-byte
 * elements: `count` elements a lane.
 */
export function split(o: Operands, rows: readonly Read[], count: number, bytes: number): readonly Read[] {
  if (count === 1) return rows;
  if (bytes === 4 && count === 4) return transpose4(o, rows);
  const [a, b, c, d] = rows as [Read, Read, Read, Read];
  if (bytes === 4) return [shuffle(o, 4, a, b, 0, 2, 4, 6), shuffle(o, 4, a, b, 1, 3, 5, 7)];
  return [
    shuffle(o, 8, a, b, 0, 2),
    shuffle(o, 8, c, d, 0, 2),
    shuffle(o, 8, a, b, 1, 3),
    shuffle(o, 8, c, d, 1, 3),
  ];
}

/** The inverse of {@link split}. */
export function interleave(
  o: Operands,
  columns: readonly Read[],
  count: number,
  bytes: number,
): readonly Read[] {
  if (count === 1) return columns;
  if (bytes === 4 && count === 4) return transpose4(o, columns);
  const [a, b, c, d] = columns as [Read, Read, Read, Read];
  if (bytes === 4) return [shuffle(o, 4, a, b, 0, 4, 1, 5), shuffle(o, 4, a, b, 2, 6, 3, 7)];
  // Columns are element 0 in halves, element 1 in halves.
  return [
    shuffle(o, 8, a, c, 0, 2),
    shuffle(o, 8, a, c, 1, 3),
    shuffle(o, 8, b, d, 0, 2),
    shuffle(o, 8, b, d, 1, 3),
  ];
}
