import { CTX, QUAD, SHADOW_ALLOCATED, SHADOW_IN_FLIGHT, SHADOW_MBARRIER, SHADOW_VALID } from '../layout.js';
import { placeSuffix } from '../ptx/kernel-place.js';
import { ARRIVE, WAIT } from '../translate/lower/host-calls.js';
import type { SiteInfo, TranslatedKernel } from '../translate/translated-kernel.js';
import { AgentRaces, type Issuer } from './agent-races.js';
import { type FaultKind, type FaultRecord, KernelFault } from './fault-record.js';
import { MBarrier } from './mbarrier.js';
import type { RaceClock } from './race-clock.js';

/** A copy in bulk to shared memory that has not landed: pieces of 16 bytes, and where each goes. */
export interface Flight {
  readonly issuer: Issuer;
  readonly bytes: Uint8Array;
  /** Offsets in shared memory. */
  readonly pieces: Int32Array;
}

/** Stores of a thread in bulk, by groups: what each does to global memory when it is done. */
interface Stores {
  open: Store[];
  readonly groups: Store[][];
}

export interface Store {
  readonly issuer: Issuer;
  readonly entry: number;
  readonly run: () => void;
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

export interface SignalViews {
  readonly i32: Int32Array;
  readonly u8: Uint8Array;
}

/** What a block's signals are told of how the launch is run. */
export interface SignalMode {
  /** Whether the shadow is kept. */
  readonly checks: boolean;
  /** Copies land when they are issued, not when they are waited for. */
  readonly early: boolean;
  /** Whether threads must have waited for what they have started. */
  readonly awaited: boolean;
}

/** The mbarriers of a resident block, its copies in flight, and the groups of its stores. */
export class Signals {
  readonly ctx: number;
  readonly views: SignalViews;
  readonly mode: SignalMode;
  readonly races: AgentRaces | undefined;
  readonly #kernel: Pick<TranslatedKernel, 'sites'>;
  readonly #clock: RaceClock | undefined;
  /** Where the header of a thread's group lies. */
  readonly stateOf: (thread: number) => number;
  readonly #barriers = new Map<number, Placed>();
  readonly #stores = new Map<number, Stores>();
  /** By thread, the mbarrier that it has asked in vain, and the parity. */
  readonly #asked = new Map<number, { readonly at: number; readonly parity: number }>();

  constructor(
    ctx: number,
    kernel: Pick<TranslatedKernel, 'sites'>,
    views: SignalViews,
    mode: SignalMode,
    clock: RaceClock | undefined,
    races: AgentRaces | undefined,
    stateOf: (thread: number) => number,
  ) {
    this.ctx = ctx;
    this.#kernel = kernel;
    this.views = views;
    this.mode = mode;
    this.#clock = clock;
    this.races = races;
    this.stateOf = stateOf;
  }

  /** Another block is in the slot. */
  start(): void {
    this.#barriers.clear();
    this.#stores.clear();
    this.#asked.clear();
  }

  field(offset: number): number {
    return this.views.i32[(this.ctx + offset) >> 2]!;
  }

  /** Something has changed that a thread may wait for. */
  #progress(): void {
    this.views.i32[(this.ctx + CTX.progress) >> 2]!++;
  }

  site(site: number): SiteInfo {
    return this.#kernel.sites[site]!;
  }

  #line(site: number): string {
    const { line, source } = this.site(site);
    return `PTX line ${line}${placeSuffix(source)}`;
  }

  /** @param more e.g. the address, and the access that it is about */
  fault(
    kind: FaultKind,
    { site, thread }: Issuer,
    note: string | undefined,
    more: Partial<FaultRecord> = {},
  ): KernelFault {
    const { i32 } = this.views;
    const tid = (offset: number) => i32[((this.stateOf(thread) + offset) >> 2) + (thread & 3)]!;
    return new KernelFault({
      kind,
      block: [this.field(CTX.ctaid), this.field(CTX.ctaid + 4), this.field(CTX.ctaid + 8)],
      thread: [tid(QUAD.tidX), tid(QUAD.tidY), tid(QUAD.tidZ)],
      site: this.site(site),
      ...(note === undefined ? {} : { note }),
      ...more,
    });
  }

  #wrong(issuer: Issuer, at: number, what: string): KernelFault {
    return this.fault('mbarrier', issuer, `that at byte ${at} of shared memory: ${what}`);
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
    if (at < 0 || at + 8 > this.field(CTX.sharedBytes))
      throw this.#wrong(issuer, at, `the block has ${this.field(CTX.sharedBytes)} bytes of shared memory`);
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
        `it was initialised at ${this.#line(found.made.site)}, with no barrier since that would show that to this thread`,
      );
    return found;
  }

  #mark(from: number, bytes: number, shadow: number): void {
    if (!this.mode.checks) return;
    const start = this.field(CTX.sharedShadow) + (from >> 2);
    this.views.u8.fill(shadow, start, start + bytes / 4);
  }

  // ---- mbarriers

  init(issuer: Issuer, at: number, count: number): void {
    this.#checkPlace(issuer, at);
    const old = this.#barriers.get(at);
    if (old !== undefined)
      throw this.#wrong(
        issuer,
        at,
        `it was initialised at ${this.#line(old.made.site)} already; mbarrier.inval comes before another time`,
      );
    const barrier = this.#guarded(issuer, at, () => new MBarrier(count));
    const entry = this.#clock?.entry(issuer.thread) ?? 0;
    this.#barriers.set(at, { barrier, made: issuer, entry, shown: false, seen: 0, flights: [] });
    for (const phase of [0, 1]) this.#clock?.forget(AgentRaces.key(at >> 2, phase));
    this.#mark(at, 8, SHADOW_MBARRIER);
    this.#progress();
  }

  invalidate(issuer: Issuer, at: number): void {
    const { flights } = this.#at(issuer, at);
    if (flights.length > 0) throw this.#wrong(issuer, at, 'a copy that will signal it is in flight');
    this.#barriers.delete(at);
    this.#mark(at, 8, SHADOW_ALLOCATED);
  }

  /** A phase may just have ended: what is released in the next one is another thing than two phases ago. */
  #ended(at: number, { barrier }: Placed, over: boolean): void {
    if (over) this.#clock?.forget(AgentRaces.key(at >> 2, barrier.phase));
    this.#progress();
  }

  expect(issuer: Issuer, at: number, bytes: number): void {
    const placed = this.#at(issuer, at);
    this.#guarded(issuer, at, () => placed.barrier.expect(bytes));
    this.#progress();
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
    if (!barriersOnly && this.races !== undefined) this.#clock?.showToAgents(thread >> 5);
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
        `copies cannot know that it was initialised at ${this.#line(placed.made.site)}: fence.mbarrier_init or fence.proxy.async is missing behind that`,
      );
    this.#checkFree(flight);
    if (this.races !== undefined) {
      const agent = this.races.agent(`mbarrier ${at}`);
      this.races.issue(agent, issuer);
      for (const piece of pieces)
        for (let word = piece >> 2; word < (piece >> 2) + 4; word++)
          this.races.checkWrite(agent, word, issuer);
    }
    for (const piece of pieces) this.#mark(piece, 16, SHADOW_IN_FLIGHT);
    placed.flights.push(flight);
    this.#progress();
    if (this.mode.early) this.#land(at, placed);
  }

  /** Nothing else may be on its way to where a copy goes, and no mbarrier may lie there. */
  #checkFree({ issuer, pieces }: Flight): void {
    if (!this.mode.checks) return;
    const shadow = this.field(CTX.sharedShadow);
    for (const piece of pieces) {
      for (let word = piece >> 2; word < (piece >> 2) + 4; word++) {
        const now = this.views.u8[shadow + word]!;
        if (now === SHADOW_MBARRIER)
          throw this.fault(
            'mbarrier',
            issuer,
            `one lies at byte ${4 * word} of shared memory, where a copy goes`,
          );
        if (now !== SHADOW_IN_FLIGHT) continue;
        throw this.fault('copy-in-flight', issuer, this.flightAt(4 * word), {
          address: BigInt(4 * word),
          site: { ...this.site(issuer.site), kind: 'copy', bytes: 16 },
        });
      }
    }
  }

  /** The oldest copy that signals an mbarrier lands. */
  #land(at: number, placed: Placed): void {
    const { issuer, bytes, pieces } = placed.flights.shift()!;
    const { u8 } = this.views;
    const shared = this.field(CTX.shared);
    const agent = this.races?.agent(`mbarrier ${at}`);
    const entry = agent === undefined ? 0 : this.#clock!.entryOf(agent);
    for (const [i, piece] of pieces.entries()) {
      u8.set(bytes.subarray(16 * i, 16 * i + 16), shared + piece);
      this.#mark(piece, 16, SHADOW_VALID);
      for (let word = piece >> 2; agent !== undefined && word < (piece >> 2) + 4; word++)
        this.races!.wrote(word, entry, issuer.site);
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
        return `that of thread ${issuer.thread} of the block, issued at ${this.#line(issuer.site)}`;
      }
    }
    return undefined;
  }

  // ---- stores to global memory

  #storesOf(thread: number): Stores {
    let stores = this.#stores.get(thread);
    if (stores === undefined) {
      stores = { open: [], groups: [] };
      this.#stores.set(thread, stores);
    }
    return stores;
  }

  /** Starts a store in bulk of `bytes` of shared memory from `from` on; `run` does it. @throws KernelFault */
  store(issuer: Issuer, pieces: Int32Array, run: () => void): void {
    let entry = 0;
    if (this.races !== undefined) {
      const agent = this.races.agent(`stores of ${issuer.thread}`);
      this.races.issue(agent, issuer);
      const words = [...pieces].flatMap((piece) => [0, 1, 2, 3].map((word) => (piece >> 2) + word));
      for (const word of words) this.races.checkRead(agent, word, issuer);
      entry = this.#clock!.entryOf(agent);
      for (const word of words) this.races.reads(agent, word, entry, issuer.site);
    }
    if (this.mode.early) run();
    this.#storesOf(issuer.thread).open.push({ issuer, entry, run: this.mode.early ? () => undefined : run });
  }

  commit(thread: number): void {
    const stores = this.#storesOf(thread);
    stores.groups.push(stores.open);
    stores.open = [];
  }

  /** Does the stores of a thread but those of its `pending` youngest groups. */
  awaitStores(thread: number, pending: number): void {
    const { groups } = this.#storesOf(thread);
    while (groups.length > pending) {
      for (const { run, entry } of groups.shift()!) {
        run();
        this.#clock?.waited(thread >> 5, this.races!.agent(`stores of ${thread}`), entry);
      }
    }
  }

  // ---- what goes wrong

  /** The block has ended. @throws KernelFault where something was not waited for */
  end(): void {
    if (!this.mode.awaited) return;
    for (const { flights } of this.#barriers.values()) {
      for (const { issuer, pieces } of flights)
        throw this.fault('copy-never-awaited', issuer, `${pieces[0]} of shared memory`);
    }
    for (const { open, groups } of this.#stores.values()) {
      for (const { issuer } of [...groups.flat(), ...open])
        throw this.fault('copy-never-awaited', issuer, 'of global memory');
    }
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
