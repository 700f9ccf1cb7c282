import {
  ArgumentError,
  type Buffer,
  ClosedError,
  checkHostView,
  checkOwn,
  checkSource,
  checkSpan,
  type Device,
  fillLength,
  type Stream,
} from '@ffma/core';
import { HEAP_START } from '../layout.js';
import { Heap } from '../runtime/heap.js';
import { EmulatorStream } from './emulator-stream.js';

interface Owner {
  readonly device: Device;
  readonly heap: Heap;
  /** Runs `free` when nothing that is enqueued now can use the memory any more. */
  afterPendingWork(free: () => void): void;
  /** Called when the span at this heap offset is free again. */
  onFree(start: number): void;
}

/** Frees the memory of buffers that were dropped without `close()`. */
const abandoned = new FinalizationRegistry<() => void>((free) => free());

/** @throws TypeError for memory that was transferred elsewhere; its views have no length, but say nothing else */
function checkDetached(view: ArrayBufferView): void {
  try {
    new Uint8Array(view.buffer, 0, 0);
  } catch (cause) {
    throw new TypeError('The array is detached: its memory was transferred elsewhere.', { cause });
  }
}

/** A view that tracks a resizable buffer's length may have another one by now. @throws TypeError */
function checkUnchanged(view: ArrayBufferView, byteLength: number): void {
  checkDetached(view);
  if (view.byteLength === byteLength) return;
  throw new TypeError(
    `The array had ${byteLength} bytes when the copy was enqueued, but has ${view.byteLength} now: do not resize it before the copy is over.`,
  );
}

const bytesOf = (view: ArrayBufferView): Uint8Array =>
  new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

/** A span of the emulator's heap. */
export class EmulatorBuffer implements Buffer {
  readonly device: Device;
  readonly byteLength: number;
  /** Offset in the heap. */
  readonly start: number;
  readonly #owner: Owner;
  readonly #free: () => void;
  #closed = false;

  constructor(owner: Owner, byteLength: number) {
    this.#owner = owner;
    this.device = owner.device;
    this.byteLength = byteLength;
    const start = owner.heap.allocate(byteLength);
    this.start = start;
    this.#free = () => {
      owner.heap.release(start, byteLength);
      owner.onFree(start);
    };
    const free = this.#free;
    abandoned.register(this, () => owner.afterPendingWork(free), this);
  }

  /** @throws ClosedError */
  get address(): bigint {
    if (this.#closed) throw new ClosedError('buffer');
    return this.deviceAddress;
  }

  /** Its address, also after `close`: launches that were enqueued before still use it. */
  get deviceAddress(): bigint {
    return this.byteLength === 0 ? 0n : Heap.address(this.start);
  }

  get closed(): boolean {
    return this.#closed;
  }

  #open(stream: Stream): EmulatorStream {
    if (this.#closed) throw new ClosedError('buffer');
    return checkOwn(this.device, stream, { type: EmulatorStream, what: 'stream', owner: 'buffer' });
  }

  copyFrom(stream: Stream, source: ArrayBufferView | Buffer, byteOffset = 0): Promise<void> {
    const open = this.#open(stream);
    checkSource(source);
    checkSpan(this, byteOffset, source.byteLength);
    const { heap } = this.#owner;
    const at = this.start + byteOffset;
    if (ArrayBuffer.isView(source)) {
      checkDetached(source);
      const { byteLength } = source;
      return open.enqueueCopy(() => {
        checkUnchanged(source, byteLength);
        heap.bytes.set(bytesOf(source), HEAP_START + at);
        heap.markValid(at, byteLength);
      });
    }
    if (source.closed) throw new ClosedError('source buffer');
    if (!(source instanceof EmulatorBuffer) || source.device !== this.device)
      throw new ArgumentError('The source buffer belongs to another device.', {
        remedy: 'Copy it to the host, and from there.',
      });
    const from = source.start;
    return open.enqueue(() => {
      heap.bytes.copyWithin(HEAP_START + at, HEAP_START + from, HEAP_START + from + source.byteLength);
      heap.copyValid(from, at, source.byteLength);
    });
  }

  copyTo(stream: Stream, target: ArrayBufferView, byteOffset = 0): Promise<void> {
    const open = this.#open(stream);
    checkHostView(target, 'The target of a copy');
    checkDetached(target);
    checkSpan(this, byteOffset, target.byteLength);
    const { heap } = this.#owner;
    const from = HEAP_START + this.start + byteOffset;
    const { byteLength } = target;
    return open.enqueueCopy(() => {
      checkUnchanged(target, byteLength);
      bytesOf(target).set(heap.bytes.subarray(from, from + byteLength));
    });
  }

  fill(stream: Stream, word: number, byteOffset = 0, byteLength?: number): void {
    const open = this.#open(stream);
    const bytes = fillLength(this, word, byteOffset, byteLength);
    const { heap } = this.#owner;
    const at = this.start + byteOffset;
    void open.enqueue(() => {
      new Uint32Array(heap.bytes.buffer, HEAP_START + at, bytes / 4).fill(word >>> 0);
      heap.markValid(at, bytes);
    });
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    abandoned.unregister(this);
    this.#owner.afterPendingWork(this.#free);
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
