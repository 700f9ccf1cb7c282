import { QUAD } from '../layout.js';
import { RACE, RACE_PLANE, stampOf, warpOf, whoOf } from './race-word.js';

/** Where a block's groups and the planes of its shared memory lie, in bytes. */
export interface RacePlace {
  /** The block's context record. */
  readonly ctx: number;
  /** Header of the first group, and from one to the next. */
  readonly states: number;
  readonly stateBytes: number;
  readonly threads: number;
  readonly planes: number;
  readonly pitch: number;
}

/**
 * Which accesses of a block come before which: vector clocks (Mattern 1989), one a warp, as FastTrack keeps them
 * (Flanagan and Freund 2009). Time grows whenever warps synchronise. An access is stamped with the time at which its
 * warp last did; warp w has seen all that warp p did up to `seen[w][p]`.
 */
export class RaceClock {
  readonly place: RacePlace;
  readonly #i32: Int32Array;
  readonly #warps: number;
  readonly #seen: Int32Array;
  readonly #now: Int32Array;
  #time = 1;
  /** What an access of either side may order: by word, all that has been released there, a row of clocks. */
  readonly #released = new Map<number, Int32Array>();

  constructor(i32: Int32Array, place: RacePlace) {
    this.#i32 = i32;
    this.place = place;
    this.#warps = Math.ceil(place.threads / 32);
    this.#seen = new Int32Array(this.#warps * this.#warps);
    this.#now = new Int32Array(this.#warps);
    this.#clear();
  }

  #clear(): void {
    const { planes, pitch } = this.place;
    this.#i32.fill(0, planes >> 2, (planes + (RACE_PLANE.reads + 1) * pitch) >> 2);
    this.#time = 1;
    this.#seen.fill(0);
    this.#released.clear();
    this.#now.fill(1);
    for (let warp = 0; warp < this.#warps; warp++) this.#tell(warp);
  }

  /** Writes what translated code needs of a warp's clock into the headers of its groups. */
  #tell(warp: number): void {
    const { states, stateBytes, threads } = this.place;
    const stamp = this.#now[warp]! << RACE.stampShift;
    let safe = Number.POSITIVE_INFINITY;
    for (let other = 0; other < this.#warps; other++)
      safe = Math.min(safe, this.#seen[warp * this.#warps + other]!);
    const all = stamp | (RACE.warp + warp);
    const limit = (safe + 1) << RACE.stampShift;
    for (let group = 8 * warp; group < 8 * warp + 8 && 4 * group < threads; group++) {
      const at = (states + group * stateBytes + QUAD.race) >> 2;
      this.#i32[at] = stamp | (4 * group);
      this.#i32[at + 1] = all;
      this.#i32[at + 2] = limit;
    }
  }

  /** A new moment. True where the clock had to start again: nothing is known of what was before. */
  #tick(): boolean {
    this.#time++;
    if (this.#time < RACE.lastStamp) return false;
    this.#clear();
    return true;
  }

  /** All warps of the block have met, or a new block has come. */
  syncAll(): void {
    if (this.#tick()) return;
    this.#seen.fill(this.#time - 1);
    this.#now.fill(this.#time);
    for (let warp = 0; warp < this.#warps; warp++) this.#tell(warp);
  }

  /** A new block: what was released in the one before is nothing to it. */
  start(): void {
    this.#released.clear();
    this.syncAll();
  }

  /** Some warps have met, or lanes of one. */
  sync(warps: Iterable<number>): void {
    if (this.#tick()) return;
    const met = [...warps];
    const row = new Int32Array(this.#warps);
    for (const warp of met) this.#join(row, this.#rowOf(warp));
    for (const warp of met) row[warp] = this.#time - 1;
    for (const warp of met) {
      this.#seen.set(row, warp * this.#warps);
      this.#now[warp] = this.#time;
      this.#tell(warp);
    }
  }

  #rowOf(warp: number): Int32Array {
    return this.#seen.subarray(warp * this.#warps, (warp + 1) * this.#warps);
  }

  #join(into: Int32Array, row: Int32Array): void {
    for (let i = 0; i < row.length; i++) into[i] = Math.max(into[i]!, row[i]!);
  }

  /** What the warp has done and seen is seen by whoever reads the word after this, and `acquire`s. */
  release(warp: number, word: number): void {
    const row = this.#released.get(word) ?? new Int32Array(this.#warps);
    this.#join(row, this.#rowOf(warp));
    row[warp] = Math.max(row[warp]!, this.#now[warp]!);
    this.#released.set(word, row);
    // What it does from now on is not part of that.
    if (this.#tick()) return;
    this.#now[warp] = this.#time;
    this.#tell(warp);
  }

  acquire(warp: number, word: number): void {
    const row = this.#released.get(word);
    if (row === undefined) return;
    this.#join(this.#rowOf(warp), row);
    this.#tell(warp);
  }

  /** Whether all that an entry stands for comes before what `mine` stands for now. */
  ordered(entry: number, mine: number): boolean {
    const stamp = stampOf(entry);
    if (stamp === 0) return true;
    const [who, own] = [whoOf(entry), whoOf(mine)];
    if (who === own && who < RACE.warp) return true;
    const warp = warpOf(own)!;
    const other = warpOf(who);
    const row = this.#rowOf(warp);
    if (other !== undefined) return stamp <= row[other]!;
    // Whose warp it was is not known: with none of the others, it is certain that one is not ordered.
    let most = 0;
    for (let i = 0; i < row.length; i++) if (i !== warp) most = Math.max(most, row[i]!);
    return stamp <= most;
  }
}
