import { CTX, QUAD } from '../layout.js';
import type { CodePoint, SiteInfo, TranslatedKernel } from '../translate/translated-kernel.js';
import { type FaultRecord, KernelFault, type OtherAccess } from './fault-record.js';
import type { RaceClock } from './race-clock.js';
import { isAtomic, mergedEntry, RACE, RACE_ACCESS, RACE_PLANE, warpOf, whoOf } from './race-word.js';

/** Clocks of the blocks that are resident in this worker, by their context record. */
const clocks = new Map<number, RaceClock>();

export const registerClock = (clock: RaceClock): void => {
  clocks.set(clock.place.ctx, clock);
};

/** A write that met another of the same interval: it is a race unless it leaves the word as it was. */
interface Suspect {
  readonly word: number;
  readonly before: number;
  readonly record: FaultRecord;
}

const suspects: Suspect[] = [];

type Kind = (typeof RACE_ACCESS)[keyof typeof RACE_ACCESS];

/** What translated code calls where an access to shared memory may race, and for every atomic one. */
export class RaceCheck {
  readonly #i32: Int32Array;
  readonly #kernel: Pick<TranslatedKernel, 'sites'>;

  constructor(i32: Int32Array, kernel: Pick<TranslatedKernel, 'sites'>) {
    this.#i32 = i32;
    this.#kernel = kernel;
  }

  /**
   * The import `race(kind, site, x, words, mine0..mine3, ctx)`: looks at each word from offset `x` of shared memory on
   * as what it is for the thread that `mine` says touches it.
   * @throws KernelFault
   */
  readonly touch = (
    kind: number,
    site: number,
    x: number,
    words: number,
    mine0: number,
    mine1: number,
    mine2: number,
    mine3: number,
    ctx: number,
  ): void => {
    const mine = [mine0, mine1, mine2, mine3];
    for (let i = 0; i < words; i++) this.#word(kind as Kind, site, (x >> 2) + i, mine[i]!, ctx);
  };

  /** The import `race_after(ctx)`: a write that was suspected has been done. @throws KernelFault */
  readonly after = (ctx: number): void => {
    const shared = this.#field(ctx, CTX.shared) >> 2;
    this.#i32[(ctx + CTX.raceSuspects) >> 2] = 0;
    const found = suspects.find(({ word, before }) => this.#i32[shared + word] !== before);
    suspects.length = 0;
    if (found !== undefined) throw new KernelFault(found.record);
  };

  #field(ctx: number, offset: number): number {
    return this.#i32[(ctx + offset) >> 2]!;
  }

  #word(kind: Kind, site: number, word: number, mine: number, ctx: number): void {
    const clock = clocks.get(ctx)!;
    const plane = (number: number) =>
      ((this.#field(ctx, CTX.race) + number * this.#field(ctx, CTX.racePitch)) >> 2) + word;
    const i32 = this.#i32;
    const [written, read] = [i32[plane(RACE_PLANE.writes)]!, i32[plane(RACE_PLANE.reads)]!];
    const strong = kind !== RACE_ACCESS.read && kind !== RACE_ACCESS.write;
    const warp = warpOf(whoOf(mine))!;
    if (strong) clock.acquire(warp, word);
    const reads = kind === RACE_ACCESS.read || kind === RACE_ACCESS.orderedRead;
    if (!clock.ordered(written, mine) && !(strong && isAtomic(written))) {
      const writer = i32[plane(RACE_PLANE.writeSites)]!;
      // Four lanes that one instruction lets write the same word do it in one step here.
      const together =
        kind === RACE_ACCESS.write && writer === site && whoOf(written) >> 2 === whoOf(mine) >> 2;
      const record = () => this.#record(site, word, mine, written, writer, 'write', ctx);
      if (kind !== RACE_ACCESS.write) throw new KernelFault(record());
      if (!together) {
        // What a launch that ended with a fault has left is of no concern.
        if (this.#field(ctx, CTX.raceSuspects) === 0) suspects.length = 0;
        suspects.push({ word, before: i32[(this.#field(ctx, CTX.shared) >> 2) + word]!, record: record() });
        i32[(ctx + CTX.raceSuspects) >> 2] = 1;
      }
    }
    if (!reads && !clock.ordered(read, mine) && !(strong && isAtomic(read))) {
      const reader = i32[plane(RACE_PLANE.readSites)]!;
      throw new KernelFault(this.#record(site, word, mine, read, reader, 'read', ctx));
    }
    if (!strong) return;
    const into = plane(reads ? RACE_PLANE.reads : RACE_PLANE.writes);
    const old = i32[into]!;
    const own = mine | RACE.atomic;
    i32[into] = clock.ordered(old, mine) ? own : mergedEntry(old, own);
    i32[plane(reads ? RACE_PLANE.readSites : RACE_PLANE.writeSites)] = site;
    if (kind !== RACE_ACCESS.orderedRead) clock.release(warp, word);
  }

  /** The fault of an access by a thread's copy in bulk, or about an mbarrier. */
  fault(
    { site, thread }: { readonly site: number; readonly thread: number },
    word: number,
    entry: number,
    otherSite: number,
    did: 'write' | 'read',
    ctx: number,
    note?: string,
  ): KernelFault {
    const record = this.#record(site, word, thread, entry, otherSite, did, ctx);
    const own: SiteInfo = { ...this.#kernel.sites[site]!, space: 'shared', kind: 'bulk' };
    return new KernelFault({ ...record, site: own, ...(note === undefined ? {} : { note }) });
  }

  #record(
    site: number,
    word: number,
    mine: number,
    entry: number,
    otherSite: number,
    did: 'write' | 'read',
    ctx: number,
  ): FaultRecord {
    const own = whoOf(mine);
    const first = own < RACE.warp ? own : this.#anyLane(own, entry);
    return {
      kind: 'race',
      block: [0, 4, 8].map((axis) => this.#field(ctx, CTX.ctaid + axis)) as [number, number, number],
      thread: this.#tid(ctx, first),
      site: this.#kernel.sites[site]!,
      address: BigInt(4 * word),
      other: this.#other(ctx, entry, this.#kernel.sites[otherSite], did),
    };
  }

  /** A thread of those that touch one word together; not the other one of the race. */
  #anyLane(own: number, entry: number): number {
    const first = 32 * (own - RACE.warp);
    return first === whoOf(entry) ? first + 1 : first;
  }

  #other(ctx: number, entry: number, at: CodePoint | undefined, did: 'write' | 'read'): OtherAccess {
    const who = whoOf(entry);
    const warp = warpOf(who);
    return {
      did,
      ...(who < RACE.warp
        ? { thread: this.#tid(ctx, who) }
        : {
            threads:
              warp !== undefined && warp >= clocks.get(ctx)!.warps
                ? 'a copy in bulk'
                : (warp ?? 'several warps'),
          }),
      ...(at === undefined ? {} : { at }),
    };
  }

  #tid(ctx: number, thread: number): [number, number, number] {
    const { states, stateBytes } = clocks.get(ctx)!.place;
    const at = ((states + (thread >> 2) * stateBytes) >> 2) + (thread & 3);
    const read = (offset: number) => this.#i32[at + offset / 4]!;
    return [read(QUAD.tidX), read(QUAD.tidY), read(QUAD.tidZ)];
  }
}
