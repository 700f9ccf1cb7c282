import { ArgumentError, ClosedError } from '../errors.js';
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

/** A device that can make launches ready; on others each is enqueued by itself. Use {@link prepareLaunches}, which checks first. */
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

function checkPointer(device: Device, what: string, buffer: Buffer, offset: number): void {
  if (buffer.closed) throw new ClosedError(`buffer of ${what[0]?.toLowerCase()}${what.slice(1)}`);
  if (buffer.device !== device) {
    throw new ArgumentError(`${what} points to a buffer of another device than the launch is for.`, {
      remedy: 'Allocate it on the device of the stream.',
    });
  }
  if (!Number.isInteger(offset) || offset < 0 || offset > buffer.byteLength) {
    throw new ArgumentError(
      `${what} must point into its buffer of ${buffer.byteLength} bytes, but the offset is ${offset}.`,
    );
  }
}

/** What messages call a launch. */
export interface LaunchNames {
  /** E.g. `entry main of k11`. Default: the kernel by its name. */
  readonly what: string;
  /** Names of the arguments, in order. */
  readonly args: readonly string[];
}

/**
 * Checks a launch with its kernel and arguments, for a device.
 * @throws ArgumentError if it breaks a limit, does not fit the kernel, or takes something of another device
 * @throws ClosedError if an argument's buffer is closed
 */
export function checkBoundLaunch(
  device: Device,
  { config, kernel, args }: BoundLaunch,
  names: LaunchNames = { what: `kernel ${kernel.name}`, args: [] },
): void {
  const { attributes, paramSizes } = kernel;
  checkLaunch(config, device.limits, attributes.sharedBytes);
  if (kernel.device !== device) {
    throw new ArgumentError(`Kernel ${kernel.name} was loaded on another device than the launch is for.`);
  }
  const threads = config.block[0] * config.block[1] * config.block[2];
  if (threads > attributes.maxThreadsPerBlock) {
    throw new ArgumentError(
      `A launch of ${names.what} takes at most ${attributes.maxThreadsPerBlock} threads a block, but got ${threads}.`,
    );
  }
  if (args.length !== paramSizes.length) {
    throw new ArgumentError(
      `A launch of ${names.what} takes ${paramSizes.length} arguments, but got ${args.length}.`,
    );
  }
  for (const [i, arg] of args.entries()) {
    const what = `Argument ${names.args[i] ?? i} of ${names.what}`;
    if (argSize(arg) !== paramSizes[i]) {
      throw new ArgumentError(`${what} must be ${paramSizes[i]} bytes, but ${arg.type} is ${argSize(arg)}.`);
    }
    if (arg.type === 'pointer') checkPointer(device, what, arg.buffer, arg.offset ?? 0);
  }
}

/**
 * Enqueues one launch on `stream` and returns at once; failures surface at the next `synchronize`.
 * @throws ArgumentError if extents break the device's limits, the arguments do not fit the kernel's parameters, or
 * kernel or buffers are of another device
 * @throws ClosedError where a buffer is closed
 */
export function launch(stream: Stream, config: LaunchConfig, kernel: Kernel, ...args: KernelArg[]): void {
  checkBoundLaunch(stream.device, { config, kernel, args });
  (stream as LaunchStream).enqueueLaunch(config, kernel, args);
}
