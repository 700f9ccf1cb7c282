import type { Device } from './device.js';
import type { Stream } from './stream.js';

/** A span of device memory. */
export interface Buffer extends Disposable {
  readonly device: Device;
  readonly byteLength: number;
  /** Device address of the first byte; 0n for an empty buffer. @throws ClosedError */
  readonly address: bigint;
  readonly closed: boolean;

  /**
   * Enqueues a copy of `source` to this buffer at `byteOffset`. Host memory must stay unchanged until the
   * promise resolves; it resolves when the copy has landed.
   * @throws ArgumentError if the span does not fit; TypeError if `source` is detached.
   */
  copyFrom(stream: Stream, source: ArrayBufferView | Buffer, byteOffset?: number): Promise<void>;
  /** Enqueues a copy from this buffer at `byteOffset` into `target`, filling it. Resolves when it has landed. */
  copyTo(stream: Stream, target: ArrayBufferView, byteOffset?: number): Promise<void>;
  /** Enqueues a fill of `byteLength` bytes (a multiple of 4) at `byteOffset` with a 32-bit word. */
  fill(stream: Stream, word: number, byteOffset?: number, byteLength?: number): void;
  /** Frees the memory. Work already enqueued that uses it finishes first. */
  close(): void;
}
