/** What a group of four lanes is doing. */
export const GROUP = { ready: 0, readyCold: 1, barrier: 2, apart: 3, exited: 4 } as const;
/** What a lane that runs apart is doing. */
export const LANE = { ready: 0, barrier: 1, meet: 2, exited: 3 } as const;

/** Where the threads of a resident block are. */
export class BlockStatus {
  /** By group, one of {@link GROUP}. */
  readonly groups: Uint8Array;
  /** Block of code at which a group goes on; for one that runs apart, where its lanes meet (−1: nowhere). */
  readonly pc: Int32Array;
  /** By thread, one of {@link LANE}; counts only where the group runs apart. */
  readonly lanes: Uint8Array;
  readonly lanePc: Int32Array;
  /** Warps with threads that wait at a barrier, in the order in which they came to it. */
  readonly arrivals = new Set<number>();
  readonly #threads: number;

  constructor(threads: number) {
    this.#threads = threads;
    const groups = Math.ceil(threads / 4);
    this.groups = new Uint8Array(groups);
    this.pc = new Int32Array(groups);
    this.lanes = new Uint8Array(4 * groups);
    this.lanePc = new Int32Array(4 * groups);
  }

  /** All threads at the start of the kernel. */
  reset(): void {
    this.arrivals.clear();
    this.groups.fill(GROUP.ready);
    this.pc.fill(0);
    const partial = this.#threads % 4;
    if (partial === 0) return;
    // The last group lacks lanes: the others run apart, and never meet.
    const last = this.groups.length - 1;
    this.groups[last] = GROUP.apart;
    this.pc[last] = -1;
    for (let lane = 0; lane < 4; lane++) {
      this.lanes[4 * last + lane] = lane < partial ? LANE.ready : LANE.exited;
      this.lanePc[4 * last + lane] = 0;
    }
  }

  /** Whether a lane of a group that runs apart is doing this. */
  someLane(group: number, status: number): boolean {
    for (let lane = 0; lane < 4; lane++) if (this.lanes[4 * group + lane] === status) return true;
    return false;
  }

  /** Whether some thread of the group can run now. */
  runnable(group: number): boolean {
    const status = this.groups[group];
    return status === GROUP.apart
      ? this.someLane(group, LANE.ready)
      : status === GROUP.ready || status === GROUP.readyCold;
  }

  /** Whether some thread of the group waits at a barrier. */
  waits(group: number): boolean {
    const status = this.groups[group];
    return status === GROUP.barrier || (status === GROUP.apart && this.someLane(group, LANE.barrier));
  }

  exited(thread: number): boolean {
    const status = this.groups[thread >> 2];
    return status === GROUP.exited || (status === GROUP.apart && this.lanes[thread] === LANE.exited);
  }

  /** Threads that have not exited. */
  liveThreads(): number[] {
    return [...Array(this.#threads).keys()].filter((thread) => !this.exited(thread));
  }

  /** Lanes of a warp that have not exited, a bit each. */
  liveLanes(warp: number): number {
    let live = 0;
    for (let lane = 0; lane < 32 && 32 * warp + lane < this.#threads; lane++) {
      if (!this.exited(32 * warp + lane)) live |= 1 << lane;
    }
    return live;
  }

  /** Where a thread that waits at a barrier goes on; undefined if it does not wait. */
  waitsAt(thread: number): number | undefined {
    const status = this.groups[thread >> 2];
    if (status === GROUP.barrier) return this.pc[thread >> 2];
    return status === GROUP.apart && this.lanes[thread] === LANE.barrier ? this.lanePc[thread] : undefined;
  }

  /** Calls `visit` for every thread that waits at a barrier, with the block of code at which it goes on. */
  forEachWaiting(visit: (thread: number, resume: number) => void): void {
    this.groups.forEach((status, group) => {
      for (let thread = 4 * group; thread < 4 * group + 4; thread++) {
        if (status === GROUP.barrier) visit(thread, this.pc[group]!);
        else if (status === GROUP.apart && this.lanes[thread] === LANE.barrier)
          visit(thread, this.lanePc[thread]!);
      }
    });
  }

  /** Where all groups that have not exited wait, if it is one barrier and no lane runs apart. */
  meetingPoint(): number | undefined {
    let point: number | undefined;
    for (let group = 0; group < this.groups.length; group++) {
      const status = this.groups[group];
      if (status === GROUP.exited) continue;
      if (status !== GROUP.barrier || (point ?? this.pc[group]) !== this.pc[group]) return undefined;
      point = this.pc[group];
    }
    return point;
  }

  /** Lets all groups that wait go on. */
  releaseAll(): void {
    this.arrivals.clear();
    for (let group = 0; group < this.groups.length; group++) {
      if (this.groups[group] === GROUP.barrier) this.groups[group] = GROUP.ready;
    }
  }

  /** Lets a thread go on from its barrier; its group, where the lanes are together. */
  release(thread: number): void {
    const group = thread >> 2;
    if (this.groups[group] === GROUP.barrier) this.groups[group] = GROUP.ready;
    if (this.groups[group] !== GROUP.apart) return;
    // The barrier may be the last thing before the block where the lanes meet.
    this.lanes[thread] = this.lanePc[thread] === this.pc[group] ? LANE.meet : LANE.ready;
  }
}
