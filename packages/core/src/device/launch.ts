import { ArgumentError } from '../errors.js';
import type { Buffer } from './buffer.js';
import type { Device } from './device.js';
import type { Kernel } from './kernel.js';
import type { DeviceLimits, Dim3 } from './limits.js';
import type { Stream } from './stream.js';

/** Extents of one launch. */
export interface LaunchConfig {
  /** Blocks. */
  readonly grid: Dim3;
  /** Threads a block. */
  readonly block: Dim3;
  /** Blocks a cluster (sm_90 and up). */
  readonly cluster?: Dim3;
  /** Dynamic shared memory, in bytes. */
  readonly sharedBytes?: number;
}

/** One kernel argument. A buffer stands for its address; `offset` in bytes. */
export type KernelArg =
  | { readonly type: 'pointer'; readonly buffer: Buffer; readonly offset?: number }
  | { readonly type: 'i32' | 'u32' | 'f32' | 'f64'; readonly value: number }
  | { readonly type: 'i64' | 'u64'; readonly value: bigint | number };

/** Byte size of an argument as the kernel's parameter list sees it. */
export function argSize(arg: KernelArg): 4 | 8 {
  return arg.type === 'pointer' || arg.type === 'i64' || arg.type === 'u64' || arg.type === 'f64' ? 8 : 4;
}

/** A stream that takes launches; every device's streams do. */
export interface LaunchStream extends Stream {
  /** Use {@link launch}, which checks first. */
  enqueueLaunch(config: LaunchConfig, kernel: Kernel, args: readonly KernelArg[]): void;
}

/** A launch with its arguments. */
export interface BoundLaunch {
  readonly config: LaunchConfig;
  readonly kernel: Kernel;
  readonly args: readonly KernelArg[];
}

/** Launches that were made ready together; enqueueing them costs little. */
export interface LaunchBatch {
  /** Enqueues every launch, in order. @throws ClosedError where a buffer, kernel or stream is closed */
  enqueue(stream: Stream): void;
}

/** A device that can make launches ready; on others each is enqueued by itself. Launches must have been checked. */
export interface LaunchBatcher {
  prepareLaunches(launches: readonly BoundLaunch[]): LaunchBatch;
}

/** Makes checked launches ready, in the way that the device does it best. */
export function prepareLaunches(device: Device, launches: readonly BoundLaunch[]): LaunchBatch {
  const batcher = device as Device & Partial<LaunchBatcher>;
  if (batcher.prepareLaunches !== undefined) return batcher.prepareLaunches(launches);
  return {
    enqueue(stream) {
      for (const { config, kernel, args } of launches) {
        (stream as LaunchStream).enqueueLaunch(config, kernel, args);
      }
    },
  };
}

function checkExtent(what: string, value: Dim3, max: Dim3): void {
  for (let i = 0; i < 3; i++) {
    const v = value[i] as number;
    const axis = 'xyz'[i];
    if (!Number.isInteger(v) || v < 1 || v > (max[i] as number)) {
      throw new ArgumentError(`${what} extent ${axis} must be an integer in 1..${max[i]}, but is ${v}.`);
    }
  }
}

/** Checks a launch against a device's limits before anything is enqueued. @throws ArgumentError */
export function checkLaunch(config: LaunchConfig, limits: DeviceLimits, staticSharedBytes = 0): void {
  checkExtent('Grid', config.grid, limits.maxGridDim);
  checkExtent('Block', config.block, limits.maxBlockDim);
  const threads = config.block[0] * config.block[1] * config.block[2];
  if (threads > limits.maxThreadsPerBlock) {
    throw new ArgumentError(
      `A block may have at most ${limits.maxThreadsPerBlock} threads, but ${config.block.join('×')} is ${threads}.`,
    );
  }
  const dynamic = config.sharedBytes ?? 0;
  if (!Number.isInteger(dynamic) || dynamic < 0) {
    throw new ArgumentError(`Dynamic shared memory must be a whole number of bytes, but is ${dynamic}.`);
  }
  if (dynamic + staticSharedBytes > limits.sharedBytesPerBlockOptin) {
    throw new ArgumentError(
      `A block may use at most ${limits.sharedBytesPerBlockOptin} bytes of shared memory, ` +
        `but ${staticSharedBytes} static and ${dynamic} dynamic were asked for.`,
    );
  }
}

/**
 * Enqueues one launch on `stream` and returns at once; failures surface at the next `synchronize`.
 * @throws ArgumentError if extents break the device's limits or the arguments do not fit the kernel's parameters.
 */
export function launch(stream: Stream, config: LaunchConfig, kernel: Kernel, ...args: KernelArg[]): void {
  checkLaunch(config, stream.device.limits, kernel.attributes.sharedBytes);
  if (kernel.device !== stream.device) {
    throw new ArgumentError(`Kernel ${kernel.name} was loaded on another device than the stream's.`);
  }
  const threads = config.block[0] * config.block[1] * config.block[2];
  if (threads > kernel.attributes.maxThreadsPerBlock) {
    throw new ArgumentError(
      `Kernel ${kernel.name} takes at most ${kernel.attributes.maxThreadsPerBlock} threads a block, but got ${threads}.`,
    );
  }
  if (args.length !== kernel.paramSizes.length) {
    throw new ArgumentError(
      `Kernel ${kernel.name} takes ${kernel.paramSizes.length} arguments, but got ${args.length}.`,
    );
  }
  for (const [i, arg] of args.entries()) {
    if (argSize(arg) !== kernel.paramSizes[i]) {
      throw new ArgumentError(
        `Argument ${i} of kernel ${kernel.name} must be ${kernel.paramSizes[i]} bytes, but ${arg.type} is ${argSize(arg)}.`,
      );
    }
    if (arg.type === 'pointer') {
      const offset = arg.offset ?? 0;
      if (!Number.isInteger(offset) || offset < 0 || offset > arg.buffer.byteLength) {
        throw new ArgumentError(
          `Argument ${i} of kernel ${kernel.name} must point into its buffer of ${arg.buffer.byteLength} bytes, but the offset is ${offset}.`,
        );
      }
    }
  }
  (stream as LaunchStream).enqueueLaunch(config, kernel, args);
}
