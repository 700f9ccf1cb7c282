import { CTX } from '../layout.js';
import type { RaceCheck } from './race-check.js';
import type { RaceClock } from './race-clock.js';
import { mergedEntry, RACE, RACE_PLANE } from './race-word.js';

/** Agents that a block has at most: one for each mbarrier, and for each thread that stores in bulk; more share the last. */
export const AGENTS = 24;

/** Who gives an agent something to do, and by which instruction. */
export interface Issuer {
  readonly site: number;
  /** Number in the block. */
  readonly thread: number;
}

/** The race check of copies in bulk: agents read and write shared memory, after what their issuer has seen. */
export class AgentRaces {
  readonly #i32: Int32Array;
  readonly #ctx: number;
  readonly #clock: RaceClock;
  readonly #check: RaceCheck;
  readonly #agents = new Map<string, number>();

  constructor(i32: Int32Array, ctx: number, clock: RaceClock, check: RaceCheck) {
    this.#i32 = i32;
    this.#ctx = ctx;
    this.#clock = clock;
    this.#check = check;
  }

  /** The agent of an mbarrier, or of a thread's stores. */
  agent(key: string): number {
    let agent = this.#agents.get(key);
    if (agent === undefined) {
      agent = this.#clock.warps + Math.min(this.#agents.size, AGENTS - 1);
      this.#agents.set(key, agent);
    }
    return agent;
  }

  #plane(plane: number, word: number): number {
    const field = (offset: number) => this.#i32[(this.#ctx + offset) >> 2]!;
    return ((field(CTX.race) + plane * field(CTX.racePitch)) >> 2) + word;
  }

  issue(agent: number, { thread }: Issuer): void {
    this.#clock.issue(agent, thread >> 5);
  }

  /** A word that an agent is about to write: nobody may still read or write it. @throws KernelFault */
  checkWrite(agent: number, word: number, issuer: Issuer): void {
    this.#checkEntry(agent, word, issuer, 'write');
    this.#checkEntry(agent, word, issuer, 'read');
    this.#checkShown(word, issuer);
  }

  /** A word that an agent is about to read: it must have been written before. @throws KernelFault */
  checkRead(agent: number, word: number, issuer: Issuer): void {
    this.#checkEntry(agent, word, issuer, 'write');
    this.#checkShown(word, issuer);
  }

  /** What a thread has written is not known to agents without a fence (PTX ISA, "Proxies"). @throws KernelFault */
  #checkShown(word: number, issuer: Issuer): void {
    const written = this.#i32[this.#plane(RACE_PLANE.writes, word)]!;
    if (this.#clock.shown(written, issuer.thread >> 5)) return;
    const site = this.#i32[this.#plane(RACE_PLANE.writeSites, word)]!;
    const note = 'with no fence.proxy.async in between';
    throw this.#check.fault(issuer, word, written, site, 'write', this.#ctx, note);
  }

  #checkEntry(agent: number, word: number, issuer: Issuer, did: 'write' | 'read'): void {
    const writes = did === 'write';
    const entry = this.#i32[this.#plane(writes ? RACE_PLANE.writes : RACE_PLANE.reads, word)]!;
    if (this.#clock.ordered(entry, RACE.warp + agent)) return;
    const site = this.#i32[this.#plane(writes ? RACE_PLANE.writeSites : RACE_PLANE.readSites, word)]!;
    throw this.#check.fault(issuer, word, entry, site, did, this.#ctx);
  }

  /** An agent has written words; the entry says when. */
  wrote(word: number, entry: number, site: number): void {
    this.#i32[this.#plane(RACE_PLANE.writes, word)] = entry;
    this.#i32[this.#plane(RACE_PLANE.writeSites, word)] = site;
  }

  /** An agent reads words from now on; who writes there must have waited for it. */
  reads(agent: number, word: number, entry: number, site: number): void {
    const at = this.#plane(RACE_PLANE.reads, word);
    const old = this.#i32[at]!;
    this.#i32[at] = this.#clock.ordered(old, RACE.warp + agent) ? entry : mergedEntry(old, entry);
    this.#i32[this.#plane(RACE_PLANE.readSites, word)] = site;
  }

  /** A place in shared memory where something is released and acquired in one phase of an mbarrier. */
  static key(word: number, phase: number): number {
    return word + (phase & 1) * 2 ** 24;
  }
}
