import { CTX, QUAD, RESULT, resultBlock, resultKind } from '../layout.js';
import type { TranslatedKernel } from '../translate/translated-kernel.js';
import { deadlockFault, releaseBarriers } from './barriers.js';
import { writeHeaders } from './block-headers.js';
import { type LaunchRecord, type SlotLayout, slotLayout, threadsOf } from './launch-record.js';
import type { LogProcessor } from './log-processor.js';
import { expandLanes, gatherLanes } from './register-areas.js';
import type { WarpRequests } from './warp-requests.js';

/** What a group of four lanes is doing. */
export const GROUP = { ready: 0, readyCold: 1, barrier: 2, apart: 3, exited: 4 } as const;
/** What a lane that runs apart is doing. */
export const LANE = { ready: 0, barrier: 1, meet: 2, exited: 3 } as const;

export interface KernelExports {
  readonly hot: readonly (((state: number, ctx: number) => number) | undefined)[];
  cold(state: number, ctx: number, start: number): number;
  lane(state: number, ctx: number, start: number, stop: number, lane: number): number;
}

/** Views of the shared memory below the heap; these never move. */
export interface Views {
  readonly i32: Int32Array;
  readonly i64: BigInt64Array;
  readonly u8: Uint8Array;
}

/** Executes one resident block at a time slot by slot: runs its groups of lanes from one suspend point to the next. */
export class BlockRunner {
  readonly kernel: TranslatedKernel;
  readonly layout: SlotLayout;
  readonly threads: number;
  readonly ctx: number;
  readonly groups: Uint8Array;
  /** Block at which a group goes on; for one that runs apart, where its lanes meet (−1: nowhere). */
  readonly pc: Int32Array;
  readonly lanes: Uint8Array;
  readonly lanePc: Int32Array;
  readonly #launch: LaunchRecord;
  readonly #exports: KernelExports;
  readonly #views: Views;
  readonly #log: LogProcessor | undefined;
  /** By warp: requests that wait for lanes that lag. */
  readonly #requests: (WarpRequests | undefined)[] = [];

  constructor(
    kernel: TranslatedKernel,
    launch: LaunchRecord,
    exports: KernelExports,
    views: Views,
    slot: number,
    worker: number,
    log: LogProcessor | undefined,
  ) {
    this.kernel = kernel;
    this.#launch = launch;
    this.#exports = exports;
    this.#views = views;
    this.#log = log;
    this.ctx = slot;
    this.threads = threadsOf(launch.block);
    this.layout = slotLayout(kernel, launch.block, launch.sharedBytes, launch.localBytes);
    const { quads } = this.layout;
    this.groups = new Uint8Array(quads);
    this.pc = new Int32Array(quads);
    this.lanes = new Uint8Array(4 * quads);
    this.lanePc = new Int32Array(4 * quads);
    writeHeaders(views.i32, slot, kernel.stateBytes, this.layout, launch, worker);
  }

  state(group: number): number {
    return this.ctx + this.layout.states + group * this.kernel.stateBytes;
  }

  #set(field: number, value: number): void {
    this.#views.i32[(this.ctx + field) >> 2] = value;
  }

  /** Puts block number `index` of the grid into the slot. */
  start(index: number): void {
    const [gx, gy] = this.#launch.grid;
    this.#set(CTX.ctaid, index % gx);
    this.#set(CTX.ctaid + 4, Math.floor(index / gx) % gy);
    this.#set(CTX.ctaid + 8, Math.floor(index / (gx * gy)));
    this.#set(CTX.smid, index % this.#launch.smCount);
    if (this.#launch.checks) {
      const { u8 } = this.#views;
      const { sharedShadow, localShadow } = this.layout;
      // Padding beyond the block's own bytes is out of range for every check, so it needs no marking.
      u8.fill(
        0xf0,
        this.ctx + sharedShadow,
        this.ctx + sharedShadow + Math.ceil(this.#launch.sharedBytes / 4),
      );
      u8.fill(
        0xf0,
        this.ctx + localShadow,
        this.ctx + localShadow + (this.threads * this.#launch.localBytes) / 4,
      );
    }
    this.groups.fill(GROUP.ready);
    this.pc.fill(0);
    const partial = this.threads % 4;
    if (partial === 0) return;
    // The last group lacks lanes: the others run apart, and never meet.
    const last = this.layout.quads - 1;
    this.groups[last] = GROUP.apart;
    this.pc[last] = -1;
    for (let lane = 0; lane < 4; lane++) {
      this.lanes[4 * last + lane] = lane < partial ? LANE.ready : LANE.exited;
      this.lanePc[4 * last + lane] = 0;
    }
  }

  /** Runs everything that can run, once. True when the block has finished. @throws KernelFault */
  pass(): boolean {
    const warps = Math.ceil(this.layout.quads / 8);
    let runnable = false;
    let alive = false;
    let waiting = false;
    for (let warp = 0; warp < warps; warp++) {
      const end = Math.min(8 * warp + 8, this.layout.quads);
      for (let group = 8 * warp; group < end; group++) {
        const status = this.groups[group]!;
        if (status === GROUP.exited || status === GROUP.barrier) {
          if (status === GROUP.barrier) alive = waiting = true;
          continue;
        }
        this.#log?.begin(group - 8 * warp, this.ctx);
        if (status === GROUP.apart) this.#runApart(group);
        else this.#run(group, status);
        this.#log?.end(group - 8 * warp, this.ctx);
        const now = this.groups[group]!;
        if (now !== GROUP.exited) alive = true;
        if (now === GROUP.barrier || (now === GROUP.apart && this.#someLane(group, LANE.barrier)))
          waiting = true;
        if (
          now === GROUP.ready ||
          now === GROUP.readyCold ||
          (now === GROUP.apart && this.#someLane(group, LANE.ready))
        ) {
          runnable = true;
        }
      }
      if (this.#log !== undefined) {
        this.#requests[warp] = this.#log.flush(this.#requests[warp], this.#liveLanes(warp));
      }
    }
    if (!alive) return true;
    // Tried even while some threads run: they may be spinning until one that waits at a barrier has gone on.
    const released = waiting && releaseBarriers(this);
    if (!runnable && !released && !this.#partLanes()) throw deadlockFault(this, this.#views);
    return false;
  }

  /** Lanes of a warp that have not exited, a bit each. */
  #liveLanes(warp: number): number {
    let live = 0;
    for (let lane = 0; lane < 32; lane++) {
      const status = this.groups[8 * warp + (lane >> 2)];
      if (status === undefined || status === GROUP.exited) continue;
      if (status !== GROUP.apart || this.lanes[32 * warp + lane] !== LANE.exited) live |= 1 << lane;
    }
    return live;
  }

  /** A warp goes on from a barrier: what its lanes did before it, none can join any more. */
  passBarrier(warp: number): void {
    this.#log?.settle(this.#requests[warp]);
    this.#requests[warp] = undefined;
  }

  #someLane(group: number, status: number): boolean {
    for (let lane = 0; lane < 4; lane++) if (this.lanes[4 * group + lane] === status) return true;
    return false;
  }

  #run(group: number, status: number): void {
    const state = this.state(group);
    const pc = this.pc[group]!;
    const hot = status === GROUP.ready ? this.#exports.hot[pc] : undefined;
    const result = hot === undefined ? this.#exports.cold(state, this.ctx, pc) : hot(state, this.ctx);
    switch (resultKind(result)) {
      case RESULT.exit:
        this.groups[group] = GROUP.exited;
        break;
      case RESULT.barrier:
        this.groups[group] = GROUP.barrier;
        this.pc[group] = resultBlock(result);
        break;
      case RESULT.diverge:
        this.#split(group, resultBlock(result));
        this.#runApart(group);
        break;
      default:
        this.groups[group] = GROUP.ready;
        this.pc[group] = resultBlock(result);
    }
  }

  /** Lets the lanes of a group go their own ways from a branch that has not happened yet. */
  #split(group: number, branch: number): void {
    const split = this.kernel.splits[branch]!;
    const state = this.state(group);
    const bits = this.#views.i32[(state + QUAD.guardBits) >> 2]!;
    expandLanes(this.#views, state, this.kernel.areaBytes, split.live);
    this.groups[group] = GROUP.apart;
    this.pc[group] = split.meet;
    for (let lane = 0; lane < 4; lane++) {
      const target = bits & (1 << lane) ? split.taken : split.fallthrough;
      this.lanePc[4 * group + lane] = target;
      this.lanes[4 * group + lane] = target === split.meet ? LANE.meet : LANE.ready;
    }
  }

  #runApart(group: number): void {
    const state = this.state(group);
    const stop = this.pc[group]!;
    for (let lane = 0; lane < 4; lane++) {
      const index = 4 * group + lane;
      if (this.lanes[index] !== LANE.ready) continue;
      const result = this.#exports.lane(state, this.ctx, this.lanePc[index]!, stop, lane);
      this.lanePc[index] = resultBlock(result);
      const kind = resultKind(result);
      this.lanes[index] =
        kind === RESULT.exit
          ? LANE.exited
          : kind === RESULT.barrier
            ? LANE.barrier
            : kind === RESULT.rejoin
              ? LANE.meet
              : LANE.ready;
    }
    this.#settle(group);
  }

  /**
   * Sends on the lanes that stand where their group is to meet, because nothing else can run: those that they wait
   * for are at a barrier, which counts only the threads that have not exited. Only lanes that have nothing left to
   * do, or whose barrier may be executed apart: the others have gone past a barrier of their warp. False if none.
   */
  #partLanes(): boolean {
    let parted = false;
    this.groups.forEach((status, group) => {
      if (status !== GROUP.apart || !this.#someLane(group, LANE.meet)) return;
      if (!this.kernel.ends.includes(this.pc[group]!) && this.#waitsAligned(group)) return;
      this.#sendOn(group);
      parted = true;
    });
    return parted;
  }

  #waitsAligned(group: number): boolean {
    return [0, 1, 2, 3].some((lane) => {
      const index = 4 * group + lane;
      return this.lanes[index] === LANE.barrier && this.kernel.barriers[this.lanePc[index]!]!.aligned;
    });
  }

  /** Lets the lanes that have met go on apart, with no meeting to come. */
  #sendOn(group: number): void {
    for (let lane = 0; lane < 4; lane++) {
      if (this.lanes[4 * group + lane] === LANE.meet) this.lanes[4 * group + lane] = LANE.ready;
    }
    this.pc[group] = -1;
  }

  /** Joins lanes that have met, or retires a group whose lanes are all done. */
  #settle(group: number): void {
    let met = 0;
    let exited = 0;
    for (let lane = 0; lane < 4; lane++) {
      const status = this.lanes[4 * group + lane];
      if (status === LANE.meet) met++;
      if (status === LANE.exited) exited++;
    }
    if (exited === 4) {
      this.groups[group] = GROUP.exited;
      return;
    }
    if (met === 4) {
      gatherLanes(this.#views, this.state(group), this.kernel.areaBytes);
      this.groups[group] = GROUP.readyCold;
      return;
    }
    if (met === 0 || met + exited < 4) return;
    // Some lanes have exited: the rest can never be four again.
    this.#sendOn(group);
  }
}
