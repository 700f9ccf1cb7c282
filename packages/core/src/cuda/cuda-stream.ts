import { checkOwn } from '../device/checks.js';
import type { Event } from '../device/event.js';
import type { Kernel } from '../device/kernel.js';
import type { KernelArg, LaunchConfig, LaunchStream } from '../device/launch.js';
import { ClosedError } from '../errors.js';
import type { NativeStream } from './binding.js';
import type { CudaDevice } from './cuda-device.js';
import { CudaEvent } from './cuda-event.js';

/** A CUDA stream. It does not synchronise with the default stream. */
export class CudaStream implements LaunchStream {
  readonly device: CudaDevice;
  readonly #native: NativeStream;
  readonly #number: number;
  #closed = false;

  /** Made by `device.createStream`. */
  constructor(device: CudaDevice, native: NativeStream) {
    this.device = device;
    this.#native = native;
    this.#number = native.number;
  }

  get closed(): boolean {
    return this.#closed || this.device.closed;
  }

  /** @throws ClosedError */
  get native(): NativeStream {
    if (this.#closed || this.device.closed) throw new ClosedError('stream');
    return this.#native;
  }

  /** Stands for it in the addon's launches. @throws ClosedError */
  get number(): number {
    if (this.#closed || this.device.closed) throw new ClosedError('stream');
    return this.#number;
  }

  /** The CUstream, for libraries that take one. Valid until the stream is closed. */
  get nativeHandle(): bigint {
    return this.native.handle;
  }

  enqueueLaunch(config: LaunchConfig, kernel: Kernel, args: readonly KernelArg[]): void {
    this.device.prepareLaunches([{ config, kernel, args }]).enqueue(this);
  }

  #own(event: Event): CudaEvent {
    return checkOwn(this.device, event, { type: CudaEvent, what: 'event', owner: 'stream' });
  }

  record(event: Event): void {
    this.native.record(this.#own(event).native);
  }

  wait(event: Event): void {
    this.native.wait(this.#own(event).native);
  }

  async synchronize(): Promise<void> {
    await this.native.synchronize();
  }

  close(): void {
    if (this.closed) return;
    this.#closed = true;
    this.#native.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.closed) return;
    // What failed is told by the promises of the work itself.
    await this.synchronize().catch(() => undefined);
    this.close();
  }
}
