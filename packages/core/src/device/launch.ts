import { ArgumentError, ClosedError } from '../errors.js';
import { checkDevice } from './checks.js';
import type { Device } from './device.js';
import type { Kernel } from './kernel.js';
import { checkArgs, checkKernel, type KernelArg, type LaunchNames } from './launch-args.js';
import type { DeviceLimits, Dim3 } from './limits.js';
import { shown } from './shown.js';
import type { Stream } from './stream.js';

export * from './launch-args.js';

/** Extents of one launch. */
export interface LaunchConfig {
  /** Blocks. */
  readonly grid: Dim3;
  /** Threads a block. */
  readonly block: Dim3;
  /** Blocks a cluster, which divide the grid (sm_90 and up; at most 16, and 8 on every such GPU). */
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
  /** Whether one call of the driver enqueues them all. */
  readonly graph: boolean;
  /** Enqueues every launch, in order. @throws ClosedError where a buffer, kernel or stream is closed */
  enqueue(stream: Stream): void;
  /** Gives back what the device holds for them; what is in flight goes on. */
  close(): void;
}

export interface LaunchBatchOptions {
  /**
   * As a CUDA graph, where the device has graphs: the driver takes all launches in one call, in about half the time that
   * it takes for one of the usual. Runs of one batch wait for each other then, on several streams too. Default false.
   */
  readonly graph?: boolean;
}

/**
 * A device that can make launches ready; on others each is enqueued by itself. Use {@link prepareLaunches}, which
 * checks the extents too; the arguments are checked here as well.
 */
export interface LaunchBatcher {
  prepareLaunches(launches: readonly BoundLaunch[], options?: LaunchBatchOptions): LaunchBatch;
}

/** @throws ArgumentError where they are no launches; what each of them has is not looked at */
export function checkLaunches(launches: readonly BoundLaunch[], options: LaunchBatchOptions = {}): void {
  if (!Array.isArray(launches)) {
    throw new ArgumentError(`Launches are prepared as an array, but got ${shown(launches)}.`);
  }
  for (const [i, bound] of launches.entries()) {
    if (Array.isArray(bound?.args)) continue;
    throw new ArgumentError(`Launch ${i} must be { config, kernel, args }, but is ${shown(bound)}.`);
  }
  if (options?.graph !== undefined && typeof options.graph !== 'boolean') {
    throw new ArgumentError(
      `graph of prepared launches must be true or false, but is ${shown(options.graph)}.`,
    );
  }
}

/**
 * Makes launches ready, in the way that the device does it best.
 * @throws ArgumentError, ClosedError as `launch` does
 */
export function prepareLaunches(
  device: Device,
  launches: readonly BoundLaunch[],
  options: LaunchBatchOptions = {},
): LaunchBatch {
  checkDevice('prepareLaunches', device);
  checkLaunches(launches, options);
  for (const bound of launches) checkBoundLaunch(device, bound);
  const batcher = device as Device & Partial<LaunchBatcher>;
  if (batcher.prepareLaunches !== undefined) return batcher.prepareLaunches(launches, options);
  let closed = false;
  return {
    graph: false,
    close() {
      closed = true;
    },
    enqueue(stream) {
      if (closed) throw new ClosedError('prepared launches');
      checkLaunchStream(stream);
      for (const { config, kernel, args } of launches) {
        (stream as LaunchStream).enqueueLaunch(config, kernel, args);
      }
    },
  };
}

function checkExtent(what: string, value: Dim3, max: Dim3): void {
  if (!Array.isArray(value) || value.length !== 3) {
    const got = Array.isArray(value) ? `${value.length} of them` : shown(value);
    throw new ArgumentError(`${what} must be three extents [x, y, z], but is ${got}.`);
  }
  for (let i = 0; i < 3; i++) {
    const v = value[i] as number;
    const axis = 'xyz'[i];
    if (!Number.isInteger(v) || v < 1 || v > (max[i] as number)) {
      throw new ArgumentError(
        `${what} extent ${axis} must be an integer in 1..${max[i]}, but is ${shown(v)}.`,
      );
    }
  }
}

/** Blocks of a cluster, on a kernel that allows more than the 8 that all GPUs with clusters have (CUDA C++ guide). */
const LARGEST_CLUSTER = 16;

function checkCluster(cluster: Dim3, grid: Dim3): void {
  checkExtent('Cluster', cluster, grid);
  const blocks = cluster[0] * cluster[1] * cluster[2];
  if (blocks > LARGEST_CLUSTER) {
    throw new ArgumentError(
      `A cluster may have at most ${LARGEST_CLUSTER} blocks, but ${cluster.join('×')} is ${blocks}.`,
    );
  }
  for (const [i, extent] of cluster.entries()) {
    if ((grid[i] as number) % extent === 0) continue;
    throw new ArgumentError(
      `A grid must be whole clusters, but ${grid.join('×')} blocks are not of ${cluster.join('×')}.`,
    );
  }
}

/** Checks a launch against a device's limits before anything is enqueued. @throws ArgumentError */
export function checkLaunch(config: LaunchConfig, limits: DeviceLimits, staticSharedBytes = 0): void {
  if (typeof config !== 'object' || config === null) {
    throw new ArgumentError(`A launch needs { grid, block }, but got ${shown(config)}.`);
  }
  checkExtent('Grid', config.grid, limits.maxGridDim);
  checkExtent('Block', config.block, limits.maxBlockDim);
  const threads = config.block[0] * config.block[1] * config.block[2];
  if (threads > limits.maxThreadsPerBlock) {
    throw new ArgumentError(
      `A block may have at most ${limits.maxThreadsPerBlock} threads, but ${config.block.join('×')} is ${threads}.`,
    );
  }
  if (config.cluster !== undefined) checkCluster(config.cluster, config.grid);
  const { sharedBytes: dynamic = 0 } = config;
  if (!Number.isInteger(dynamic) || dynamic < 0) {
    throw new ArgumentError(
      `Dynamic shared memory must be a whole number of bytes, but is ${shown(dynamic)}.`,
    );
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
  checkKernel('A launch', kernel);
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

function checkLaunchStream(stream: unknown): asserts stream is LaunchStream {
  if (typeof (stream as Partial<LaunchStream> | null | undefined)?.enqueueLaunch === 'function') return;
  throw new ArgumentError(`A launch needs a stream, but got ${shown(stream)}.`, {
    remedy: 'Make one: device.createStream().',
  });
}

/**
 * Enqueues one launch on `stream` and returns at once; failures surface at the next `synchronize`.
 * @throws ArgumentError if extents break the device's limits, the arguments do not fit the kernel's parameters, or
 * kernel or buffers are of another device
 * @throws ClosedError where a buffer is closed
 * @throws UnsupportedError for a tensor map on a device without a tensor memory accelerator
 */
export function launch(stream: Stream, config: LaunchConfig, kernel: Kernel, ...args: KernelArg[]): void {
  checkLaunchStream(stream);
  checkBoundLaunch(stream.device, { config, kernel, args });
  stream.enqueueLaunch(config, kernel, args);
}
