import { type DeviceLimits, type KernelArg, type LaunchConfig, OutOfMemoryError } from '@ffma/core';
import { ARENA_BYTES, ARENA_START, LOG_ENTRY_BYTES } from '../layout.js';
import { type LaunchRecord, slotLayout, threadsOf } from '../runtime/launch-record.js';
import { LogProcessor } from '../runtime/log-processor.js';
import { controlWords } from '../runtime/progress-watch.js';
import type { Schedule } from '../runtime/schedule.js';
import { looksBetweenBlocks, type Sanitizers } from '../sanitizers.js';
import type { TranslatedKernel } from '../translate/translated-kernel.js';
import type { EmulatorBuffer } from './emulator-buffer.js';
import type { EmulatorKernel } from './emulator-object.js';

/** Log bytes a group may fill before it hands over at a back edge. */
const LOG_QUAD_BYTES = 8192 * LOG_ENTRY_BYTES;

const roundUp = (value: number, to: number): number => Math.ceil(value / to) * to;

/** Blocks of a launch that the device holds at a time, by threads, blocks and shared memory of an SM. */
export function residentBlocks(limits: DeviceLimits, threads: number, sharedBytes: number): number {
  const warps = roundUp(threads, limits.warpSize);
  const byThreads = Math.floor(limits.maxThreadsPerSm / warps);
  const byShared = Math.floor(limits.sharedBytesPerSm / (sharedBytes + limits.sharedBytesReservedPerBlock));
  return Math.max(1, Math.min(limits.maxBlocksPerSm, byThreads, byShared)) * limits.smCount;
}

/**
 * Workers that a launch runs on. Under a schedule, what blocks do to each other's memory by atomics and polling
 * happens on one, so that a seed repeats it.
 */
function workersFor(
  { sites, awaitsBlocks }: Pick<TranslatedKernel, 'sites' | 'awaitsBlocks'>,
  blocks: number,
  workers: number,
  schedule: Schedule | undefined,
  sanitizers: Sanitizers | undefined,
): number {
  // Who knows of every access must run every block.
  if (looksBetweenBlocks(sanitizers)) return 1;
  if (schedule === undefined) return Math.min(workers, blocks);
  const meet =
    awaitsBlocks ||
    sites.some(({ kind, space }) => kind === 'atomic' && space !== 'shared' && space !== 'local');
  return meet ? 1 : Math.min(workers, blocks);
}

/** Lays a launch out in the arena: nothing there outlives a launch. @throws OutOfMemoryError */
export function planLaunch(
  kernel: EmulatorKernel,
  translated: Omit<TranslatedKernel, 'wasm'>,
  config: LaunchConfig,
  workers: number,
  mode: {
    checks: boolean;
    counters: boolean;
    l1Bytes: number;
    sanitizers?: Sanitizers | undefined;
    schedule?: Schedule | undefined;
  },
  limits: DeviceLimits,
): LaunchRecord {
  const { grid, block } = config;
  const threads = threadsOf(block);
  const sharedBytes = kernel.memory.sharedBytes + (config.sharedBytes ?? 0);
  const blocks = grid[0] * grid[1] * grid[2];
  const racecheck = (mode.sanitizers?.racecheck ?? false) !== false;
  const used = workersFor(translated, blocks, workers, mode.schedule, mode.sanitizers);
  const layout = slotLayout(translated, block, sharedBytes, kernel.memory.localBytes, racecheck);
  const resident = translated.awaitsBlocks
    ? Math.min(blocks, residentBlocks(limits, threads, sharedBytes))
    : used;
  const perWorker = Math.ceil(resident / used);
  let next = ARENA_START;
  const take = (bytes: number): number => {
    const at = next;
    next = roundUp(next + bytes, 64);
    return at;
  };
  // A tensor map lies at a multiple of 64 bytes, as the slots do.
  const params = take(kernel.memory.paramBytes + 16);
  const control = take(4 * controlWords(used));
  const each = (bytes: number) => (mode.counters ? Array.from({ length: used }, () => take(bytes)) : []);
  const counts = each(8 * translated.classes.length);
  const logs = each(LogProcessor.bytes(translated as TranslatedKernel, LOG_QUAD_BYTES));
  const slots = Array.from({ length: used }, () => ({
    start: take(perWorker * layout.bytes),
    count: perWorker,
  }));
  if (next > ARENA_START + ARENA_BYTES) {
    throw new OutOfMemoryError(
      `${resident} resident blocks of ${kernel.name} need ${next} bytes of emulator memory, but there are ${ARENA_BYTES}.`,
      { remedy: 'Use smaller blocks or fewer of them.' },
    );
  }
  return {
    grid,
    block,
    sharedBytes,
    localBytes: kernel.memory.localBytes,
    params,
    control,
    slots,
    slotBytes: layout.bytes,
    counts,
    logs,
    logQuadBytes: LOG_QUAD_BYTES,
    ...mode,
    smCount: limits.smCount,
  };
}

/** Makes workers leave a launch before their next block or turn of a polling loop. */
export function stopLaunch(memory: ArrayBufferLike, launch: LaunchRecord): void {
  Atomics.store(new Int32Array(memory), (launch.control >> 2) + 1, 1);
}

/** Writes arguments and variable addresses, and clears the control words and counts. */
export function writeLaunch(
  memory: ArrayBufferLike,
  kernel: EmulatorKernel,
  launch: LaunchRecord,
  args: readonly KernelArg[],
  blockCount: number,
): void {
  const view = new DataView(memory);
  args.forEach((arg, i) => {
    const at = launch.params + kernel.fn.params[i]!.byteOffset;
    switch (arg.type) {
      case 'pointer': {
        const { deviceAddress: address } = arg.buffer as EmulatorBuffer;
        view.setBigUint64(at, address === 0n ? 0n : address + BigInt(arg.offset ?? 0), true);
        break;
      }
      case 'f32':
        view.setFloat32(at, arg.value, true);
        break;
      case 'f64':
        view.setFloat64(at, arg.value, true);
        break;
      case 'i32':
      case 'u32':
        view.setInt32(at, arg.value | 0, true);
        break;
      case 'tensorMap':
        new Uint8Array(memory).set(arg.map.bytes, at);
        break;
      default:
        view.setBigInt64(at, BigInt.asIntN(64, BigInt(arg.value)), true);
    }
  });
  kernel.memory.moduleVariables.forEach((variable, i) => {
    view.setBigUint64(
      launch.params + kernel.memory.module.get(variable.name)!,
      kernel.variableAddresses[i]!,
      true,
    );
  });
  new Int32Array(memory, launch.control, controlWords(launch.slots.length)).fill(0);
  for (const at of launch.counts) new Float64Array(memory, at, blockCount).fill(0);
}
