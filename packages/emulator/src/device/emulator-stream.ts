import {
  ArgumentError,
  ClosedError,
  checkArgs,
  checkOwn,
  type Device,
  type Dim3,
  type Event,
  type Kernel,
  type KernelArg,
  type LaunchConfig,
  type LaunchStream,
  UnsupportedError,
} from '@ffma/core';
import { decodeTensorMap } from '../runtime/tensor-map-record.js';
import { EmulatorEvent } from './emulator-event.js';
import { EmulatorKernel } from './emulator-object.js';

/** PTX ISA, `.reqntid`: the kernel runs with blocks of exactly this extent. @throws ArgumentError */
function checkRequiredBlock(kernel: EmulatorKernel, block: Dim3): void {
  const { reqntid } = kernel.fn.bounds;
  if (reqntid === undefined || block.every((extent, i) => extent === (reqntid[i] ?? 1))) return;
  const required = [0, 1, 2].map((i) => reqntid[i] ?? 1).join('×');
  throw new ArgumentError(
    `Kernel ${kernel.name} requires blocks of ${required} threads (.reqntid), but got ${block.join('×')}.`,
  );
}

/** A tensor map says in bytes that only its device knows where a matrix lies. @throws ArgumentError for one of another */
function checkTensorMaps({ name, device }: EmulatorKernel, args: readonly KernelArg[]): void {
  for (const [i, arg] of args.entries()) {
    if (arg.type !== 'tensorMap' || decodeTensorMap(arg.map.bytes) !== undefined) continue;
    throw new ArgumentError(
      `Argument ${i} of kernel ${name} is a tensor map that ${device.name} has not made.`,
      {
        remedy: 'Make it by encodeTensorMap of the device that the launch is for.',
      },
    );
  }
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

  /**
   * Appends a copy from or to host memory. Where that memory is gone by then, the promise says so, and nothing else:
   * the stream goes on, as on a GPU.
   */
  enqueueCopy(copy: () => void): Promise<void> {
    let lost: StreamFailure | undefined;
    const done = this.enqueue(() => {
      try {
        copy();
      } catch (error) {
        lost = { error };
      }
    });
    const copied = done.then(() => {
      if (lost !== undefined) throw lost.error;
    });
    // A failure of the stream is kept for `synchronize`; one of the host's memory has nobody else to tell.
    done.catch(() => copied.catch(() => undefined));
    return copied;
  }

  enqueueLaunch(config: LaunchConfig, kernel: Kernel, args: readonly KernelArg[]): void {
    checkArgs(this.device, kernel, args);
    const own = checkOwn(this.device, kernel, { type: EmulatorKernel, what: 'kernel', owner: 'stream' });
    if (own.closed) throw new ClosedError('loaded object');
    if (config.cluster?.some((blocks) => blocks !== 1) === true) {
      throw new UnsupportedError(
        `Kernel ${kernel.name} is launched with clusters of ${config.cluster.join('×')} blocks, which the emulator does not have.`,
      );
    }
    checkRequiredBlock(own, config.block);
    checkTensorMaps(own, args);
    void this.enqueue(this.#launch(config, own, args));
  }

  record(event: Event): void {
    // It is checked before the event begins anew, since nothing would ever end that.
    const { reach, fail } = this.#own(event).begin();
    this.enqueue(reach).catch(fail);
  }

  wait(event: Event): void {
    const { recorded } = this.#own(event);
    void this.enqueue(() => recorded);
  }

  #own(event: Event): EmulatorEvent {
    if (this.#closed) throw new ClosedError('stream');
    const own = checkOwn(this.device, event, { type: EmulatorEvent, what: 'event', owner: 'stream' });
    if (own.closed) throw new ClosedError('event');
    return own;
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
