import type { Buffer } from './buffer.js';
import type { Event, EventOptions } from './event.js';
import type { DeviceLimits, MemInfo } from './limits.js';
import type { LoadedObject, ObjectCode } from './object-code.js';
import type { Stream } from './stream.js';

/**
 * A GPU, or something that runs GPU kernels. Obtain one from `openDevice`; everything that it hands out
 * (buffers, streams, loaded objects) keeps what it depends on alive and is closed with it at the latest.
 */
export interface Device extends Disposable, AsyncDisposable {
  /** `'cuda'`, `'emulator'`, or the name of another provider. */
  readonly kind: string;
  /** For a person, e.g. `NVIDIA H200` or `emulated H200 (2 workers)`. */
  readonly name: string;
  /** Architecture whose machine code it runs, e.g. `sm_90`. */
  readonly arch: string;
  /** Formats that `load` takes, best first. */
  readonly formats: readonly ('cubin' | 'ptx')[];
  readonly limits: DeviceLimits;
  /** The sticky error that took the device down, if one did. */
  readonly lost: Error | undefined;
  readonly closed: boolean;

  /**
   * Allocates `byteLength` bytes, aligned to at least 256. Contents are undefined. 0 is allowed.
   * @throws OutOfMemoryError, ArgumentError
   */
  allocate(byteLength: number): Promise<Buffer>;
  allocateSync(byteLength: number): Buffer;
  createStream(): Stream;
  createEvent(options?: EventOptions): Event;
  /** Loads machine code or PTX. Rejects where the device cannot run it, naming the reason. */
  load(object: ObjectCode): Promise<LoadedObject>;
  memInfo(): MemInfo;
  /** Resolves when everything enqueued so far on every stream has finished; rejects with the first failure. */
  synchronize(): Promise<void>;
  /**
   * Releases everything, and returns at once. `Symbol.asyncDispose` waits for work in flight before, unless `close` is
   * called meanwhile. What is in flight then is stopped where the device can do that, as an emulator can; a kernel on
   * a GPU goes on to its end, and what it uses is released after it.
   */
  close(): void;
}
