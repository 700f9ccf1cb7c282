import { type Buffer, type Event, type Stream, UnavailableError } from '@ffma/core';
import type { ClockSample } from '../timing/timing-device.js';
import { FakeBuffer, FakeDevice } from './fake-device.js';

export interface FakeTimingOptions {
  /** µs that the n-th timed launch of a kernel takes; default 100. */
  readonly times?: Readonly<Record<string, (n: number) => number>>;
  /** The reason for lower clocks of the n-th sample; all but `gpu-idle` throttle. Default none. */
  readonly reasons?: (n: number) => string | undefined;
  /** Why clocks cannot be read. */
  readonly noClocks?: string;
  readonly maxSmClockMHz?: number | undefined;
  readonly arch?: string;
  /** Whether it has CUDA graphs. */
  readonly graphs?: boolean;
}

/** A buffer too large to be worth having; it can be written to. */
class HollowBuffer extends FakeBuffer {
  readonly #byteLength: number;
  readonly #onFill: (byteLength: number) => void;

  constructor(device: FakeDevice, byteLength: number, onFill: (byteLength: number) => void) {
    super(device, 0);
    this.#byteLength = byteLength;
    this.#onFill = onFill;
  }

  override get byteLength(): number {
    return this.#byteLength;
  }

  override fill(_: Stream, _word: number, _byteOffset = 0, byteLength = this.byteLength): void {
    this.#onFill(byteLength);
  }
}

class WatchedBuffer extends FakeBuffer {
  readonly onFill: (how: string) => void;

  constructor(device: FakeDevice, byteLength: number, onFill: (how: string) => void) {
    super(device, byteLength);
    this.onFill = onFill;
  }

  override fill(stream: Stream, word: number, byteOffset?: number, byteLength?: number): void {
    super.fill(stream, word, byteOffset, byteLength);
    this.onFill('fill');
  }

  override copyFrom(stream: Stream, source: ArrayBufferView | Buffer, byteOffset?: number): Promise<void> {
    if (source instanceof FakeBuffer) this.onFill('copy');
    return super.copyFrom(stream, source, byteOffset);
  }
}

/** A GPU whose launches take the times they are told to take, and which writes down all that is enqueued. */
export class FakeTimingDevice extends FakeDevice {
  override readonly kind = 'cuda';
  override readonly name = 'fake GPU';
  override readonly arch: string;
  readonly properties: {
    readonly uuid: string;
    readonly driverVersion: string;
    readonly cudaVersion: string;
    readonly attributes: { readonly clockRateKHz: number | undefined };
  };
  /** `flush 268435456`, `fill`, `copy`, `record`, `launch k01`, `synchronize`, `sample`, in order. */
  readonly log: string[] = [];
  readonly #options: FakeTimingOptions;
  readonly #timed = new Map<string, number>();
  #now = 0;
  #samples = 0;
  /** Whether the last launch was behind the first event of a pair. */
  #timing = false;

  constructor(options: FakeTimingOptions = {}) {
    super();
    this.#options = options;
    this.arch = options.arch ?? 'sm_90';
    if (options.graphs === true)
      Object.assign(this, { prepareLaunches: () => ({ graph: true, enqueue: () => {}, close: () => {} }) });
    const MHz = 'maxSmClockMHz' in options ? options.maxSmClockMHz : 1980;
    this.properties = {
      uuid: 'GPU-0123',
      driverVersion: '580.1',
      cudaVersion: '13.0',
      attributes: { clockRateKHz: MHz === undefined ? undefined : MHz * 1000 },
    };
  }

  override allocateSync(byteLength: number): FakeBuffer {
    const large = byteLength >= 2 ** 26;
    return large
      ? new HollowBuffer(this, byteLength, (bytes) => this.log.push(`flush ${bytes}`))
      : new WatchedBuffer(this, byteLength, (how) => this.log.push(how));
  }

  override launched(kernel: string): void {
    this.checkOpen();
    const last = this.log.at(-1);
    // A batch is several launches after one event.
    const timed = last === 'record' || (last === `launch ${kernel}` && this.#timing);
    this.#timing = timed;
    this.log.push(`launch ${kernel}`);
    if (!timed) return;
    const n = this.#timed.get(kernel) ?? 0;
    this.#timed.set(kernel, n + 1);
    this.#now += this.#options.times?.[kernel]?.(n) ?? 100;
  }

  override createStream(): Stream {
    return {
      ...super.createStream(),
      record: (event) => {
        this.log.push('record');
        (event as FakeEvent).us = this.#now;
      },
      synchronize: async () => {
        this.log.push('synchronize');
      },
    };
  }

  override createEvent(): Event {
    return new FakeEvent(this);
  }

  sampleClocks(): ClockSample {
    if (this.#options.noClocks !== undefined) throw new UnavailableError(this.#options.noClocks);
    this.log.push('sample');
    const reason = this.#options.reasons?.(this.#samples++);
    const reasons = reason === undefined ? [] : [reason];
    const throttled = reason !== undefined && reason !== 'gpu-idle';
    return { smClockMHz: 1980, memoryClockMHz: 3201, powerW: 401.27, temperatureC: 48, reasons, throttled };
  }
}

class FakeEvent implements Event {
  readonly device: FakeDevice;
  closed = false;
  us = Number.NaN;

  constructor(device: FakeDevice) {
    this.device = device;
  }

  query(): boolean {
    return true;
  }

  async synchronize(): Promise<void> {}

  elapsedMs(start: Event): number {
    return (this.us - (start as FakeEvent).us) / 1000;
  }

  close(): void {
    this.closed = true;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
