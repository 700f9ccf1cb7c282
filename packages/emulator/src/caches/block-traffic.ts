import { SectorCache } from './sector-cache.js';

/** How a request reaches the L2 cache. */
export const WAY = {
  /** A load that the L1 cache may serve. */
  cached: 0,
  /** A load past the L1 cache. */
  direct: 1,
  /** A store: written through, and what the L1 cache has of it stays as good as before. */
  store: 2,
  /** An atomic: read and written in the L2 cache. */
  atomic: 3,
} as const;

/**
 * What a block asks of the L2 cache, in order. A word is a run of sectors: the first one in the low 27 bits, how many
 * follow it in four, and on top whether they are written.
 */
export interface BlockTraffic {
  readonly block: number;
  readonly words: Uint32Array;
}

const RUN_SHIFT = 27;
const LONGEST_RUN = 16;
export const firstSector = (word: number): number => word & 0x7ff_ffff;
export const sectorsOf = (word: number): number => ((word >>> RUN_SHIFT) & 15) + 1;
export const isWrite = (word: number): boolean => word >>> 31 === 1;

/** A list of 32-bit words that grows. */
class Words {
  #words = new Uint32Array(256);
  length = 0;

  push(word: number): void {
    if (this.length === this.#words.length) {
      const larger = new Uint32Array(2 * this.length);
      larger.set(this.#words);
      this.#words = larger;
    }
    this.#words[this.length++] = word;
  }

  at(index: number): number {
    return this.#words[index]!;
  }

  taken(): Uint32Array {
    const words = this.#words.slice(0, this.length);
    this.length = 0;
    return words;
  }
}

/** Packs sectors into runs; neighbours that follow each other become one. */
class Runs {
  #first = -1;
  #count = 0;
  #write = 0;

  constructor(readonly words: Words) {}

  add(sector: number, write: 0 | 1): void {
    if (sector === this.#first + this.#count && write === this.#write && this.#count < LONGEST_RUN) {
      this.#count++;
      return;
    }
    this.end();
    this.#first = sector;
    this.#count = 1;
    this.#write = write;
  }

  end(): void {
    if (this.#count > 0)
      this.words.push(((this.#write << 31) | ((this.#count - 1) << RUN_SHIFT) | this.#first) >>> 0);
    this.#count = 0;
    this.#first = -1;
  }
}

/**
 * Collects the global traffic of one block. The emulator lets a warp run from barrier to barrier before the next one
 * starts; a GPU runs them side by side. So requests are kept by warp up to the next barrier, then taken in turn, one
 * of each warp, through the block's share of an L1 cache.
 */
export class TrafficRecorder {
  readonly #warps: Words[] = [];
  readonly #l1: SectorCache;
  readonly #out = new Words();
  readonly #runs = new Runs(this.#out);
  #pending = 0;

  /** @param l1Bytes of the L1 cache that is the block's */
  constructor(
    readonly block: number,
    l1Bytes: number,
  ) {
    this.#l1 = new SectorCache(l1Bytes, 16);
  }

  /**
   * @param warp of the block
   * @param way one of {@link WAY}
   * @param sectors distinct sectors of the request; the first `count` of the list
   */
  add(warp: number, way: number, sectors: Uint32Array, count: number): void {
    let own = this.#warps[warp];
    if (own === undefined) {
      own = new Words();
      this.#warps[warp] = own;
    }
    own.push((count << 2) | way);
    for (let i = 0; i < count; i++) own.push(sectors[i]!);
    this.#pending += count;
    if (this.#pending > 2 ** 20) this.meet();
  }

  /** The block's warps have met: what they asked for until now goes before all that follows. */
  meet(): void {
    if (this.#pending === 0) return;
    const at = this.#warps.map(() => 0);
    for (let more = true; more; ) {
      more = false;
      this.#warps.forEach((own, warp) => {
        const start = at[warp]!;
        if (start >= own.length) return;
        const head = own.at(start);
        const end = start + 1 + (head >>> 2);
        for (let i = start + 1; i < end; i++) this.#pass(head & 3, own.at(i));
        at[warp] = end;
        if (end < own.length) more = true;
      });
    }
    for (const own of this.#warps) if (own !== undefined) own.length = 0;
    this.#pending = 0;
  }

  #pass(way: number, sector: number): void {
    if (way === WAY.cached && this.#l1.read(sector)) return;
    if (way !== WAY.store) this.#runs.add(sector, 0);
    if (way === WAY.store || way === WAY.atomic) this.#runs.add(sector, 1);
  }

  /** All that the block has asked for. */
  end(): BlockTraffic {
    this.meet();
    this.#runs.end();
    return { block: this.block, words: this.#out.taken() };
  }
}
