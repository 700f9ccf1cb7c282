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
  /** How many agents copy in bulk, beside the warps. Default 0. */
  readonly agents?: number;
}

/**
 * Which accesses of a block come before which: vector clocks (Mattern 1989), one a warp, as FastTrack keeps them
 * (Flanagan and Freund 2009). Time grows whenever warps synchronise. An access is stamped with the time at which its
 * warp last did; warp w has seen all that warp p did up to `seen[w][p]`.
 *
 * Copies in bulk are done by agents, which have clocks as warps have, with numbers that follow theirs. Where there are
 * some, each row has a second half: up to where fences have shown what was written to agents (`fence.proxy.async`).
 */
export class RaceClock {
  readonly place: RacePlace;
  readonly warps: number;
  readonly #i32: Int32Array;
  /** Warps and agents. */
  readonly #rows: number;
  /** Words of a row. */
  readonly #pitch: number;
  readonly #seen: Int32Array;
  readonly #now: Int32Array;
  #time = 1;
  /** What an access of either side may order: by word, all that has been released there, a row of clocks. */
  readonly #released = new Map<number, Int32Array>();

  constructor(i32: Int32Array, place: RacePlace) {
    this.#i32 = i32;
    this.place = place;
    this.warps = Math.ceil(place.threads / 32);
    const agents = place.agents ?? 0;
    this.#rows = this.warps + agents;
    this.#pitch = agents === 0 ? this.#rows : 2 * this.#rows;
    this.#seen = new Int32Array(this.#rows * this.#pitch);
    this.#now = new Int32Array(this.#rows);
    this.#clear();
  }

  #clear(): void {
    const { planes, pitch } = this.place;
    this.#i32.fill(0, planes >> 2, (planes + (RACE_PLANE.reads + 1) * pitch) >> 2);
    this.#time = 1;
    this.#seen.fill(0);
    this.#released.clear();
    this.#now.fill(0);
    this.#now.fill(1, 0, this.warps);
    this.#tellAll();
  }

  #tellAll(): void {
    for (let warp = 0; warp < this.warps; warp++) this.#tell(warp);
  }

  /** Writes what translated code needs of a warp's clock into the headers of its groups. */
  #tell(warp: number): void {
    const { states, stateBytes, threads } = this.place;
    const stamp = this.#now[warp]! << RACE.stampShift;
    const row = warp * this.#pitch;
    let safe = Number.POSITIVE_INFINITY;
    for (let other = 0; other < this.#rows; other++) {
      // An agent all of whose copies were seen holds nobody back.
      if (other >= this.warps && this.#seen[row + other]! >= this.#now[other]!) continue;
      safe = Math.min(safe, this.#seen[row + other]!);
    }
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

  /** All warps of the block have met, or a new block has come. What agents do, they have seen as far as one of them has. */
  syncAll(): void {
    if (this.#tick()) return;
    const row = new Int32Array(this.#pitch);
    if (this.#rows > this.warps)
      for (let warp = 0; warp < this.warps; warp++) this.#join(row, this.#rowOf(warp));
    row.fill(this.#time - 1, 0, this.warps);
    for (let warp = 0; warp < this.warps; warp++) this.#seen.set(row, warp * this.#pitch);
    this.#now.fill(this.#time, 0, this.warps);
    this.#tellAll();
  }

  /**
   * A new block: what was released in the one before is nothing to it, its copies are over, and what it has written to
   * shared memory is not there.
   */
  start(): void {
    this.#released.clear();
    for (let agent = this.warps; agent < this.#rows; agent++) {
      for (let warp = 0; warp < this.warps; warp++)
        this.#seen[warp * this.#pitch + agent] = this.#now[agent]!;
    }
    this.syncAll();
    if (this.#rows === this.warps) return;
    for (let warp = 0; warp < this.warps; warp++)
      this.#rowOf(warp).fill(this.#time - 1, this.#rows, this.#rows + this.warps);
  }

  /** Some warps have met, or lanes of one. */
  sync(warps: Iterable<number>): void {
    if (this.#tick()) return;
    const met = [...warps];
    const row = new Int32Array(this.#pitch);
    for (const warp of met) this.#join(row, this.#rowOf(warp));
    for (const warp of met) row[warp] = this.#time - 1;
    for (const warp of met) {
      this.#seen.set(row, warp * this.#pitch);
      this.#now[warp] = this.#time;
      this.#tell(warp);
    }
  }

  #rowOf(warp: number): Int32Array {
    return this.#seen.subarray(warp * this.#pitch, (warp + 1) * this.#pitch);
  }

  #join(into: Int32Array, row: Int32Array): void {
    for (let i = 0; i < row.length; i++) into[i] = Math.max(into[i]!, row[i]!);
  }

  /** What the warp, or agent, has done and seen is seen by whoever reads the word after this, and `acquire`s. */
  release(warp: number, word: number): void {
    const row = this.#released.get(word) ?? new Int32Array(this.#pitch);
    this.#join(row, this.#rowOf(warp));
    row[warp] = Math.max(row[warp]!, this.#now[warp]!);
    this.#released.set(word, row);
    // What it does from now on is not part of that.
    this.#advance(warp);
  }

  acquire(warp: number, word: number): void {
    const row = this.#released.get(word);
    if (row === undefined) return;
    this.#join(this.#rowOf(warp), row);
    this.#tell(warp);
  }

  /** Nothing is released at a word any more. */
  forget(word: number): void {
    this.#released.delete(word);
  }

  #advance(warp: number): void {
    if (this.#tick()) return;
    this.#now[warp] = this.#time;
    if (warp < this.warps) this.#tell(warp);
  }

  /** What a warp has written or seen so far is shown to agents (`fence.proxy.async`). */
  showToAgents(warp: number): void {
    const row = this.#rowOf(warp);
    for (let i = 0; i < this.#rows; i++) row[this.#rows + i] = Math.max(row[this.#rows + i]!, row[i]!);
    row[this.#rows + warp] = this.#now[warp]!;
    this.#advance(warp);
  }

  /** A warp gives an agent something to do: that comes after all that the warp has done and seen. */
  issue(agent: number, warp: number): void {
    const row = this.#rowOf(agent);
    this.#join(row, this.#rowOf(warp));
    row[warp] = this.#now[warp]!;
    this.#advance(warp);
  }

  /** An entry for what an agent does now, which nobody has seen yet. */
  entryOf(agent: number): number {
    this.#advance(agent);
    this.#tellAll();
    return (this.#now[agent]! << RACE.stampShift) | (RACE.warp + agent);
  }

  /** A warp has waited for what an agent did up to the moment of an entry. */
  waited(warp: number, agent: number, entry: number): void {
    const at = warp * this.#pitch + agent;
    this.#seen[at] = Math.max(this.#seen[at]!, stampOf(entry));
    this.#tell(warp);
  }

  /** An entry that says what a thread does now. */
  entry(thread: number): number {
    return (this.#now[thread >> 5]! << RACE.stampShift) | thread;
  }

  /** Whether a fence has shown what an entry stands for to agents, before a warp gave the last of them something to do. */
  shown(entry: number, warp: number): boolean {
    const who = warpOf(whoOf(entry));
    const stamp = stampOf(entry);
    if (stamp === 0 || who === undefined || who >= this.warps) return true;
    return stamp <= this.#seen[warp * this.#pitch + this.#rows + who]!;
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
    for (let i = 0; i < this.#rows; i++) if (i !== warp) most = Math.max(most, row[i]!);
    return stamp <= most;
  }
}
