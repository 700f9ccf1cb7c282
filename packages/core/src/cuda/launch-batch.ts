import type { Buffer } from '../device/buffer.js';
import { checkOwn } from '../device/checks.js';
import {
  type BoundLaunch,
  bufferOf,
  checkArgs,
  checkKernel,
  type LaunchBatch,
  type LaunchBatchOptions,
} from '../device/launch.js';
import type { Stream } from '../device/stream.js';
import { ArgumentError, ClosedError } from '../errors.js';
import type { NativeContext, NativeEnqueue, NativeLaunch } from './binding.js';
import type { CudaDevice } from './cuda-device.js';
import { CudaKernel } from './cuda-object.js';
import { CudaStream } from './cuda-stream.js';
import { packArgs } from './pack-args.js';

const rule = { type: CudaStream, what: 'stream', owner: 'launches' };

function nativeLaunch(device: CudaDevice, { config, kernel, args }: BoundLaunch): NativeLaunch {
  checkKernel('A launch', kernel);
  if (!(kernel instanceof CudaKernel)) {
    throw new ArgumentError(`Kernel ${kernel.name} was loaded on another device than the launch is for.`);
  }
  checkArgs(device, kernel, args);
  const { grid, block, cluster, sharedBytes = 0 } = config;
  return { function: kernel.native, grid, block, cluster, sharedBytes, args: packArgs(args, kernel.params) };
}

/**
 * Launches whose arguments are packed once; enqueueing them is one call into the addon. It holds the buffers of its
 * arguments, those of tensor maps too, so none is collected while it can be enqueued.
 */
export class CudaLaunchBatch implements LaunchBatch {
  readonly #device: CudaDevice;
  readonly #enqueue: NativeEnqueue;
  readonly #buffers: readonly Buffer[];
  readonly graph: boolean;
  #closed = false;

  /**
   * Made by `device.prepareLaunches`.
   * @throws ArgumentError, ClosedError as `checkArgs` does, for any of the launches before one is made ready
   */
  constructor(
    device: CudaDevice,
    context: NativeContext,
    launches: readonly BoundLaunch[],
    { graph = false }: LaunchBatchOptions = {},
  ) {
    this.#device = device;
    this.graph = graph;
    // First, since it is what checks the arguments.
    const ready = launches.map((launch) => nativeLaunch(device, launch));
    const buffers = launches.flatMap(({ args }) => args.map(bufferOf));
    this.#buffers = [...new Set(buffers.filter((buffer) => buffer !== undefined))];
    this.#enqueue = context.prepareLaunches(ready, graph);
  }

  #checkBuffers(): void {
    for (const buffer of this.#buffers) if (buffer.closed) throw new ClosedError('buffer');
  }

  enqueue(stream: Stream): void {
    if (this.#closed) throw new ClosedError('prepared launches');
    this.#checkBuffers();
    this.#enqueue(checkOwn(this.#device, stream, rule).number);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#enqueue.release();
  }
}
