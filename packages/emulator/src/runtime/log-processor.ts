import { type BlockTraffic, TrafficRecorder, WAY } from '../caches/block-traffic.js';
import { CTX, LOG_ENTRY_BYTES } from '../layout.js';
import type { SiteInfo, TranslatedKernel } from '../translate/translated-kernel.js';
import { measureRequest } from './request.js';
import { SharedRequests } from './shared-request.js';
import { WarpRequests } from './warp-requests.js';

const WORDS = LOG_ENTRY_BYTES / 4;

/** Figures a site; see `SiteCounters`. */
export const FIGURES = {
  requests: 0,
  sectors: 1,
  bytesRequested: 2,
  bytesUsed: 3,
  wavefronts: 4,
  idealWavefronts: 5,
  count: 6,
} as const;

/** Words of traffic that all workers of a launch keep together; blocks after that are not modelled. */
const MOST_TRAFFIC = 2 ** 26;

/** Loads that do not look into the L1 cache, by their spelling. */
const PAST_L1 = /^(?:@\S+\s+)?(?:cp\.async\.cg|ld\.(?:volatile|relaxed|acquire|\S*\.c[gv]\b))/;

function wayOf({ kind, text }: SiteInfo): number {
  if (kind === 'store') return WAY.store;
  if (kind === 'atomic') return WAY.atomic;
  return PAST_L1.test(text) ? WAY.direct : WAY.cached;
}

/** A warp of a block whose traffic is recorded. */
export interface RecordedWarp {
  readonly traffic: TrafficRecorder;
  readonly warp: number;
}

/**
 * Turns the access log of a warp's eight groups into requests. A request is all that the lanes of a warp do at their
 * nth execution of a site; groups run one after the other, and hand over at different times, so that their entries
 * are matched up here.
 */
export class LogProcessor {
  readonly totals: Float64Array;
  readonly #kernel: TranslatedKernel;
  readonly #i32: Int32Array;
  readonly #start: number;
  readonly #quadBytes: number;
  #next: number;
  readonly #from = new Int32Array(8);
  readonly #to = new Int32Array(8);
  /** Addresses of the lanes that take part, packed, and by lane. */
  readonly #addresses = new Uint32Array(32);
  readonly #byLane = new Uint32Array(32);
  readonly #shared = new SharedRequests();
  readonly #ways: readonly number[];
  readonly #l1Bytes: number;
  #room: number;
  #into: RecordedWarp | undefined;
  /** Global traffic of the blocks that have finished; empty unless it is recorded. */
  readonly traffic: BlockTraffic[] = [];

  /**
   * @param l1Bytes of the L1 cache that each block has; 0: traffic is not recorded
   * @param workers that record
   */
  constructor(
    kernel: TranslatedKernel,
    i32: Int32Array,
    start: number,
    quadBytes: number,
    l1Bytes = 0,
    workers = 1,
  ) {
    this.#kernel = kernel;
    this.#i32 = i32;
    this.#start = start;
    this.#next = start;
    this.#quadBytes = quadBytes;
    this.totals = new Float64Array(kernel.sites.length * FIGURES.count);
    this.#ways = kernel.sites.map(wayOf);
    this.#l1Bytes = l1Bytes;
    this.#room = Math.floor(MOST_TRAFFIC / workers);
  }

  /** A block starts; what it records its traffic with, where that is wanted and there is room. */
  startBlock(index: number): TrafficRecorder | undefined {
    return this.#l1Bytes > 0 && this.#room > 0 ? new TrafficRecorder(index, this.#l1Bytes) : undefined;
  }

  endBlock(recorder: TrafficRecorder | undefined): void {
    if (recorder === undefined) return;
    const traffic = recorder.end();
    this.#room -= traffic.words.length;
    this.traffic.push(traffic);
  }

  /** Bytes of log that one worker needs: eight groups, each up to its soft end and once through the code. */
  static bytes(kernel: TranslatedKernel, quadBytes: number): number {
    return 8 * (quadBytes + 4 * (kernel.sites.length + 8) * LOG_ENTRY_BYTES);
  }

  /** A group of the warp is about to run: its entries follow those of the group before it. */
  begin(group: number, ctx: number): void {
    this.#from[group] = this.#next;
    this.#i32[(ctx + CTX.logNext) >> 2] = this.#next;
    this.#i32[(ctx + CTX.logSoftEnd) >> 2] = this.#next + this.#quadBytes;
  }

  end(group: number, ctx: number): void {
    this.#next = this.#i32[(ctx + CTX.logNext) >> 2]!;
    this.#to[group] = this.#next;
  }

  /**
   * Counts what the warp's groups have logged since the last flush.
   * @param open requests that wait for more lanes
   * @param live lanes that have not exited, a bit each
   * @param into where the warp's traffic is recorded
   * @returns requests that wait now
   */
  flush(open: WarpRequests | undefined, live: number, into?: RecordedWarp): WarpRequests | undefined {
    this.#into = into;
    const active: number[] = [];
    let all = true;
    for (let group = 0; group < 8; group++) {
      if (this.#to[group]! > this.#from[group]!) active.push(group);
      else if ((live >>> (4 * group)) & 15) all = false;
    }
    let waiting = open;
    if (active.length > 0 && !(waiting === undefined && all && this.#alike(active))) {
      waiting ??= new WarpRequests();
      this.#record(active, waiting);
    }
    this.#from.fill(0);
    this.#to.fill(0);
    this.#next = this.#start;
    waiting?.close(live, this.#countRequest);
    return waiting?.inStep(live) === true ? undefined : waiting;
  }

  /** Counts what waits: the warp's lanes stand at a barrier. */
  settle(open: WarpRequests | undefined, into?: RecordedWarp): void {
    this.#into = into;
    open?.close(0, this.#countRequest);
  }

  /** The usual case: every group did the same accesses in the same order, with all four lanes. */
  #alike(active: readonly number[]): boolean {
    const i32 = this.#i32;
    const first = active[0]!;
    const words = (this.#to[first]! - this.#from[first]!) >> 2;
    const starts = active.map((group) => this.#from[group]! >> 2);
    for (const group of active) if (this.#to[group]! - this.#from[group]! !== words << 2) return false;
    for (let at = 0; at < words; at += WORDS) {
      const head = i32[starts[0]! + at]!;
      if ((head & 15) !== 15) return false;
      for (const start of starts) if (i32[start + at] !== head) return false;
    }
    const addresses = this.#addresses;
    const taking = active.reduce((lanes, group) => lanes | (15 << (4 * group)), 0);
    for (let at = 0; at < words; at += WORDS) {
      const site = i32[starts[0]! + at]! >>> 4;
      let lanes = 0;
      for (const start of starts) {
        for (let lane = 1; lane <= 4; lane++) addresses[lanes++] = i32[start + at + lane]!;
      }
      if (!this.#isShared(site)) {
        this.#count(site, lanes);
        continue;
      }
      const byLane = lanes === 32 ? addresses : this.#byLane;
      if (lanes < 32)
        active.forEach((group, i) => {
          byLane.set(addresses.subarray(4 * i, 4 * i + 4), 4 * group);
        });
      this.#countShared(site, lanes, byLane, taking);
    }
    return true;
  }

  /** Any order: each lane's accesses go to the requests that wait. */
  #record(active: readonly number[], waiting: WarpRequests): void {
    const i32 = this.#i32;
    for (const group of active) {
      for (let at = this.#from[group]! >> 2; at < this.#to[group]! >> 2; at += WORDS) {
        const head = i32[at]!;
        for (let lane = 0; lane < 4; lane++) {
          if (head & (1 << lane)) waiting.add(head >>> 4, 4 * group + lane, i32[at + 1 + lane]!);
        }
      }
    }
  }

  readonly #countRequest = (site: number, lanes: number, addresses: Uint32Array): void => {
    let count = 0;
    for (let lane = 0; lane < 32; lane++) {
      if (lanes & (1 << lane)) this.#addresses[count++] = addresses[lane]!;
    }
    if (this.#isShared(site)) this.#countShared(site, count, addresses, lanes);
    else this.#count(site, count);
  };

  #isShared(site: number): boolean {
    return this.#kernel.sites[site]!.space === 'shared';
  }

  /** @param byLane addresses of the lanes whose bits are set in `taking`, `lanes` of them */
  #countShared(site: number, lanes: number, byLane: Uint32Array, taking: number): void {
    const { bytes, kind } = this.#kernel.sites[site]!;
    const at = site * FIGURES.count;
    const totals = this.totals;
    totals[at + FIGURES.requests]! += 1;
    totals[at + FIGURES.bytesRequested]! += lanes * bytes;
    const { wavefronts, ideal } = this.#shared.measure(site, byLane, taking, bytes, kind === 'load');
    totals[at + FIGURES.wavefronts]! += wavefronts;
    totals[at + FIGURES.idealWavefronts]! += ideal;
  }

  #count(site: number, lanes: number): void {
    const { bytes, space } = this.#kernel.sites[site]!;
    const at = site * FIGURES.count;
    const totals = this.totals;
    totals[at + FIGURES.requests]! += 1;
    totals[at + FIGURES.bytesRequested]! += lanes * bytes;
    if (space === 'local') return;
    const { sectors, unique, list } = measureRequest(this.#addresses, lanes, bytes);
    this.#into?.traffic.add(this.#into.warp, this.#ways[site]!, list, sectors);
    totals[at + FIGURES.sectors]! += sectors;
    totals[at + FIGURES.bytesUsed]! += unique * bytes;
  }
}
