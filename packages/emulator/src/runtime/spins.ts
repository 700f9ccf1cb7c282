import { QUAD } from '../layout.js';
import type { PollPoint, TranslatedKernel } from '../translate/translated-kernel.js';
import type { Views } from './block-runner.js';

/** FNV-1a over words. */
const mix = (hash: number, word: number): number => Math.imul(hash ^ word, 0x01000193);

/**
 * Tells turns of loops that change nothing from those that do: a turn that starts with the registers of the
 * one before it, and has not changed memory, will be followed by more of its kind until somebody else does something.
 */
export class Spins {
  readonly #loops: TranslatedKernel['polls'];
  readonly #areaBytes: number;
  readonly #i32: Int32Array;
  /** By thread, what its last turn started with; of lanes that run together, that of the first counts. */
  readonly #seen: Int32Array;

  constructor(
    { polls, quiet, areaBytes }: Pick<TranslatedKernel, 'polls' | 'quiet' | 'areaBytes'>,
    { i32 }: Views,
    groups: number,
  ) {
    this.#loops = { ...quiet, ...polls };
    this.#areaBytes = areaBytes;
    this.#i32 = i32;
    this.#seen = new Int32Array(4 * groups);
  }

  /** Whether four lanes that have come back to block `header` have got nowhere. */
  together(group: number, state: number, header: number): boolean {
    const poll = this.#loops[header];
    if (poll === undefined) return false;
    return this.#same(4 * group, this.#hash(poll, state + QUAD.registers, header));
  }

  /** The same for one lane that runs apart. */
  apart(thread: number, state: number, header: number): boolean {
    const poll = this.#loops[header];
    if (poll === undefined) return false;
    const area = state + QUAD.registers + this.#areaBytes;
    let hash = mix(0x811c9dc5, header);
    for (const { offset, wide } of poll.live) {
      const at = (area + offset) >> 2;
      const lane = thread & 3;
      if (wide) hash = mix(mix(hash, this.#i32[at + 2 * lane]!), this.#i32[at + 2 * lane + 1]!);
      else hash = mix(hash, this.#i32[at + lane]!);
    }
    return this.#same(thread, hash);
  }

  #hash(poll: PollPoint, area: number, header: number): number {
    let hash = mix(0x811c9dc5, header);
    for (const { offset, wide, stride } of poll.live) {
      const at = (area + offset) >> 2;
      const words = (stride === undefined ? 4 : 1) * (wide ? 2 : 1);
      for (let word = 0; word < words; word++) hash = mix(hash, this.#i32[at + word]!);
    }
    return hash;
  }

  #same(at: number, hash: number): boolean {
    if (this.#seen[at] === hash) return true;
    this.#seen[at] = hash;
    return false;
  }
}
