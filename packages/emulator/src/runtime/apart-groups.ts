import { QUAD, RESULT, resultBlock, resultKind } from '../layout.js';
import type { TranslatedKernel } from '../translate/translated-kernel.js';
import type { KernelExports, Views } from './block-runner.js';
import { type BlockStatus, GROUP, LANE } from './block-status.js';
import { checkLanded } from './copies.js';
import { expandLanes, gatherLanes } from './register-areas.js';
import type { Spins } from './spins.js';

const statusAfter = (result: number): number => {
  switch (resultKind(result)) {
    case RESULT.exit:
      return LANE.exited;
    case RESULT.barrier:
      return LANE.barrier;
    case RESULT.rejoin:
      return LANE.meet;
    default:
      return LANE.ready;
  }
};

/** Runs groups whose lanes have gone their own ways, one lane after the other, until they meet again. */
export class ApartGroups {
  readonly #status: BlockStatus;
  readonly #kernel: TranslatedKernel;
  readonly #exports: KernelExports;
  readonly #views: Views;
  readonly #ctx: number;
  readonly #spins: Spins;
  readonly #awaited: boolean;

  constructor(
    status: BlockStatus,
    kernel: TranslatedKernel,
    exports: KernelExports,
    views: Views,
    ctx: number,
    spins: Spins,
    awaited: boolean,
  ) {
    this.#spins = spins;
    this.#awaited = awaited;
    this.#status = status;
    this.#kernel = kernel;
    this.#exports = exports;
    this.#views = views;
    this.#ctx = ctx;
  }

  /** Lets the lanes of a group go their own ways from a branch that has not happened yet. */
  split(group: number, state: number, branch: number): void {
    const { groups, pc, lanes, lanePc } = this.#status;
    const { taken, fallthrough, meet, live } = this.#kernel.splits[branch]!;
    const bits = this.#views.i32[(state + QUAD.guardBits) >> 2]!;
    expandLanes(this.#views, state, this.#kernel.areaBytes, live);
    groups[group] = GROUP.apart;
    pc[group] = meet;
    for (let lane = 0; lane < 4; lane++) {
      const target = bits & (1 << lane) ? taken : fallthrough;
      lanePc[4 * group + lane] = target;
      lanes[4 * group + lane] = target === meet ? LANE.meet : LANE.ready;
    }
  }

  /** Runs each lane that can, to its next suspend point. True where all that could are only spinning. */
  run(group: number, state: number): boolean {
    const { pc, lanes, lanePc } = this.#status;
    const stop = pc[group]!;
    let idle = true;
    for (let lane = 0; lane < 4; lane++) {
      const thread = 4 * group + lane;
      if (lanes[thread] !== LANE.ready) continue;
      const result = this.#exports.lane(state, this.#ctx, lanePc[thread]!, stop, lane);
      lanePc[thread] = resultBlock(result);
      lanes[thread] = statusAfter(result);
      const spins = resultKind(result) === RESULT.yield;
      if (!spins || !this.#spins.apart(thread, state, resultBlock(result))) idle = false;
      if (this.#awaited && lanes[thread] === LANE.exited)
        checkLanded(this.#views.i32, this.#kernel, this.#ctx, state, [lane]);
    }
    if (this.#settle(group, state)) return false;
    return idle;
  }

  /**
   * Sends on the lanes that stand where their group is to meet, because nothing else can run: those that they wait
   * for are at a barrier, which counts only the threads that have not exited. Only lanes that have nothing left to
   * do, or whose barrier may be executed apart: the others have gone past a barrier of their warp. False if none.
   */
  part(): boolean {
    const { groups, pc } = this.#status;
    let parted = false;
    groups.forEach((status, group) => {
      if (status !== GROUP.apart || !this.#status.someLane(group, LANE.meet)) return;
      if (!this.#kernel.ends.includes(pc[group]!) && this.#waitsAligned(group)) return;
      this.#sendOn(group);
      parted = true;
    });
    return parted;
  }

  #waitsAligned(group: number): boolean {
    const { lanes, lanePc } = this.#status;
    return [0, 1, 2, 3].some((lane) => {
      const thread = 4 * group + lane;
      return lanes[thread] === LANE.barrier && this.#kernel.barriers[lanePc[thread]!]!.aligned;
    });
  }

  /** Lets the lanes that have met go on apart, with no meeting to come. */
  #sendOn(group: number): void {
    const { pc, lanes } = this.#status;
    for (let thread = 4 * group; thread < 4 * group + 4; thread++) {
      if (lanes[thread] === LANE.meet) lanes[thread] = LANE.ready;
    }
    pc[group] = -1;
  }

  /** Joins lanes that have met, or retires a group whose lanes are all done. True where something has changed. */
  #settle(group: number, state: number): boolean {
    const { groups, lanes } = this.#status;
    let met = 0;
    let exited = 0;
    for (let thread = 4 * group; thread < 4 * group + 4; thread++) {
      if (lanes[thread] === LANE.meet) met++;
      if (lanes[thread] === LANE.exited) exited++;
    }
    if (exited === 4) {
      groups[group] = GROUP.exited;
    } else if (met === 4) {
      gatherLanes(this.#views, state, this.#kernel.areaBytes);
      groups[group] = GROUP.readyCold;
    } else if (met > 0 && met + exited === 4) {
      // Some lanes have exited: the rest can never be four again.
      this.#sendOn(group);
    } else {
      return false;
    }
    return true;
  }
}
