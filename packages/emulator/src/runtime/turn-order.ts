import { mix32, permutation } from './permutation.js';
import type { Schedule } from './schedule.js';

/** In which order the blocks of a launch start, by the number of their claim. */
export function blockOrder(schedule: Schedule | undefined, total: number): (index: number) => number {
  const { order = 'forward', seed = 1 } = schedule ?? {};
  if (order === 'forward') return (index) => index;
  if (order === 'random') return permutation(total, seed);
  return (index) => total - 1 - index;
}

/** Order of the warps of one block, and of the groups of four lanes within a warp, turn by turn. */
export class TurnOrder {
  readonly #schedule: Schedule;
  readonly #warps: number;
  #block = 0;
  #turn = 0;
  #alone = false;
  #warp: (index: number) => number = (index) => index;

  constructor(schedule: Schedule, warps: number) {
    this.#schedule = schedule;
    this.#warps = warps;
  }

  /** Whether the first warp of a turn runs until it can go no further, before any other. */
  get ahead(): boolean {
    return this.#schedule.order === 'adversarial';
  }

  /** Whether nobody else runs in this turn, so that other blocks see what the first warp has done, and no more. */
  get alone(): boolean {
    return this.#alone;
  }

  /** Another block is in the slot. */
  start(block: number): void {
    this.#block = block;
    this.#turn = 0;
  }

  /** A turn of all warps begins. */
  next(): void {
    const { order, seed = 1 } = this.#schedule;
    const last = this.#warps - 1;
    const drawn = mix32(mix32(seed, this.#block), this.#turn++);
    if (order === 'forward') this.#warp = (index) => index;
    else if (order === 'reverse') this.#warp = (index) => last - index;
    else if (order === 'random') this.#warp = permutation(this.#warps, drawn);
    else {
      // The chosen one first, then the others from the highest down.
      // Half of the time that is warp 0, whose first lane often speaks for all.
      const first = drawn % 2 === 0 ? 0 : (drawn >>> 3) % this.#warps;
      this.#alone = (drawn & 4) !== 0;
      this.#warp = (index) => (index === 0 ? first : last - index + (last - index < first ? 0 : 1));
    }
  }

  /** The warp that runs as number `index` of the turn. */
  warp(index: number): number {
    return this.#warp(index);
  }

  /** The group of a warp with `groups` of them that runs as number `index`. */
  group(index: number, groups: number): number {
    const { order, seed = 1 } = this.#schedule;
    if (order === 'forward') return index;
    if (order === 'random') return permutation(groups, mix32(mix32(seed, this.#block), ~this.#turn))(index);
    return groups - 1 - index;
  }
}
