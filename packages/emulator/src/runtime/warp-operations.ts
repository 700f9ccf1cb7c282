import { QUAD, WARP } from '../layout.js';
import type { WarpOperation } from '../translate/lower/spec.js';
import type { BlockRunner } from './block-runner.js';
import { combineWarp } from './warp-combinations.js';

/** What a lane gets that asks one who does not take part: nothing that a program may rely on; a NaN, as a float. */
const NOBODY = 0x7fffdead;

const sent = new Int32Array(WARP);

/** The lane that lane `own` takes its value from, and whether it is inside the segment (PTX ISA, "shfl.sync"). */
export function shuffleSource(
  how: string,
  own: number,
  b: number,
  c: number,
): { readonly lane: number; readonly valid: boolean } {
  const segment = (c >> 8) & 31;
  const by = b & 31;
  const last = (own & segment) | (c & 31 & ~segment);
  const first = own & segment;
  let lane: number;
  if (how === 'up') lane = own - by;
  else if (how === 'down') lane = own + by;
  else if (how === 'bfly') lane = own ^ by;
  else lane = first | (by & ~segment);
  const valid = how === 'up' ? lane >= last : lane <= last;
  return { lane: valid ? lane : own, valid };
}

/** Does for lanes of a warp, which have met, what they have come for. `lanes`: those that take part, a bit each. */
export function operateWarp(
  runner: BlockRunner,
  i32: Int32Array,
  warp: number,
  operation: WarpOperation,
  lanes: number,
): void {
  if (operation === 'sync') return;
  const word = (lane: number, index: number) =>
    ((runner.state(8 * warp + (lane >> 2)) + QUAD.warpOperands + 16 * index) >> 2) + (lane & 3);
  const each = (visit: (lane: number) => void) => {
    for (let lane = 0; lane < WARP; lane++) if (lanes & (1 << lane)) visit(lane);
  };
  if (operation === 'active') {
    each((lane) => {
      i32[word(lane, 0)] = lanes;
    });
    return;
  }
  if (operation === 'elect' || operation.startsWith('match') || operation.startsWith('redux')) {
    combineWarp(operation, lanes, i32, word);
    return;
  }
  each((lane) => {
    sent[lane] = i32[word(lane, 0)]!;
  });
  const [kind, how] = operation.split('.') as ['shuffle' | 'vote', string];
  if (kind === 'vote') {
    let yes = 0;
    each((lane) => {
      if (sent[lane] !== 0) yes |= 1 << lane;
    });
    const holds = how === 'all' ? yes === lanes : how === 'any' ? yes !== 0 : yes === lanes || yes === 0;
    const result = how === 'ballot' ? yes : holds ? -1 : 0;
    each((lane) => {
      i32[word(lane, 0)] = result;
    });
    return;
  }
  each((own) => {
    const { lane, valid } = shuffleSource(how, own, i32[word(own, 1)]!, i32[word(own, 2)]!);
    i32[word(own, 0)] = lanes & (1 << lane) ? sent[lane]! : NOBODY;
    i32[word(own, 1)] = valid ? -1 : 0;
  });
}
