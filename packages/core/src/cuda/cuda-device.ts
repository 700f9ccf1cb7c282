import { checkedEventOptions, checkObjectCode } from '../device/checks.js';
import type { Device } from '../device/device.js';
import type { EventOptions } from '../device/event.js';
import type { Kernel } from '../device/kernel.js';
import {
  type BoundLaunch,
  checkKernel,
  checkLaunch,
  checkLaunches,
  type LaunchBatcher,
  type LaunchBatchOptions,
} from '../device/launch.js';
import type { DeviceLimits, MemInfo } from '../device/limits.js';
import type { ObjectCode } from '../device/object-code.js';
import { shown } from '../device/shown.js';
import type { TensorMap, TensorMapOptions, TensorMapper } from '../device/tensor-map.js';
import { ArgumentError, ClosedError, OutOfMemoryError } from '../errors.js';
import type { NativeBinding, NativeContext, NativePinned } from './binding.js';
import { checkCubin } from './check-cubin.js';
import { type ClockSample, clockSample } from './clock-sample.js';
import { CudaBuffer } from './cuda-buffer.js';
import { CudaEvent } from './cuda-event.js';
import { CudaKernel, CudaObject } from './cuda-object.js';
import { CudaStream } from './cuda-stream.js';
import { limitsOf } from './device-attributes.js';
import type { CudaDeviceProperties } from './device-properties.js';
import { CudaLaunchBatch } from './launch-batch.js';
import { openNvml } from './nvml.js';
import { matrixOf, tensorMapRequest } from './tensor-map.js';

/** Page-locked host memory: the GPU copies from and to it directly. */
export interface PinnedMemory extends Disposable {
  /**
   * Detached by `close`. It stays with this thread: to transfer it is to copy it, as Node 20 does, or an error, as in
   * newer versions.
   */
  readonly buffer: ArrayBuffer;
  /** Gives the memory back after the copies that use it. */
  close(): void;
}

/** An NVIDIA GPU, by way of the CUDA driver. Obtain one from `openDevice('cuda')`. */
export class CudaDevice implements Device, LaunchBatcher, TensorMapper {
  readonly kind = 'cuda';
  readonly name: string;
  readonly arch: string;
  readonly formats = ['cubin', 'ptx'] as const;
  readonly limits: DeviceLimits;
  readonly properties: CudaDeviceProperties;
  readonly #binding: NativeBinding;
  readonly #native: NativeContext;
  #lost: Error | undefined;
  #closed = false;
  readonly #atClose = new Set<() => void>();
  /** Ends `asyncDispose` where the device is closed meanwhile. */
  #stopWaiting: (() => void) | undefined;

  /** Use `openDevice('cuda')`. */
  constructor(binding: NativeBinding, native: NativeContext, properties: CudaDeviceProperties) {
    this.#binding = binding;
    this.#native = native;
    this.properties = properties;
    this.name = properties.name;
    this.arch = `sm_${properties.computeCapability.join('')}`;
    this.limits = limitsOf(properties.attributes);
  }

  get closed(): boolean {
    return this.#closed;
  }

  get lost(): Error | undefined {
    if (!this.#closed) this.#lost ??= this.#native.lost;
    return this.#lost;
  }

  /** The CUcontext, for libraries that work in the current one. It is current on this thread after any call. */
  get nativeHandle(): bigint {
    return this.#open().handle;
  }

  #open(): NativeContext {
    if (this.#closed) throw new ClosedError('CUDA device');
    return this.#native;
  }

  #allocate<T>(what: string, byteLength: number, allocate: (context: NativeContext) => T): T {
    const context = this.#open();
    if (!Number.isSafeInteger(byteLength) || byteLength < 0) {
      throw new ArgumentError(`${what} has a whole number of bytes, but got ${shown(byteLength)}.`);
    }
    try {
      return allocate(context);
    } catch (error) {
      if (!(error instanceof OutOfMemoryError)) throw error;
      const { free, total } = this.memInfo();
      throw new OutOfMemoryError(
        `${what} of ${byteLength} bytes was asked for, but the GPU has ${free} of ${total} bytes free.`,
        { remedy: 'Close what is not needed any more.', native: error.native ?? '', call: error.call ?? '' },
      );
    }
  }

  allocateSync(byteLength: number): CudaBuffer {
    return this.#allocate('A buffer', byteLength, (own) => new CudaBuffer(this, own.allocate(byteLength)));
  }

  async allocate(byteLength: number): Promise<CudaBuffer> {
    return this.allocateSync(byteLength);
  }

  /** @throws OutOfMemoryError, ArgumentError */
  allocatePinned(byteLength: number): PinnedMemory {
    const pinned: NativePinned = this.#allocate('Pinned memory', byteLength, (own) =>
      own.allocatePinned(byteLength),
    );
    const close = () => pinned.release();
    return { buffer: pinned.buffer, close, [Symbol.dispose]: close };
  }

  createStream(): CudaStream {
    return new CudaStream(this, this.#open().createStream());
  }

  createEvent(options?: EventOptions): CudaEvent {
    const context = this.#open();
    return new CudaEvent(this, (timing) => context.createEvent(timing), checkedEventOptions(options));
  }

  /**
   * Loads a cubin, or PTX by way of the driver's JIT.
   * @throws UnsupportedError, CompileError with the JIT's log in `details.log`
   */
  async load(object: ObjectCode): Promise<CudaObject> {
    checkObjectCode(object);
    if (object.format === 'cubin') checkCubin(object);
    return new CudaObject(this, object, await this.#open().loadModule(object.bytes));
  }

  prepareLaunches(launches: readonly BoundLaunch[], options: LaunchBatchOptions = {}): CudaLaunchBatch {
    checkLaunches(launches, options);
    return new CudaLaunchBatch(this, this.#open(), launches, options);
  }

  /**
   * Blocks of `threads` threads that an SM holds at a time. `dynamicSharedBytes` a block, default 0.
   * @throws ArgumentError where no such block can be launched
   */
  occupancy(kernel: Kernel, threads: number, dynamicSharedBytes = 0): number {
    this.#open();
    checkKernel('An occupancy query', kernel);
    if (!(kernel instanceof CudaKernel) || kernel.device !== this) {
      throw new ArgumentError(`Kernel ${kernel.name} was loaded on another device.`);
    }
    const config = { grid: [1, 1, 1], block: [threads, 1, 1], sharedBytes: dynamicSharedBytes } as const;
    checkLaunch(config, this.limits, kernel.attributes.sharedBytes);
    return kernel.native.occupancy(threads, dynamicSharedBytes);
  }

  /** A CUtensorMap, for launches: `{ type: 'tensorMap', map }`. @throws ArgumentError, ClosedError, UnsupportedError */
  encodeTensorMap(options: TensorMapOptions): TensorMap {
    this.#open();
    const buffer = matrixOf(options);
    if (buffer.device !== this) throw new ArgumentError('The buffer belongs to another device.');
    if (buffer.closed) throw new ClosedError('buffer');
    return { buffer, bytes: this.#binding.encodeTensorMap(tensorMapRequest(options)) };
  }

  /** Clocks, power, temperature and what holds them down, through NVML. @throws UnavailableError */
  sampleClocks(): ClockSample {
    this.#open();
    openNvml(this.#binding);
    return clockSample(this.#binding.nvmlSample(this.properties.uuid));
  }

  memInfo(): MemInfo {
    const [free, total] = this.#open().memInfo();
    return { free, total };
  }

  async synchronize(): Promise<void> {
    await this.#open().synchronize();
  }

  /**
   * Returns at once, also while a kernel runs, which cannot be stopped: it goes on to its end. What it may use comes
   * back then, and promises of work in flight settle then, and keep the process alive until they have.
   * `process.exit` waits for no kernel: the driver stops it when the process is gone.
   */
  close(): void {
    if (this.#closed) return;
    try {
      for (const release of this.#atClose) release();
    } finally {
      this.#atClose.clear();
      this.#lost = this.lost;
      this.#closed = true;
      this.#native.close();
      this.#stopWaiting?.();
    }
  }

  /**
   * For libraries that work in its context: `release` is called when the device is closed, while it and its streams
   * are still open. It must not throw. From then on the end of the process waits neither for kernels nor for what such
   * a library does at the end: so call it when the library has set itself up.
   * @returns what takes it back
   */
  onClose(release: () => void): Disposable {
    this.#open();
    this.#binding.guardExit();
    this.#atClose.add(release);
    return { [Symbol.dispose]: () => void this.#atClose.delete(release) };
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** Waits for all work in flight, however long that takes, unless `close` is called meanwhile; then closes. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed) return;
    const closed = new Promise<void>((resolve) => {
      this.#stopWaiting = resolve;
    });
    // What failed is told by the promises of the work itself.
    await Promise.race([this.synchronize().catch(() => undefined), closed]);
    this.close();
  }
}
