import type { TrafficRecorder } from '../caches/block-traffic.js';
import { CTX, RESULT, resultBlock, resultKind } from '../layout.js';
import type { TranslatedKernel } from '../translate/translated-kernel.js';
import { AGENTS, AgentRaces } from './agent-races.js';
import { ApartGroups } from './apart-groups.js';
import { deadlockFault, releaseBarriers } from './barriers.js';
import { writeHeaders } from './block-headers.js';
import { BlockStatus, GROUP } from './block-status.js';
import { BulkCopies } from './bulk-copies.js';
import { BulkMemory } from './bulk-memory.js';
import { BulkStores } from './bulk-stores.js';
import { checkLanded, resetCopies } from './copies.js';
import type { GlobalClock } from './global-clock.js';
import type { GlobalRaces } from './global-races.js';
import { HostBlock } from './host-block.js';
import { type BlockHost, endHost, registerHost, startHost } from './host-imports.js';
import { type LaunchRecord, type SlotLayout, slotLayout, threadsOf } from './launch-record.js';
import type { LogProcessor, RecordedWarp } from './log-processor.js';
import { RaceCheck, registerClock } from './race-check.js';
import { RaceClock } from './race-clock.js';
import { Signals } from './signals.js';
import { Spins } from './spins.js';
import { TurnOrder } from './turn-order.js';
import type { WarpRequests } from './warp-requests.js';

export interface KernelExports {
  readonly hot: readonly (((state: number, ctx: number, start: number) => number) | undefined)[];
  /** This and the next only where lanes can go their own ways. */
  cold(state: number, ctx: number, start: number): number;
  lane(state: number, ctx: number, start: number, stop: number, lane: number): number;
  /** Only of kernels that copy asynchronously, with checks: what has landed for a warp is seen by the block, or the warp. */
  readonly publish?: (state: number, ctx: number, quads: number, warpOnly: number) => void;
}

/** Views of the shared memory below the heap; these never move. */
export interface Views {
  readonly i32: Int32Array;
  readonly i64: BigInt64Array;
  readonly u8: Uint8Array;
}

/** What the groups of a warp are after a turn, as bits. */
const RUNNABLE = 1;
const ALIVE = 2;
const WAITING = 4;
/** Turns that a warp runs ahead of the others at most. */
const TURNS_AHEAD = 1024;

/** Executes one resident block at a time slot by slot: runs its groups of lanes from one suspend point to the next. */
export class BlockRunner {
  readonly kernel: TranslatedKernel;
  readonly layout: SlotLayout;
  readonly threads: number;
  readonly ctx: number;
  readonly status: BlockStatus;
  /** Whether the kernel has barriers of warps. */
  readonly warpsMeet: boolean;
  /** Of the race check: what comes before what. */
  readonly #clock: RaceClock | undefined;
  /** Of kernels that have them: mbarriers, and copies in bulk. */
  readonly host: BlockHost | undefined;
  /** Whether threads must have waited for their copies when they exit. */
  readonly #awaited: boolean;
  readonly #apart: ApartGroups;
  readonly #launch: LaunchRecord;
  readonly #exports: KernelExports;
  readonly #views: Views;
  readonly #log: LogProcessor | undefined;
  readonly #spins: Spins;
  /** The same from block to block. */
  readonly #between: GlobalClock | undefined;
  /** Absent: warps and their groups run in the order of their numbers. */
  readonly #order: TurnOrder | undefined;
  /** Whether the last pass has brought no thread anywhere: all that could run are spinning. */
  idle = false;
  /** By warp: requests that wait for lanes that lag. */
  readonly #requests: (WarpRequests | undefined)[] = [];
  #traffic: TrafficRecorder | undefined;

  constructor(
    kernel: TranslatedKernel,
    launch: LaunchRecord,
    exports: KernelExports,
    views: Views,
    slot: number,
    worker: number,
    log: LogProcessor | undefined,
    between?: GlobalRaces,
  ) {
    this.#between = between?.clock;
    this.kernel = kernel;
    this.#launch = launch;
    this.#exports = exports;
    this.#views = views;
    this.#log = log;
    this.ctx = slot;
    this.threads = threadsOf(launch.block);
    this.layout = slotLayout(
      kernel,
      launch.block,
      launch.sharedBytes,
      launch.localBytes,
      (launch.sanitizers?.racecheck ?? false) !== false,
    );
    this.status = new BlockStatus(this.threads);
    this.warpsMeet = Object.values(kernel.barriers).some(({ warp }) => warp !== undefined);
    this.#awaited = kernel.copies && launch.sanitizers?.synccheck !== false;
    this.#spins = new Spins(kernel, views, this.layout.quads);
    this.#apart = new ApartGroups(this.status, kernel, exports, views, slot, this.#spins, this.#awaited);
    if (launch.schedule !== undefined)
      this.#order = new TurnOrder(launch.schedule, Math.ceil(this.layout.quads / 8));
    writeHeaders(views.i32, slot, kernel.stateBytes, this.layout, launch, worker);
    this.#clock = this.layout.racePitch === 0 ? undefined : this.#makeClock();
    this.host = kernel.signals ? this.#makeHost(between) : undefined;
  }

  #makeClock(): RaceClock {
    const { states, race, racePitch: pitch } = this.layout;
    const { ctx, threads } = this;
    const { stateBytes } = this.kernel;
    const agents = this.kernel.signals ? AGENTS : 0;
    const place = { ctx, states: ctx + states, stateBytes, threads, planes: ctx + race, pitch, agents };
    const clock = new RaceClock(this.#views.i32, place);
    registerClock(clock);
    return clock;
  }

  #makeHost(between: GlobalRaces | undefined): BlockHost {
    const { ctx, kernel } = this;
    const { checks, sanitizers, schedule } = this.#launch;
    const { i32 } = this.#views;
    const clock = this.#clock;
    const races =
      clock === undefined ? undefined : new AgentRaces(i32, ctx, clock, new RaceCheck(i32, kernel));
    const mode = { checks, early: schedule?.copies === 'early', awaited: sanitizers?.synccheck !== false };
    const stateOf = (thread: number) => this.state(thread >> 2);
    const block = new HostBlock(ctx, kernel, this.#views, mode, clock, races, stateOf);
    const parts = { block, signals: new Signals(block), stores: new BulkStores(block) };
    const looked = checks ? sanitizers : undefined;
    const memory = new BulkMemory(block, parts.signals, looked, between, this.#log?.totals);
    const host = { ...parts, bulk: new BulkCopies(parts, memory) };
    registerHost(host);
    return host;
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
    if (this.kernel.copies)
      resetCopies(this.#views, this.ctx, this.kernel.stateBytes, this.layout, this.#launch);
    this.#clock?.start();
    this.#between?.start(this.ctx, index);
    if (this.host !== undefined) startHost(this.host);
    this.status.reset();
    this.#traffic = this.#log?.startBlock(index);
    this.#order?.start(index);
  }

  /** Runs everything that can run, once. True when the block has finished. @throws KernelFault */
  pass(): boolean {
    const order = this.#order;
    const warps = Math.ceil(this.layout.quads / 8);
    let flags = 0;
    const progress = this.#views.i32[(this.ctx + CTX.progress) >> 2];
    const alone = !this.idle;
    this.idle = true;
    order?.next();
    for (let i = 0; i < warps; i++) {
      const warp = order === undefined ? i : order.warp(i);
      const after = this.#runWarp(warp);
      flags |= i === 0 && order?.ahead === true ? this.#runAhead(warp, after) : after;
      // Whether a block is idle is known only after a turn of all its warps.
      if (alone && order?.alone === true) {
        flags |= this.#look();
        break;
      }
    }
    if ((flags & ALIVE) === 0) {
      if (this.host !== undefined) endHost(this.host);
      this.#log?.endBlock(this.#traffic);
      return true;
    }
    const [runnable, waiting] = [(flags & RUNNABLE) !== 0, (flags & WAITING) !== 0];
    // Tried even while some threads run: they may be spinning until one that waits at a barrier has gone on.
    const released = waiting && releaseBarriers(this, this.#views);
    const parted = !runnable && !released && this.#apart.part();
    if (!runnable && !released && !parted) throw deadlockFault(this, this.#views);
    if (released || parted || this.#views.i32[(this.ctx + CTX.progress) >> 2] !== progress) this.idle = false;
    return false;
  }

  /** What all groups are. While any of them can run, nobody is known to be idle. */
  #look(): number {
    const { status } = this;
    let flags = 0;
    for (let group = 0; group < this.layout.quads; group++) {
      if (status.groups[group] !== GROUP.exited) flags |= ALIVE;
      if (status.waits(group)) flags |= WAITING;
      if (status.runnable(group)) flags |= RUNNABLE;
    }
    if ((flags & RUNNABLE) !== 0) this.idle = false;
    return flags;
  }

  /** One turn of a warp's groups. Returns what they are then; `idle` stays only if none has got anywhere. */
  #runWarp(warp: number): number {
    const { status } = this;
    const count = Math.min(8, this.layout.quads - 8 * warp);
    let flags = 0;
    for (let i = 0; i < count; i++) {
      const group = 8 * warp + (this.#order === undefined ? i : this.#order.group(i, count));
      const before = status.groups[group]!;
      if (before !== GROUP.exited && before !== GROUP.barrier && !this.#run(group, before)) this.idle = false;
      if (status.groups[group] !== GROUP.exited) flags |= ALIVE;
      if (status.waits(group)) flags |= WAITING;
      if (status.runnable(group)) flags |= RUNNABLE;
    }
    if (this.#log !== undefined) {
      this.#requests[warp] = this.#log.flush(
        this.#requests[warp],
        status.liveLanes(warp),
        this.#recorded(warp),
      );
    }
    return flags;
  }

  /** More turns of a warp, until it has exited, waits for others, or only spins. */
  #runAhead(warp: number, after: number): number {
    let flags = after;
    for (let turn = 0; turn < TURNS_AHEAD; turn++) {
      const released = (flags & WAITING) !== 0 && releaseBarriers(this, this.#views);
      if ((flags & RUNNABLE) === 0 && !released) break;
      const before = this.idle;
      this.idle = true;
      flags = this.#runWarp(warp);
      const still = this.idle && !released;
      this.idle = before && still;
      if (still) break;
    }
    return flags;
  }

  /** Warps have met; undefined: all of them. */
  meet(warps?: ReadonlySet<number>): void {
    this.#between?.sync(this.ctx, warps);
    if (warps === undefined) this.#clock?.syncAll();
    else this.#clock?.sync(warps);
  }

  /** Lanes of a warp go on from a barrier of their own: what has landed for one of them, all may touch now. */
  passWarpBarrier(warp: number): void {
    this.#clock?.sync([warp]);
    this.#between?.sync(this.ctx, [warp]);
    this.#exports.publish?.(this.state(8 * warp), this.ctx, Math.min(8, this.layout.quads - 8 * warp), 1);
  }

  /** A warp goes on from a barrier: what its lanes did before it, none can join any more. */
  passBarrier(warp: number): void {
    this.#exports.publish?.(this.state(8 * warp), this.ctx, Math.min(8, this.layout.quads - 8 * warp), 0);
    this.#log?.settle(this.#requests[warp], this.#recorded(warp));
    this.#requests[warp] = undefined;
    this.#traffic?.meet();
  }

  #recorded(warp: number): RecordedWarp | undefined {
    return this.#traffic === undefined ? undefined : { traffic: this.#traffic, warp };
  }

  /** Runs a group to its next suspend point. True where it is only spinning. */
  #run(group: number, status: number): boolean {
    this.#log?.begin(group & 7, this.ctx);
    const idle =
      status === GROUP.apart ? this.#apart.run(group, this.state(group)) : this.#runTogether(group, status);
    this.#log?.end(group & 7, this.ctx);
    return idle;
  }

  #runTogether(group: number, status: number): boolean {
    const { groups, pc } = this.status;
    const state = this.state(group);
    const { hot } = this.#exports;
    let start = pc[group]!;
    let code = status === GROUP.ready ? hot[start] : undefined;
    let result =
      code === undefined ? this.#exports.cold(state, this.ctx, start) : code(state, this.ctx, start);
    while (resultKind(result) === RESULT.jump) {
      start = resultBlock(result);
      code = hot[start]!;
      result = code(state, this.ctx, start);
    }
    switch (resultKind(result)) {
      case RESULT.exit:
        groups[group] = GROUP.exited;
        if (this.#awaited) checkLanded(this.#views.i32, this.kernel, this.ctx, state, [0, 1, 2, 3]);
        break;
      case RESULT.diverge:
        this.#apart.split(group, state, resultBlock(result));
        this.#apart.run(group, state);
        break;
      default:
        groups[group] = resultKind(result) === RESULT.barrier ? GROUP.barrier : GROUP.ready;
        pc[group] = resultBlock(result);
        return resultKind(result) === RESULT.yield && this.#spins.together(group, state, resultBlock(result));
    }
    return false;
  }
}
