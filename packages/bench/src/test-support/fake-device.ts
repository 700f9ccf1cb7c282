import {
  type Buffer,
  ClosedError,
  type Device,
  type Event,
  type LoadedObject,
  type Stream,
} from '@ffma/core';
import type { LaunchProfile } from '@ffma/emulator';
import { hopper } from './limits.js';

/** Memory of the host that stands for memory of a device. */
export class FakeBuffer implements Buffer {
  readonly memory: Uint8Array<ArrayBuffer>;
  readonly device: FakeDevice;
  readonly address: bigint;
  closed = false;

  constructor(device: FakeDevice, byteLength: number) {
    device.checkOpen();
    this.device = device;
    this.memory = new Uint8Array(byteLength);
    this.address = BigInt(device.allocated++ + 1) << 32n;
  }

  get byteLength(): number {
    return this.memory.length;
  }

  async copyFrom(_: Stream, source: ArrayBufferView | Buffer, byteOffset = 0): Promise<void> {
    if (source instanceof FakeBuffer) {
      this.memory.set(source.memory, byteOffset);
      return;
    }
    const { buffer, byteOffset: start, byteLength } = source as ArrayBufferView;
    this.memory.set(new Uint8Array(buffer, start, byteLength), byteOffset);
  }

  async copyTo(_: Stream, target: ArrayBufferView, byteOffset = 0): Promise<void> {
    const { buffer, byteOffset: start, byteLength } = target;
    new Uint8Array(buffer, start, byteLength).set(this.memory.subarray(byteOffset, byteOffset + byteLength));
  }

  fill(_: Stream, word: number, byteOffset = 0, byteLength = this.byteLength - byteOffset): void {
    new Uint32Array(this.memory.buffer, byteOffset, byteLength / 4).fill(word);
  }

  close(): void {
    this.closed = true;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

const unused = (what: string) => (): never => {
  throw new Error(`The fake device has no ${what}.`);
};

/** A device that runs JavaScript at once, and counts whatever it is told was launched. */
export class FakeDevice implements Device {
  readonly kind: string = 'emulator';
  readonly name: string = 'fake device';
  readonly arch: string = 'sm_90';
  readonly formats = ['ptx'] as const;
  readonly limits = hopper;
  readonly lost: Error | undefined = undefined;
  readonly fma = 'f64';
  readonly counters: boolean;
  closed = false;
  allocated = 0;
  readonly profiles: LaunchProfile[] = [];

  constructor(options: { counters?: boolean } = {}) {
    this.counters = options.counters ?? false;
  }

  /** @throws ClosedError as a device does that is used after it was closed */
  checkOpen(): void {
    if (this.closed) throw new ClosedError('fake device');
  }

  /** Called by a fake kernel when it runs. */
  launched(_kernel: string): void {
    this.checkOpen();
  }

  takeProfiles(): LaunchProfile[] {
    return this.profiles.splice(0);
  }

  allocateSync(byteLength: number): FakeBuffer {
    return new FakeBuffer(this, byteLength);
  }

  async allocate(byteLength: number): Promise<FakeBuffer> {
    return this.allocateSync(byteLength);
  }

  createStream(): Stream {
    this.checkOpen();
    const close = () => {};
    return {
      device: this,
      closed: false,
      record: unused('events'),
      wait: unused('events'),
      synchronize: async () => {},
      close,
      [Symbol.dispose]: close,
      [Symbol.asyncDispose]: async () => {},
    };
  }

  createEvent(): Event {
    return unused('events')();
  }

  load(): Promise<LoadedObject> {
    return unused('code')();
  }

  memInfo() {
    return { free: 2 ** 30, total: 2 ** 30 };
  }

  async synchronize(): Promise<void> {}

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
