export const SECTOR_BYTES = 32;
export const LINE_BYTES = 128;
const SECTORS = LINE_BYTES / SECTOR_BYTES;
const DIRTY_SHIFT = 4;

/** Sectors of a line whose bits are set. */
const bits = (mask: number): number => (mask & 1) + ((mask >> 1) & 1) + ((mask >> 2) & 1) + ((mask >> 3) & 1);

/**
 * A cache of 128-byte lines that are filled sector by sector, set-associative, least recently used out first. Lines
 * are spread over the sets by a hash, as a GPU does, so that rows of a matrix do not all meet in one set.
 */
export class SectorCache {
  readonly #sets: number;
  readonly #ways: number;
  readonly #tags: Int32Array;
  /** Of each line: low four bits, sectors that are there; high four, those that memory does not have yet. */
  readonly #state: Uint8Array;
  readonly #used: Float64Array;
  #clock = 0;
  /** Sectors that were evicted before memory had them. */
  writtenBack = 0;

  /** @param bytes at least one line is kept, however small */
  constructor(bytes: number, ways: number) {
    const lines = Math.max(1, Math.floor(bytes / LINE_BYTES));
    this.#ways = Math.min(ways, lines);
    this.#sets = Math.max(1, Math.floor(lines / this.#ways));
    this.#tags = new Int32Array(this.#sets * this.#ways).fill(-1);
    this.#state = new Uint8Array(this.#tags.length);
    this.#used = new Float64Array(this.#tags.length);
  }

  /** First way of the line's set. */
  #set(line: number): number {
    let hash = Math.imul(line, 0x9e3779b1);
    hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
    return (((hash ^ (hash >>> 13)) >>> 0) % this.#sets) * this.#ways;
  }

  #find(line: number): number {
    const from = this.#set(line);
    for (let way = from; way < from + this.#ways; way++) if (this.#tags[way] === line) return way;
    return -1;
  }

  /** The line's place; the least recently used of its set makes room. */
  #claim(line: number): number {
    const from = this.#set(line);
    let oldest = from;
    for (let way = from; way < from + this.#ways; way++) {
      if (this.#tags[way] === line) return way;
      if (this.#used[way]! < this.#used[oldest]!) oldest = way;
    }
    this.writtenBack += bits(this.#state[oldest]! >> DIRTY_SHIFT);
    this.#tags[oldest] = line;
    this.#state[oldest] = 0;
    return oldest;
  }

  /** Reads a sector, which then is there. True where it was there before. */
  read(sector: number): boolean {
    const way = this.#claim(Math.floor(sector / SECTORS));
    const bit = 1 << (sector % SECTORS);
    const hit = (this.#state[way]! & bit) !== 0;
    this.#state[way]! |= bit;
    this.#used[way] = ++this.#clock;
    return hit;
  }

  /** Writes a sector, which is kept until it is evicted; nothing is fetched for it. True where it was there before. */
  write(sector: number): boolean {
    const hit = this.read(sector);
    this.#state[this.#find(Math.floor(sector / SECTORS))]! |= 1 << (DIRTY_SHIFT + (sector % SECTORS));
    return hit;
  }

  /** Sectors that memory does not have yet. */
  get dirty(): number {
    return this.#state.reduce((sum, state) => sum + bits(state >> DIRTY_SHIFT), 0);
  }
}
