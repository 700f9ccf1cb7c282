import { ArgumentError } from '../errors.js';
import type { Device } from './device.js';
import type { Kernel } from './kernel.js';
import { checkArgs, type KernelArg, type LaunchNames } from './launch-args.js';
import type { DeviceLimits, Dim3 } from './limits.js';
import type { Stream } from './stream.js';

export * from './launch-args.js';

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

/** A stream that takes launches; every device's streams do. */
export interface LaunchStream extends Stream {
  /** Use {@link launch}, which checks the extents too; the arguments are checked here as well ({@link checkArgs}). */
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

/**
 * A device that can make launches ready; on others each is enqueued by itself. Use {@link prepareLaunches}, which
 * checks the extents too; the arguments are checked here as well.
 */
export interface LaunchBatcher {
  prepareLaunches(launches: readonly BoundLaunch[]): LaunchBatch;
}

/**
 * Makes launches ready, in the way that the device does it best.
 * @throws ArgumentError, ClosedError as `launch` does
 */
export function prepareLaunches(device: Device, launches: readonly BoundLaunch[]): LaunchBatch {
  for (const bound of launches) checkBoundLaunch(device, bound);
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
 * Checks a launch with its kernel and arguments, for a device.
 * @throws ArgumentError if it breaks a limit, does not fit the kernel, or takes something of another device
 * @throws ClosedError if an argument's buffer is closed
 * @throws UnsupportedError if it takes a tensor map, and the device does not
 */
export function checkBoundLaunch(
  device: Device,
  { config, kernel, args }: BoundLaunch,
  names?: LaunchNames,
): void {
  const { attributes } = kernel;
  checkLaunch(config, device.limits, attributes.sharedBytes);
  const threads = config.block[0] * config.block[1] * config.block[2];
  if (threads > attributes.maxThreadsPerBlock) {
    throw new ArgumentError(
      `A launch of ${names?.what ?? `kernel ${kernel.name}`} takes at most ${attributes.maxThreadsPerBlock} threads ` +
        `a block, but got ${threads}.`,
    );
  }
  checkArgs(device, kernel, args, names);
}

/**
 * Enqueues one launch on `stream` and returns at once; failures surface at the next `synchronize`.
 * @throws ArgumentError if extents break the device's limits, the arguments do not fit the kernel's parameters, or
 * kernel or buffers are of another device
 * @throws ClosedError where a buffer is closed
 * @throws UnsupportedError for a tensor map on a device without a tensor memory accelerator
 */
export function launch(stream: Stream, config: LaunchConfig, kernel: Kernel, ...args: KernelArg[]): void {
  checkBoundLaunch(stream.device, { config, kernel, args });
  (stream as LaunchStream).enqueueLaunch(config, kernel, args);
}
