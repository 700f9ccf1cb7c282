import type { Buffer } from '../device/buffer.js';
import { checkHostView, checkOwn, checkSource } from '../device/checks.js';
import { checkSpan, fillLength } from '../device/span.js';
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

  copyFrom(stream: Stream, source: ArrayBufferView | Buffer, byteOffset = 0): Promise<void> {
    const open = this.#open(stream);
    if (ArrayBuffer.isView(source)) {
      const bytes = hostBytes(source);
      checkSpan(this, byteOffset, bytes.byteLength);
      return open.native.copyToDevice(this.#native, byteOffset, bytes);
    }
    checkSource(source);
    checkSpan(this, byteOffset, source.byteLength);
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
    checkSpan(this, byteOffset, bytes.byteLength);
    return open.native.copyToHost(bytes, this.#native, byteOffset);
  }

  fill(stream: Stream, word: number, byteOffset = 0, byteLength?: number): void {
    const open = this.#open(stream);
    const bytes = fillLength(this, word, byteOffset, byteLength);
    open.native.fill(this.#native, byteOffset, word >>> 0, bytes / 4);
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
