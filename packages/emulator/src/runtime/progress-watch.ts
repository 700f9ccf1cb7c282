import type { LaunchRecord } from './launch-record.js';

/** Words of a launch's control area: next block, stop flag, epoch, spare; then two a worker. */
const EPOCH = 2;
const FIRST_WORKER = 4;
export const controlWords = (workers: number): number => FIRST_WORKER + 2 * workers;

/** Idle passes of blocks, by each worker, after which nothing is expected to happen any more. */
const PATIENCE = 20_000;
const LEAST_SWEEPS = 16;
/** What a worker has said last: nothing yet, that it works, or that it is done. Other numbers are epochs. */
const WORKING = 0;
const DONE = -1;
/** Milliseconds to wait for other workers when there is nothing to do. */
const PAUSE = 0.2;

/**
 * Tells whether a grid can never finish: every worker has gone round its blocks many times, all of them spinning in
 * polling loops that changed nothing, since any worker last got anywhere.
 *
 * Whoever gets anywhere starts a new epoch when its round ends, so what others have counted in the old one is void.
 */
export class ProgressWatch {
  readonly #i32: Int32Array;
  readonly #base: number;
  readonly #own: number;
  readonly #workers: number;
  #sweeps = 0;

  constructor(i32: Int32Array, launch: LaunchRecord, worker: number) {
    this.#i32 = i32;
    this.#base = launch.control >> 2;
    this.#own = this.#base + FIRST_WORKER + 2 * worker;
    this.#workers = launch.slots.length;
  }

  /** The first epoch is 1. */
  #epoch(): number {
    return Atomics.load(this.#i32, this.#base + EPOCH) + 1;
  }

  /** A round over the worker's blocks begins. */
  begin(): void {
    const epoch = this.#epoch();
    if (Atomics.load(this.#i32, this.#own) === epoch) return;
    this.#sweeps = 0;
    Atomics.store(this.#i32, this.#own + 1, 0);
    Atomics.store(this.#i32, this.#own, epoch);
  }

  /** Some block has got somewhere; its round goes on. */
  progress(): void {
    Atomics.store(this.#i32, this.#own, WORKING);
  }

  /**
   * The round has ended.
   * @param passes of blocks, all idle
   * @returns true where no block of the grid will ever get anywhere
   */
  end(passes: number): boolean {
    if (Atomics.load(this.#i32, this.#own) === WORKING) {
      Atomics.add(this.#i32, this.#base + EPOCH, 1);
      Atomics.notify(this.#i32, this.#base + EPOCH);
      return false;
    }
    this.#sweeps++;
    const total = Atomics.load(this.#i32, this.#own + 1) + passes;
    if (this.#sweeps >= LEAST_SWEEPS) Atomics.store(this.#i32, this.#own + 1, total);
    const stuck = this.#othersIdle();
    if (stuck === 'working') Atomics.wait(this.#i32, this.#base + EPOCH, this.#epoch() - 1, PAUSE);
    return stuck === 'stuck';
  }

  #othersIdle(): 'stuck' | 'idle' | 'working' {
    const epoch = this.#epoch();
    let stuck = true;
    for (let worker = 0; worker < this.#workers; worker++) {
      const at = this.#base + FIRST_WORKER + 2 * worker;
      const said = Atomics.load(this.#i32, at);
      if (said === DONE) continue;
      if (said !== epoch) return 'working';
      if (Atomics.load(this.#i32, at + 1) < PATIENCE) stuck = false;
    }
    return stuck ? 'stuck' : 'idle';
  }

  /** The worker has no blocks left. What it did last may be what others wait for. */
  finish(): void {
    Atomics.add(this.#i32, this.#base + EPOCH, 1);
    Atomics.store(this.#i32, this.#own, DONE);
    Atomics.notify(this.#i32, this.#base + EPOCH);
  }
}
