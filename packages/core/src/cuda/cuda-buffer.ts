import type { Buffer } from '../device/buffer.js';
import { checkHostView, checkOwn, checkSource } from '../device/checks.js';
import { shown } from '../device/shown.js';
import type { Stream } from '../device/stream.js';
import { ArgumentError, ClosedError } from '../errors.js';
import type { NativeMemory } from './binding.js';
import type { CudaDevice } from './cuda-device.js';
import { CudaStream } from './cuda-stream.js';
import { hostBytes } from './host-bytes.js';

/** Device memory. */
export class CudaBuffer implements Buffer {
  readonly device: CudaDevice;
  readonly byteLength: number;
  readonly #native: NativeMemory;
  readonly #address: bigint;
  #closed = false;

  /** Made by `device.allocate`. */
  constructor(device: CudaDevice, native: NativeMemory) {
    this.device = device;
    this.#native = native;
    this.byteLength = native.byteLength;
    this.#address = native.address;
  }

  /** @throws ClosedError */
  get address(): bigint {
    if (this.closed) throw new ClosedError('buffer');
    return this.#address;
  }

  get closed(): boolean {
    return this.#closed || this.device.closed;
  }

  #open(stream: Stream): CudaStream {
    if (this.closed) throw new ClosedError('buffer');
    return checkOwn(this.device, stream, { type: CudaStream, what: 'stream', owner: 'buffer' });
  }

  #checkSpan(byteOffset: number, byteLength: number): void {
    if (
      !Number.isInteger(byteOffset) ||
      !Number.isInteger(byteLength) ||
      byteOffset < 0 ||
      byteLength < 0 ||
      byteOffset + byteLength > this.byteLength
    ) {
      throw new ArgumentError(
        `${shown(byteLength)} bytes at byte ${shown(byteOffset)} do not fit into a buffer of ${this.byteLength} bytes.`,
      );
    }
  }

  copyFrom(stream: Stream, source: ArrayBufferView | Buffer, byteOffset = 0): Promise<void> {
    const open = this.#open(stream);
    if (ArrayBuffer.isView(source)) {
      const bytes = hostBytes(source);
      this.#checkSpan(byteOffset, bytes.byteLength);
      return open.native.copyToDevice(this.#native, byteOffset, bytes);
    }
    checkSource(source);
    this.#checkSpan(byteOffset, source.byteLength);
    if (source.closed) throw new ClosedError('source buffer');
    if (!(source instanceof CudaBuffer) || source.device !== this.device) {
      throw new ArgumentError('The source buffer belongs to another device.', {
        remedy: 'Copy it to the host, and from there.',
      });
    }
    open.native.copyOnDevice(this.#native, byteOffset, source.#native, 0, source.byteLength);
    return open.native.synchronize();
  }

  copyTo(stream: Stream, target: ArrayBufferView, byteOffset = 0): Promise<void> {
    const open = this.#open(stream);
    checkHostView(target, 'The target of a copy');
    const bytes = hostBytes(target);
    this.#checkSpan(byteOffset, bytes.byteLength);
    return open.native.copyToHost(bytes, this.#native, byteOffset);
  }

  fill(stream: Stream, word: number, byteOffset = 0, length?: number): void {
    const open = this.#open(stream);
    this.#checkSpan(byteOffset, length === undefined ? 0 : length);
    const byteLength = length === undefined ? this.byteLength - byteOffset : length;
    if (byteOffset % 4 !== 0 || byteLength % 4 !== 0) {
      throw new ArgumentError(
        `A fill works on whole 4-byte words, but was asked for ${byteLength} bytes at byte ${byteOffset}.`,
      );
    }
    if (!Number.isInteger(word))
      throw new ArgumentError(`A fill takes a 32-bit word, but got ${shown(word)}.`);
    open.native.fill(this.#native, byteOffset, word >>> 0, byteLength / 4);
  }

  close(): void {
    if (this.closed) return;
    this.#closed = true;
    this.#native.free();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
