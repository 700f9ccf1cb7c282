import {
  type Buffer,
  ClosedError,
  type Device,
  type DeviceLimits,
  DeviceLostError,
  type Event,
  type Stream,
  UnsupportedError,
} from '@ffma/core';

const limits: DeviceLimits = {
  smCount: 2,
  warpSize: 32,
  maxThreadsPerBlock: 1024,
  maxThreadsPerSm: 2048,
  maxBlocksPerSm: 32,
  registersPerSm: 65536,
  sharedBytesPerSm: 233472,
  sharedBytesPerBlock: 49152,
  sharedBytesPerBlockOptin: 232448,
  sharedBytesReservedPerBlock: 1024,
  maxBlockDim: [1024, 1024, 64],
  maxGridDim: [2 ** 31 - 1, 65535, 65535],
  l2Bytes: 1 << 20,
};

const bytesOf = (view: ArrayBufferView) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

export class FakeBuffer implements Buffer {
  readonly memory: Uint8Array<ArrayBuffer>;
  readonly device: FakeDevice;
  readonly address: bigint;
  closed = false;

  constructor(device: FakeDevice, byteLength: number, address: bigint) {
    this.device = device;
    this.memory = new Uint8Array(byteLength);
    this.address = byteLength === 0 ? 0n : address;
  }

  get byteLength(): number {
    return this.memory.length;
  }

  copyFrom(stream: Stream, source: ArrayBufferView | Buffer, byteOffset = 0): Promise<void> {
    if (!ArrayBuffer.isView(source))
      throw new UnsupportedError('The fake device copies from host memory only.');
    return (stream as FakeStream).push(() => this.memory.set(bytesOf(source), byteOffset));
  }

  copyTo(stream: Stream, target: ArrayBufferView, byteOffset = 0): Promise<void> {
    return (stream as FakeStream).push(() =>
      bytesOf(target).set(this.memory.subarray(byteOffset, byteOffset + target.byteLength)),
    );
  }

  fill(stream: Stream, word: number, byteOffset = 0, byteLength = this.byteLength - byteOffset): void {
    void (stream as FakeStream).push(() =>
      new Uint32Array(this.memory.buffer, byteOffset, byteLength / 4).fill(word),
    );
  }

  close(): void {
    if (!this.closed) this.device.open--;
    this.closed = true;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** Runs what is pushed in order, later; after a failure everything rejects with it. */
export class FakeStream implements Stream {
  readonly device: FakeDevice;
  closed = false;
  #tail: Promise<void> = Promise.resolve();

  constructor(device: FakeDevice) {
    this.device = device;
  }

  push(work: () => void): Promise<void> {
    if (this.closed) throw new ClosedError('stream');
    if (this.device.lost !== undefined) return Promise.reject(this.device.lost);
    this.#tail = this.#tail.then(() => {
      if (this.device.lost !== undefined) throw this.device.lost;
      work();
    });
    this.#tail.catch(() => {});
    return this.#tail;
  }

  synchronize(): Promise<void> {
    return this.#tail;
  }

  record(): void {
    throw new UnsupportedError('The fake device has no events.');
  }

  wait(): void {
    throw new UnsupportedError('The fake device has no events.');
  }

  close(): void {
    if (!this.closed) this.device.open--;
    this.closed = true;
  }

  [Symbol.dispose](): void {
    this.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }
}

/** A device in host memory, without kernels: what runs on it is JavaScript. */
export class FakeDevice implements Device {
  readonly kind = 'fake';
  readonly name = 'fake device';
  readonly formats = ['ptx'] as const;
  readonly limits = limits;
  readonly arch: string;
  lost: Error | undefined;
  closed = false;
  /** Buffers and streams that were not closed yet. */
  open = 0;
  #next = 0x1_0000_0000n;

  constructor(arch = 'sm_90') {
    this.arch = arch;
  }

  async allocate(byteLength: number): Promise<FakeBuffer> {
    return this.allocateSync(byteLength);
  }

  allocateSync(byteLength: number): FakeBuffer {
    if (this.lost !== undefined) throw this.lost;
    const buffer = new FakeBuffer(this, byteLength, this.#next);
    this.#next += (BigInt(byteLength) / 256n + 1n) * 256n;
    this.open++;
    return buffer;
  }

  createStream(): FakeStream {
    this.open++;
    return new FakeStream(this);
  }

  createEvent(): Event {
    throw new UnsupportedError('The fake device has no events.');
  }

  load(): never {
    throw new UnsupportedError('The fake device loads no code.');
  }

  memInfo() {
    return { free: 2 ** 30, total: 2 ** 30 };
  }

  async synchronize(): Promise<void> {
    if (this.lost !== undefined) throw this.lost;
  }

  /** Takes the device down, as a sticky error does. */
  lose(): never {
    this.lost = new DeviceLostError('The fake device was lost.');
    throw this.lost;
  }

  close(): void {
    this.closed = true;
  }

  [Symbol.dispose](): void {
    this.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }
}
