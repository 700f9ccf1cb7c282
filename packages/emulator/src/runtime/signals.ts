import { CTX, SHADOW_ALLOCATED, SHADOW_IN_FLIGHT, SHADOW_MBARRIER, SHADOW_VALID } from '../layout.js';
import { ARRIVE, WAIT } from '../translate/lower/host-calls.js';
import { AgentRaces, type Issuer } from './agent-races.js';
import type { KernelFault } from './fault-record.js';
import type { HostBlock } from './host-block.js';
import { MBarrier } from './mbarrier.js';
import type { RaceClock } from './race-clock.js';

/** A copy in bulk to shared memory that has not landed: pieces of 16 bytes, and where each goes. */
export interface Flight {
  readonly issuer: Issuer;
  readonly bytes: Uint8Array;
  /** Offsets in shared memory. */
  readonly pieces: Int32Array;
}

interface Placed {
  readonly barrier: MBarrier;
  readonly made: Issuer;
  /** What its initialisation is in the race check, and whether a fence has shown it to agents. */
  readonly entry: number;
  shown: boolean;
  /** Phases that somebody has seen to be over. */
  seen: number;
  readonly flights: Flight[];
}

/** The mbarriers of a resident block, and its copies in flight to shared memory. */
export class Signals {
  readonly #block: HostBlock;
  readonly #clock: RaceClock | undefined;
  readonly #barriers = new Map<number, Placed>();
  /** By thread, the mbarrier that it has asked in vain, and the parity. */
  readonly #asked = new Map<number, { readonly at: number; readonly parity: number }>();

  constructor(block: HostBlock) {
    this.#block = block;
    this.#clock = block.clock;
  }

  /** Another block is in the slot. */
  start(): void {
    this.#barriers.clear();
    this.#asked.clear();
  }

  #wrong(issuer: Issuer, at: number, what: string): KernelFault {
    return this.#block.fault('mbarrier', issuer, `that at byte ${at} of shared memory: ${what}`);
  }

  /** Runs something that an mbarrier may refuse. */
  #guarded<T>(issuer: Issuer, at: number, run: () => T): T {
    try {
      return run();
    } catch (cause) {
      if (!(cause instanceof RangeError)) throw cause;
      const phase = this.#barriers.get(at)?.barrier.phase;
      throw this.#wrong(issuer, at, `${phase === undefined ? '' : `in phase ${phase}, `}${cause.message}`);
    }
  }

  #checkPlace(issuer: Issuer, at: number): void {
    if (at < 0 || at + 8 > this.#block.field(CTX.sharedBytes))
      throw this.#wrong(
        issuer,
        at,
        `the block has ${this.#block.field(CTX.sharedBytes)} bytes of shared memory`,
      );
    if (at % 8 !== 0) throw this.#wrong(issuer, at, 'it must be at a multiple of 8 bytes');
  }

  /** The mbarrier at a place, which is one, and which the thread may know to be. */
  #at(issuer: Issuer, at: number): Placed {
    this.#checkPlace(issuer, at);
    const found = this.#barriers.get(at);
    if (found === undefined)
      throw this.#wrong(issuer, at, 'nothing has initialised it, or it was invalidated');
    const clock = this.#clock;
    if (clock !== undefined && !clock.ordered(found.entry, clock.entry(issuer.thread)))
      throw this.#wrong(
        issuer,
        at,
        `it was initialised at ${this.#block.line(found.made.site)}, with no barrier since that would show that to this thread`,
      );
    return found;
  }

  // ---- mbarriers

  init(issuer: Issuer, at: number, count: number): void {
    this.#checkPlace(issuer, at);
    const old = this.#barriers.get(at);
    if (old !== undefined)
      throw this.#wrong(
        issuer,
        at,
        `it was initialised at ${this.#block.line(old.made.site)} already; mbarrier.inval comes before another time`,
      );
    const barrier = this.#guarded(issuer, at, () => new MBarrier(count));
    const entry = this.#clock?.entry(issuer.thread) ?? 0;
    this.#barriers.set(at, { barrier, made: issuer, entry, shown: false, seen: 0, flights: [] });
    for (const phase of [0, 1]) this.#clock?.forget(AgentRaces.key(at >> 2, phase));
    this.#block.mark(at, 8, SHADOW_MBARRIER);
    this.#block.progress();
  }

  invalidate(issuer: Issuer, at: number): void {
    const { flights } = this.#at(issuer, at);
    if (flights.length > 0) throw this.#wrong(issuer, at, 'a copy that will signal it is in flight');
    this.#barriers.delete(at);
    this.#block.mark(at, 8, SHADOW_ALLOCATED);
  }

  /** A phase may just have ended: what is released in the next one is another thing than two phases ago. */
  #ended(at: number, { barrier }: Placed, over: boolean): void {
    if (over) this.#clock?.forget(AgentRaces.key(at >> 2, barrier.phase));
    this.#block.progress();
  }

  expect(issuer: Issuer, at: number, bytes: number): void {
    const placed = this.#at(issuer, at);
    this.#guarded(issuer, at, () => placed.barrier.expect(bytes));
    this.#block.progress();
  }

  complete(issuer: Issuer, at: number, bytes: number): void {
    const placed = this.#at(issuer, at);
    this.#ended(
      at,
      placed,
      this.#guarded(issuer, at, () => placed.barrier.complete(bytes)),
    );
  }

  /** The state before. */
  arrive(issuer: Issuer, at: number, count: number, bytes: number, flags: number): bigint {
    const placed = this.#at(issuer, at);
    const { barrier } = placed;
    // PTX ISA, "Phases of the mbarrier object".
    if (placed.seen < barrier.phase)
      throw this.#wrong(
        issuer,
        at,
        `an arrival in phase ${barrier.phase} comes before anybody has waited for the end of phase ${barrier.phase - 1}`,
      );
    const { state } = barrier;
    const over = this.#guarded(issuer, at, () => {
      if (bytes > 0) barrier.expect(bytes);
      if ((flags & ARRIVE.relaxed) === 0)
        this.#clock?.release(issuer.thread >> 5, AgentRaces.key(at >> 2, barrier.phase));
      if ((flags & ARRIVE.drop) !== 0) barrier.drop(count);
      return barrier.arrive(count);
    });
    if (over && (flags & ARRIVE.keeps) !== 0)
      throw this.#wrong(
        issuer,
        at,
        `.noComplete says that phase ${barrier.phase - 1} does not end by this arrival, but it does`,
      );
    this.#ended(at, placed, over);
    return state;
  }

  /** The thread's `cp.async` have come, and arrive. */
  copiesArrive(issuer: Issuer, at: number, expected: boolean): void {
    const { barrier } = this.#at(issuer, at);
    if (!expected) barrier.add();
    this.arrive(issuer, at, 1, 0, 0);
  }

  wait(issuer: Issuer, at: number, phase: bigint, flags: number): boolean {
    const placed = this.#at(issuer, at);
    const { barrier, flights } = placed;
    const number = (flags & WAIT.parity) !== 0 ? Number(phase & 1n) : Number((phase >> 20n) & 1n);
    const over = () =>
      (flags & WAIT.parity) !== 0 ? barrier.isOver(number) : BigInt(barrier.phase) > phase >> 20n;
    // Nothing but copies is missing: they have taken as long as they may.
    if (!over() && barrier.pending === 0) while (flights.length > 0 && !over()) this.#land(at, placed);
    if (!over()) {
      this.#asked.set(issuer.thread, { at, parity: number });
      return false;
    }
    this.#asked.delete(issuer.thread);
    placed.seen = barrier.phase;
    if ((flags & WAIT.relaxed) === 0)
      this.#clock?.acquire(issuer.thread >> 5, AgentRaces.key(at >> 2, barrier.phase - 1));
    return true;
  }

  /** Fences what a thread's warp has done for copies in bulk to see; `barriersOnly`: only mbarriers that it has made. */
  fence(thread: number, barriersOnly: boolean): void {
    for (const placed of this.#barriers.values())
      if (placed.made.thread >> 5 === thread >> 5) placed.shown = true;
    if (!barriersOnly && this.#block.races !== undefined) this.#clock?.showToAgents(thread >> 5);
  }

  // ---- copies to shared memory

  /** Starts a copy that signals an mbarrier. Its bytes are those of the source as it is now. @throws KernelFault */
  load(at: number, flight: Flight): void {
    const { issuer, pieces } = flight;
    const placed = this.#at(issuer, at);
    if (!placed.shown)
      throw this.#wrong(
        issuer,
        at,
        `copies cannot know that it was initialised at ${this.#block.line(placed.made.site)}: fence.mbarrier_init or fence.proxy.async is missing behind that`,
      );
    this.#checkFree(flight);
    if (this.#block.races !== undefined) {
      const agent = this.#block.races.agent(`mbarrier ${at}`);
      this.#block.races.issue(agent, issuer);
      for (const piece of pieces)
        for (let word = piece >> 2; word < (piece >> 2) + 4; word++)
          this.#block.races.checkWrite(agent, word, issuer);
    }
    for (const piece of pieces) this.#block.mark(piece, 16, SHADOW_IN_FLIGHT);
    placed.flights.push(flight);
    this.#block.progress();
    if (this.#block.mode.early) this.#land(at, placed);
  }

  /** Nothing else may be on its way to where a copy goes, and no mbarrier may lie there. */
  #checkFree({ issuer, pieces }: Flight): void {
    if (!this.#block.mode.checks) return;
    const shadow = this.#block.field(CTX.sharedShadow);
    for (const piece of pieces) {
      for (let word = piece >> 2; word < (piece >> 2) + 4; word++) {
        const now = this.#block.views.u8[shadow + word]!;
        if (now === SHADOW_MBARRIER)
          throw this.#block.fault(
            'mbarrier',
            issuer,
            `one lies at byte ${4 * word} of shared memory, where a copy goes`,
          );
        if (now !== SHADOW_IN_FLIGHT) continue;
        throw this.#block.fault('copy-in-flight', issuer, this.flightAt(4 * word), {
          address: BigInt(4 * word),
          site: { ...this.#block.site(issuer.site), space: 'shared', kind: 'copy', bytes: 16 },
        });
      }
    }
  }

  /** The oldest copy that signals an mbarrier lands. */
  #land(at: number, placed: Placed): void {
    const { issuer, bytes, pieces } = placed.flights.shift()!;
    const { u8 } = this.#block.views;
    const shared = this.#block.field(CTX.shared);
    const agent = this.#block.races?.agent(`mbarrier ${at}`);
    const entry = agent === undefined ? 0 : this.#clock!.entryOf(agent);
    for (const [i, piece] of pieces.entries()) {
      u8.set(bytes.subarray(16 * i, 16 * i + 16), shared + piece);
      this.#block.mark(piece, 16, SHADOW_VALID);
      for (let word = piece >> 2; agent !== undefined && word < (piece >> 2) + 4; word++)
        this.#block.races!.wrote(word, entry, issuer.site);
    }
    if (agent !== undefined) this.#clock!.release(agent, AgentRaces.key(at >> 2, placed.barrier.phase));
    const over = this.#guarded(issuer, at, () => placed.barrier.complete(bytes.length));
    this.#ended(at, placed, over);
  }

  /** Who has started the copy that is on its way to a byte of shared memory, as a sentence. */
  flightAt(byte: number): string | undefined {
    for (const { flights } of this.#barriers.values()) {
      for (const { issuer, pieces } of flights) {
        if (!pieces.some((piece) => byte >= piece && byte < piece + 16)) continue;
        return `that of thread ${issuer.thread} of the block, issued at ${this.#block.line(issuer.site)}`;
      }
    }
    return undefined;
  }

  // ---- what goes wrong

  /** A copy that nobody has waited for. */
  get unawaited(): Flight | undefined {
    for (const { flights } of this.#barriers.values()) if (flights.length > 0) return flights[0];
    return undefined;
  }

  /** Of the threads that wait in vain, one that does so for bytes that nobody sends. */
  get unserved(): number | undefined {
    for (const [thread, { at }] of this.#asked) {
      const placed = this.#barriers.get(at);
      if (placed?.barrier.pending === 0 && placed.flights.length === 0) return thread;
    }
    return undefined;
  }

  /** What a thread waits for in vain, as a sentence; undefined if for no mbarrier. */
  stalled(thread: number): string | undefined {
    const asked = this.#asked.get(thread);
    const placed = asked === undefined ? undefined : this.#barriers.get(asked.at);
    if (asked === undefined || placed === undefined) return undefined;
    const { barrier } = placed;
    const which = `it waits for parity ${asked.parity} of the mbarrier at byte ${asked.at} of shared memory`;
    const none = barrier.bytes > 0 && placed.flights.length === 0 ? ', and no copy is on its way' : '';
    return `${which}, which is in ${barrier.describe()}${none}`;
  }
}
