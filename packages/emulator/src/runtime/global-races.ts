import type { Dim3 } from '@ffma/core';
import { GLOBAL_BASE, QUAD, WARP } from '../layout.js';
import { GLOBAL_ACCESS } from '../translate/lower/memory-order.js';
import type { TranslatedKernel } from '../translate/translated-kernel.js';
import { type FaultRecord, KernelFault } from './fault-record.js';
import { GlobalClock } from './global-clock.js';
import {
  GLOBAL_ENTRY,
  GlobalWords,
  isStrongPlace,
  laneOfPlace,
  placeWord,
  siteOfPlace,
} from './global-words.js';

const has = (flags: number, flag: number): boolean => (flags & flag) !== 0;

const along = (index: number, [x, y]: Dim3): [number, number, number] => [
  index % x,
  Math.floor(index / x) % y,
  Math.floor(index / (x * y)),
];

/**
 * Looks for accesses of different blocks to one word of global memory that nothing orders, one of them a write. All
 * blocks of the launch run on one worker, which tells it of every access.
 */
export class GlobalRaces {
  readonly clock: GlobalClock;
  readonly #i32: Int32Array;
  readonly #kernel: Pick<TranslatedKernel, 'sites'>;
  readonly #grid: Dim3;
  readonly #block: Dim3;
  readonly #warps: number;
  readonly #words = new GlobalWords();

  constructor(
    i32: Int32Array,
    kernel: Pick<TranslatedKernel, 'sites'>,
    { grid, block }: { readonly grid: Dim3; readonly block: Dim3 },
  ) {
    this.#i32 = i32;
    this.#kernel = kernel;
    this.#grid = grid;
    this.#block = block;
    this.#warps = Math.ceil((block[0] * block[1] * block[2]) / WARP);
    this.clock = new GlobalClock(this.#warps);
  }

  /**
   * The import `race_global`: each of `lanes` lanes from `lane` on touches `words` words, the first lane from offset
   * `x` of the heap on, the next `step` bytes on.
   * @throws KernelFault
   */
  touch(
    flags: number,
    site: number,
    x: number,
    words: number,
    step: number,
    lanes: number,
    lane: number,
    state: number,
    ctx: number,
  ): void {
    const linear = this.#i32[(state + QUAD.linear) >> 2]! + lane;
    const warp = Math.floor(linear / WARP);
    for (let i = 0; i < lanes; i++) {
      const place = placeWord(site, (linear + i) % WARP, has(flags, GLOBAL_ACCESS.strong));
      const first = ((x >>> 0) + i * step) >>> 2;
      for (let word = first; word < first + words; word++) this.#word(flags, place, word, warp, ctx);
    }
  }

  /** The import `race_fence`. */
  fence(state: number, ctx: number): void {
    this.clock.fence(ctx, this.#i32[(state + QUAD.linear) >> 2]! >> 5);
  }

  #word(flags: number, place: number, word: number, warp: number, ctx: number): void {
    const page = this.#words.page(word);
    const at = this.#words.start(word);
    const own = this.clock.at(ctx, warp);
    const strong = isStrongPlace(place);
    const writes = has(flags, GLOBAL_ACCESS.write);
    if (strong && has(flags, GLOBAL_ACCESS.read))
      this.clock.read(ctx, warp, word, has(flags, GLOBAL_ACCESS.acquire));
    /** Whether the access of an entry comes before this one, as far as blocks go. */
    const before = (entry: number) => {
      const who = page[entry]! - 1;
      if (who < 0 || (who >= own.first && who < own.first + this.#warps)) return true;
      return this.clock.hasSeen(ctx, warp, who, page[entry + 1]!);
    };
    const check = (entry: number, did: 'write' | 'read') => {
      if (before(entry) || (strong && isStrongPlace(page[entry + 2]!))) return;
      throw new KernelFault(this.#record(place, word, own.who, page, entry, did));
    };
    const set = (entry: number, who: number, now: number, where: number) => {
      page[entry] = who;
      page[entry + 1] = now;
      page[entry + 2] = where;
    };
    check(at + GLOBAL_ENTRY.write, 'write');
    if (writes) {
      for (const entry of [at + GLOBAL_ENTRY.read, at + GLOBAL_ENTRY.otherRead]) {
        check(entry, 'read');
        set(entry, 0, 0, 0);
      }
      set(at + GLOBAL_ENTRY.write, own.who + 1, own.now, place);
    } else {
      const into = before(at + GLOBAL_ENTRY.read) ? GLOBAL_ENTRY.read : GLOBAL_ENTRY.otherRead;
      set(at + into, own.who + 1, own.now, place);
    }
    // Last: what this access releases is not part of what it is stamped with.
    if (strong && writes)
      this.clock.wrote(ctx, warp, word, has(flags, GLOBAL_ACCESS.release), has(flags, GLOBAL_ACCESS.update));
    else if (writes) this.clock.overwritten(word);
  }

  #record(
    place: number,
    word: number,
    who: number,
    page: Int32Array,
    entry: number,
    did: 'write' | 'read',
  ): FaultRecord {
    const of = (warp: number, lane: number) => ({
      block: along(Math.floor(warp / this.#warps), this.#grid),
      thread: along(WARP * (warp % this.#warps) + lane, this.#block),
    });
    const at = this.#kernel.sites[siteOfPlace(page[entry + 2]!)];
    return {
      kind: 'race',
      ...of(who, laneOfPlace(place)),
      site: this.#kernel.sites[siteOfPlace(place)]!,
      address: GLOBAL_BASE + 4n * BigInt(word),
      other: {
        did,
        ...of(page[entry]! - 1, laneOfPlace(page[entry + 2]!)),
        ...(at === undefined ? {} : { at }),
      },
    };
  }
}
