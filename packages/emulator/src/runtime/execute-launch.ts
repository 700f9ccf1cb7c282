import { looksBetweenBlocks, type Sanitizers } from '../sanitizers.js';
import { softImports } from '../soft/imports.js';
import type { TranslatedKernel } from '../translate/translated-kernel.js';
import { assertImport } from './assert-fault.js';
import { BlockQueue } from './block-queue.js';
import { BlockRunner, type KernelExports, type Views } from './block-runner.js';
import { FaultHandler } from './fault-handler.js';
import { type FaultRecord, KernelFault } from './fault-record.js';
import { GlobalRaces } from './global-races.js';
import { hostImports } from './host-imports.js';
import type { LaunchRecord } from './launch-record.js';
import { LogProcessor } from './log-processor.js';
import type { PostedKernel, WorkerCounts } from './messages.js';
import { RaceCheck } from './race-check.js';

/** Of the launch that runs: what its blocks have done to global memory, where that is looked at. */
let between: GlobalRaces | undefined;

const instances = new WeakMap<WebAssembly.Module, KernelExports>();

function instantiate(
  { kernel, module }: PostedKernel,
  memory: WebAssembly.Memory,
  faults: FaultHandler,
  checks: Sanitizers | undefined,
): KernelExports {
  const known = instances.get(module);
  if (known !== undefined) return known;
  const translated = kernel as TranslatedKernel;
  const races = new RaceCheck(new Int32Array(memory.buffer), translated);
  const env = {
    ...softImports,
    memory,
    fault: faults.importFor(translated, checks),
    trap: faults.trapFor(translated),
    ...hostImports(new Int32Array(memory.buffer)),
    race: races.touch,
    race_after: races.after,
    race_global: (...args: Parameters<GlobalRaces['touch']>) => between!.touch(...args),
    race_fence: (state: number, ctx: number) => between!.fence(state, ctx),
    assertFail: assertImport(memory.buffer, faults, translated),
  };
  const { exports } = new WebAssembly.Instance(module, { env });
  const hot: KernelExports['hot'][number][] = [];
  for (const { name, starts } of kernel.hot) {
    for (const start of starts) hot[start] = exports[name] as KernelExports['hot'][number];
  }
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
  const exports = instantiate(posted, memory, faults, launch.checks ? launch.sanitizers : undefined);
  const kernel = posted.kernel as TranslatedKernel;
  const log = launch.counters
    ? new LogProcessor(
        kernel,
        views.i32,
        launch.logs[worker]!,
        launch.logQuadBytes,
        launch.l1Bytes,
        launch.slots.length,
      )
    : undefined;
  const own = launch.slots[worker]!;
  between = looksBetweenBlocks(launch.sanitizers) ? new GlobalRaces(views.i32, kernel, launch) : undefined;
  const make = (index: number) =>
    new BlockRunner(
      kernel,
      launch,
      exports,
      views,
      own.start + index * launch.slotBytes,
      worker,
      log,
      between,
    );
  let fault: FaultRecord | undefined;
  const queue = new BlockQueue(launch, views.i32, worker);
  let running: BlockRunner | undefined;
  try {
    queue.drain(own.count, kernel.awaitsBlocks, make, (runner) => {
      running = runner;
    });
  } catch (error) {
    views.i32[(launch.control >> 2) + 1] = 1;
    fault = toFault(error, running, faults);
  }
  if (!launch.counters || log === undefined) return { fault, counts: undefined };
  const start = launch.counts[worker]! / 8;
  const blocks = new Float64Array(buffer).slice(start, start + kernel.classes.length);
  return { fault, counts: { blocks, sites: log.totals, traffic: log.traffic } };
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
