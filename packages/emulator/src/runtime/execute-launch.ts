import type { TranslatedKernel } from '../translate/translated-kernel.js';
import { BlockRunner, type KernelExports, type Views } from './block-runner.js';
import { FaultHandler } from './fault-handler.js';
import { type FaultRecord, KernelFault } from './fault-record.js';
import type { LaunchRecord } from './launch-record.js';
import { LogProcessor } from './log-processor.js';
import type { PostedKernel, WorkerCounts } from './messages.js';

const instances = new WeakMap<WebAssembly.Module, KernelExports>();

function instantiate(
  { kernel, module }: PostedKernel,
  memory: WebAssembly.Memory,
  faults: FaultHandler,
  checks: boolean,
): KernelExports {
  const known = instances.get(module);
  if (known !== undefined) return known;
  const translated = kernel as TranslatedKernel;
  const env = { memory, fault: faults.importFor(translated, checks), trap: faults.trapFor(translated) };
  const { exports } = new WebAssembly.Instance(module, { env });
  const hot: KernelExports['hot'][number][] = [];
  for (const entry of kernel.entries) hot[entry] = exports[`hot${entry}`] as KernelExports['hot'][number];
  const { cold, lane, publish } = exports;
  const made = { hot, cold, lane, publish } as unknown as KernelExports;
  instances.set(module, made);
  return made;
}

/** Runs this worker's share of a launch: claims blocks one after the other until none is left. */
export function executeLaunch(
  posted: PostedKernel,
  launch: LaunchRecord,
  worker: number,
  memory: WebAssembly.Memory,
): { fault: FaultRecord | undefined; counts: WorkerCounts | undefined } {
  const buffer = memory.buffer;
  const views: Views = {
    i32: new Int32Array(buffer),
    i64: new BigInt64Array(buffer),
    u8: new Uint8Array(buffer),
  };
  const faults = new FaultHandler(buffer);
  const exports = instantiate(posted, memory, faults, launch.checks);
  const kernel = posted.kernel as TranslatedKernel;
  const log = launch.counters
    ? new LogProcessor(kernel, views.i32, launch.logs[worker]!, launch.logQuadBytes)
    : undefined;
  const own = launch.slots[worker]!;
  const make = (index: number) =>
    new BlockRunner(kernel, launch, exports, views, own.start + index * launch.slotBytes, worker, log);
  let fault: FaultRecord | undefined;
  const queue = new BlockQueue(launch, views.i32);
  let running: BlockRunner | undefined;
  try {
    queue.drain(own.count, make, (runner) => {
      running = runner;
    });
  } catch (error) {
    views.i32[(launch.control >> 2) + 1] = 1;
    fault = toFault(error, running, faults);
  }
  if (!launch.counters || log === undefined) return { fault, counts: undefined };
  const start = launch.counts[worker]! / 8;
  const blocks = new Float64Array(buffer).slice(start, start + kernel.classes.length);
  return { fault, counts: { blocks, sites: log.totals } };
}

function toFault(error: unknown, running: BlockRunner | undefined, faults: FaultHandler): FaultRecord {
  if (error instanceof KernelFault) return error.record;
  if (!(error instanceof WebAssembly.RuntimeError)) throw error;
  return {
    kind: 'trap',
    block: running === undefined ? [0, 0, 0] : faults.blockOf(running.ctx),
    thread: undefined,
    note: error.message,
  };
}

/** Blocks of a launch, claimed in the order of their numbers by all workers together. */
class BlockQueue {
  readonly #i32: Int32Array;
  readonly #control: number;
  readonly #total: number;

  constructor(launch: LaunchRecord, i32: Int32Array) {
    this.#i32 = i32;
    this.#control = launch.control >> 2;
    this.#total = launch.grid[0] * launch.grid[1] * launch.grid[2];
  }

  #claim(): number | undefined {
    const index = Atomics.add(this.#i32, this.#control, 1);
    return index < this.#total ? index : undefined;
  }

  #stopped(): boolean {
    return Atomics.load(this.#i32, this.#control + 1) !== 0;
  }

  /** Keeps up to `slots` blocks resident; each gets a pass in turn until it has finished. */
  drain(slots: number, make: (slot: number) => BlockRunner, onPass: (runner: BlockRunner) => void): void {
    const idle: BlockRunner[] = [];
    let made = 0;
    let active: BlockRunner[] = [];
    let more = true;
    while (!this.#stopped()) {
      while (more && (idle.length > 0 || made < slots)) {
        const index = this.#claim();
        if (index === undefined) {
          more = false;
          break;
        }
        const runner = idle.pop() ?? make(made++);
        runner.start(index);
        active.push(runner);
        onPass(runner);
        // A block that needs nobody else is finished before the next one is started.
        if (slots === 1 && this.#finish(runner)) {
          active.pop();
          idle.push(runner);
        }
      }
      if (active.length === 0) return;
      const still: BlockRunner[] = [];
      for (const runner of active) {
        onPass(runner);
        if (runner.pass()) idle.push(runner);
        else still.push(runner);
      }
      active = still;
    }
  }

  #finish(runner: BlockRunner): boolean {
    while (!this.#stopped()) if (runner.pass()) return true;
    return false;
  }
}
