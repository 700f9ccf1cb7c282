import { WARP } from '../layout.js';
import type { WarpOperation } from '../translate/lower/spec.js';

const values = new Int32Array(WARP);
const uppers = new Int32Array(WARP);

const REDUCE: Readonly<Record<string, (a: number, b: number) => number>> = {
  add: (a, b) => (a + b) | 0,
  min: (a, b) => (a >>> 0 < b >>> 0 ? a : b),
  max: (a, b) => (a >>> 0 > b >>> 0 ? a : b),
  mins: (a, b) => Math.min(a, b),
  maxs: (a, b) => Math.max(a, b),
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
};

/**
 * `redux.sync`, `match.sync` and `elect.sync` for lanes that have met. Results replace what they sent: a word, and in
 * the next whether it holds, as a mask.
 *
 * @param word where in memory a lane's word lies
 */
export function combineWarp(
  operation: WarpOperation,
  lanes: number,
  i32: Int32Array,
  word: (lane: number, index: number) => number,
): void {
  const present: number[] = [];
  for (let lane = 0; lane < WARP; lane++) if (lanes & (1 << lane)) present.push(lane);
  if (operation === 'elect') {
    for (const lane of present) {
      i32[word(lane, 0)] = present[0]!;
      i32[word(lane, 1)] = lane === present[0] ? -1 : 0;
    }
    return;
  }
  const [kind, how] = operation.split('.') as [string, string];
  for (const lane of present) {
    values[lane] = i32[word(lane, 0)]!;
    uppers[lane] = kind === 'match64' ? i32[word(lane, 1)]! : 0;
  }
  if (kind === 'redux') {
    const result = present.map((lane) => values[lane]!).reduce(REDUCE[how]!);
    for (const lane of present) i32[word(lane, 0)] = result;
    return;
  }
  const alike = (own: number) =>
    present.reduce(
      (mask, lane) =>
        values[lane] === values[own] && uppers[lane] === uppers[own] ? mask | (1 << lane) : mask,
      0,
    );
  const results = present.map((lane) => {
    const mask = alike(lane);
    return how === 'any' ? mask : mask === lanes ? lanes : 0;
  });
  present.forEach((lane, i) => {
    i32[word(lane, 0)] = results[i]!;
    i32[word(lane, 1)] = results[i] !== 0 ? -1 : 0;
  });
}
