import {
  ArgumentError,
  ClosedError,
  checkArgs,
  type Device,
  type Dim3,
  type Event,
  type Kernel,
  type KernelArg,
  type LaunchConfig,
  type LaunchStream,
  UnsupportedError,
} from '@ffma/core';
import type { EmulatorEvent } from './emulator-event.js';
import type { EmulatorKernel } from './emulator-object.js';

/** PTX ISA, `.reqntid`: the kernel runs with blocks of exactly this extent. @throws ArgumentError */
function checkRequiredBlock(kernel: EmulatorKernel, block: Dim3): void {
  const { reqntid } = kernel.fn.bounds;
  if (reqntid === undefined || block.every((extent, i) => extent === (reqntid[i] ?? 1))) return;
  const required = [0, 1, 2].map((i) => reqntid[i] ?? 1).join('×');
  throw new ArgumentError(
    `Kernel ${kernel.name} requires blocks of ${required} threads (.reqntid), but got ${block.join('×')}.`,
  );
}

type Launch = (config: LaunchConfig, kernel: Kernel, args: readonly KernelArg[]) => () => Promise<void>;

/** What went wrong in a stream first. */
export interface StreamFailure {
  readonly error: unknown;
}

/** Whether a failure says more than that the device was closed before the work was done. */
export function isWorthTelling(failure: StreamFailure | undefined): failure is StreamFailure {
  return failure !== undefined && !(failure.error instanceof ClosedError);
}

/**
 * Work in order. When something fails, what follows is skipped and rejects with the same error, until
 * `synchronize` has delivered it; then the stream is as good as new.
 */
export class EmulatorStream implements LaunchStream {
  readonly device: Device;
  readonly #launch: Launch;
  readonly #onClose: () => void;
  #tail: Promise<void> = Promise.resolve();
  #pending = 0;
  #failure: StreamFailure | undefined;
  #closed = false;

  constructor(device: Device, launch: Launch, onClose: () => void) {
    this.device = device;
    this.#launch = launch;
    this.#onClose = onClose;
  }

  get closed(): boolean {
    return this.#closed;
  }

  get busy(): boolean {
    return this.#pending > 0;
  }

  /** Settles, never rejecting, when everything enqueued so far is over. */
  get drained(): Promise<void> {
    return this.#tail;
  }

  /** Appends work. The promise may be ignored: a failure is kept for `synchronize`. */
  enqueue(work: () => void | Promise<void>): Promise<void> {
    if (this.#closed) throw new ClosedError('stream');
    this.#pending++;
    const done = this.#tail.then(async () => {
      try {
        if (this.device.closed) throw new ClosedError('emulator device');
        if (this.#failure !== undefined) throw this.#failure.error;
        await work();
      } catch (error) {
        this.#failure ??= { error };
        throw error;
      } finally {
        this.#pending--;
      }
    });
    this.#tail = done.catch(() => undefined);
    return done;
  }

  enqueueLaunch(config: LaunchConfig, kernel: Kernel, args: readonly KernelArg[]): void {
    checkArgs(this.device, kernel, args);
    if ((kernel as EmulatorKernel).closed) throw new ClosedError('loaded object');
    if (config.cluster?.some((blocks) => blocks !== 1) === true) {
      throw new UnsupportedError(
        `Kernel ${kernel.name} is launched with clusters of ${config.cluster.join('×')} blocks, which the emulator does not have.`,
      );
    }
    checkRequiredBlock(kernel as EmulatorKernel, config.block);
    void this.enqueue(this.#launch(config, kernel, args));
  }

  record(event: Event): void {
    // Before the event begins anew, since nothing would ever end that.
    this.#own(event);
    const { reach, fail } = (event as EmulatorEvent).begin();
    this.enqueue(reach).catch(fail);
  }

  wait(event: Event): void {
    this.#own(event);
    const { recorded } = event as EmulatorEvent;
    void this.enqueue(() => recorded);
  }

  #own(event: Event): void {
    if (this.#closed) throw new ClosedError('stream');
    if (event.closed) throw new ClosedError('event');
    if (event.device !== this.device)
      throw new ArgumentError('The event belongs to another device than the stream.');
  }

  async synchronize(): Promise<void> {
    if (this.#closed) throw new ClosedError('stream');
    await this.#tail;
    const failure = this.takeFailure();
    if (failure !== undefined) throw failure.error;
  }

  /** The failure that nobody has been told of yet; whoever takes it delivers it. */
  takeFailure(): StreamFailure | undefined {
    const failure = this.#failure;
    this.#failure = undefined;
    return failure;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#onClose();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** Waits for what is enqueued, unless the device is closed. @throws the failure that was not delivered */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.device.closed) await this.#tail;
    const failure = this.takeFailure();
    this.close();
    if (isWorthTelling(failure)) throw failure.error;
  }
}
