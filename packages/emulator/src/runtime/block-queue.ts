import type { BlockRunner } from './block-runner.js';
import type { LaunchRecord } from './launch-record.js';
import { mix32 } from './permutation.js';
import { ProgressWatch } from './progress-watch.js';
import type { Schedule } from './schedule.js';
import { spinFault } from './spin-fault.js';
import { blockOrder } from './turn-order.js';

/** Passes that a block gets in a row while it gets somewhere: what it has in the processor's caches is used again. */
const PASSES = 64;
/** The same where one block is to run as far ahead as it can. */
const PASSES_AHEAD = 4096;
/** Rounds, as a power of two, after which that may change. */
const PHASE_BITS = 6;
/** Passes in a row that bring no thread of a lone block anywhere, after which it is known that none will. */
const STILL = 4;

/** Blocks of a launch, claimed by all workers together, in the order of their numbers or that of a schedule. */
export class BlockQueue {
  readonly #i32: Int32Array;
  readonly #control: number;
  readonly #total: number;
  readonly #watch: ProgressWatch;
  readonly #schedule: Schedule | undefined;
  readonly #order: (index: number) => number;
  #rounds = 0;

  constructor(launch: LaunchRecord, i32: Int32Array, worker: number) {
    this.#i32 = i32;
    this.#control = launch.control >> 2;
    this.#total = launch.grid[0] * launch.grid[1] * launch.grid[2];
    this.#watch = new ProgressWatch(i32, launch, worker);
    this.#schedule = launch.schedule;
    this.#order = blockOrder(launch.schedule, this.#total);
  }

  #claim(): number | undefined {
    const index = Atomics.add(this.#i32, this.#control, 1);
    return index < this.#total ? this.#order(index) : undefined;
  }

  #stopped(): boolean {
    return Atomics.load(this.#i32, this.#control + 1) !== 0;
  }

  /**
   * Runs blocks until none is left, up to `slots` of them resident.
   * @param waits whether blocks may wait for each other; if not, one is finished before the next one is started
   * @throws KernelFault
   */
  drain(
    slots: number,
    waits: boolean,
    make: (slot: number) => BlockRunner,
    onPass: (runner: BlockRunner) => void,
  ): void {
    if (waits) this.#together(slots, make, onPass);
    else this.#oneByOne(make(0), onPass);
  }

  #oneByOne(runner: BlockRunner, onPass: (runner: BlockRunner) => void): void {
    onPass(runner);
    for (let index = this.#claim(); index !== undefined && !this.#stopped(); index = this.#claim()) {
      runner.start(index);
      let still = 0;
      while (!runner.pass()) {
        if (this.#stopped()) return;
        still = runner.idle ? still + 1 : 0;
        if (still === STILL) throw spinFault(runner, this.#i32, 0);
      }
    }
  }

  /** All resident blocks get some passes in turn until they have finished. */
  #together(slots: number, make: (slot: number) => BlockRunner, onPass: (runner: BlockRunner) => void): void {
    const free: BlockRunner[] = [];
    let made = 0;
    let active: BlockRunner[] = [];
    let more = true;
    let stuck = true;
    const ahead = this.#schedule?.order === 'adversarial';
    while (!this.#stopped()) {
      this.#watch.begin();
      while (more && (free.length > 0 || made < slots) && (!ahead || stuck)) {
        stuck = false;
        const index = this.#claim();
        more = index !== undefined;
        if (index === undefined) break;
        const runner = free.pop() ?? make(made++);
        runner.start(index);
        active.push(runner);
        this.#watch.progress();
      }
      if (active.length === 0) {
        this.#watch.finish();
        return;
      }
      const passes = this.#passes();
      stuck = true;
      active = active.filter((runner) => {
        onPass(runner);
        const done = this.#run(runner, passes);
        if (done) free.push(runner);
        else if (!runner.idle) stuck = false;
        return !done;
      });
      // Whoever cannot go on may wait for a block that has not started.
      if (ahead && stuck && more && (free.length > 0 || made < slots)) continue;
      if (!this.#watch.end(active.length)) continue;
      const [first] = active;
      onPass(first!);
      throw spinFault(first!, this.#i32, Math.max(0, this.#total - Atomics.load(this.#i32, this.#control)));
    }
  }

  #passes(): number {
    if (this.#schedule === undefined) return PASSES;
    const { order, seed = 1 } = this.#schedule;
    const round = this.#rounds++;
    if (order === 'random') return 1 + (mix32(seed, round) % PASSES);
    if (order !== 'adversarial') return PASSES;
    // For a while all blocks go step by step, then each as far as it can.
    return mix32(seed, round >> PHASE_BITS) % 2 === 0 ? 1 : PASSES_AHEAD;
  }

  /** Some passes of one block. True when it has finished. */
  #run(runner: BlockRunner, passes: number): boolean {
    for (let pass = 0; pass < passes && !this.#stopped(); pass++) {
      const done = runner.pass();
      if (done || !runner.idle) this.#watch.progress();
      if (done) return true;
      if (runner.idle) return false;
    }
    return false;
  }
}
