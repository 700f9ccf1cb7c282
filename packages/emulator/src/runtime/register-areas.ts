import { QUAD } from '../layout.js';
import type { AreaRegister } from '../translate/translated-kernel.js';
import type { Views } from './block-runner.js';

/** Copies live registers from the vector area, where lane 0 may stand for all, to the lanes' own area. */
export function expandLanes(
  { i32, i64 }: Views,
  state: number,
  areaBytes: number,
  live: readonly AreaRegister[],
): void {
  const vector = state + QUAD.registers;
  for (const { offset, wide, stride } of live) {
    const from = vector + offset;
    const to = from + areaBytes;
    for (let lane = 0; lane < 4; lane++) {
      if (wide) {
        const value =
          stride === undefined ? i64[(from >> 3) + lane]! : i64[from >> 3]! + BigInt(stride * lane);
        i64[(to >> 3) + lane] = value;
      } else {
        i32[(to >> 2) + lane] =
          stride === undefined ? i32[(from >> 2) + lane]! : i32[from >> 2]! + stride * lane;
      }
    }
  }
}

/** Copies the lanes' area back to the vector area. A register that all lanes share is read from lane 0 there. */
export function gatherLanes({ u8 }: Views, state: number, areaBytes: number): void {
  const vector = state + QUAD.registers;
  u8.copyWithin(vector, vector + areaBytes, vector + 2 * areaBytes);
}
