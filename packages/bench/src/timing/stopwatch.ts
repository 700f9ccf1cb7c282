import { type Buffer, type Event, type Stream, UnsupportedError } from '@ffma/core';
import { flushBytes, type Protocol } from './protocol.js';
import type { TimingDevice } from './timing-device.js';

/** Something to time. */
export interface Contestant {
  /** For messages. */
  readonly name: string;
  /** Enqueues all of it, on one stream, and returns at once. */
  readonly enqueue: (stream: Stream) => void;
  /** Enqueued before each launch, outside its time; e.g. to poison what it has to write. */
  readonly before?: ((stream: Stream) => void) | undefined;
  /** Places that both take of a driver's queue. Default 2. */
  readonly places?: number | undefined;
}

/** Places that are used of a driver's queue, which has about a thousand. */
const PLACES = 500;

/** What the stopwatch enqueues around a launch: a flush and two events. */
const OWN_PLACES = 3;

/** Launches of a contestant that are in flight together. */
const inFlight = ({ places = 2 }: Contestant) => Math.max(1, Math.floor(PLACES / (OWN_PLACES + places)));

/**
 * Times launches by events on their own stream. Everything is enqueued first and waited for once, behind a launch that
 * is not counted, so that the device is at work before the first event and the time that JavaScript takes is hidden.
 * Flush buffer and events are made once.
 */
export class Stopwatch implements Disposable {
  readonly #stream: Stream;
  readonly #flush: Buffer | undefined;
  readonly #pairs: readonly { readonly start: Event; readonly end: Event }[];

  private constructor(stream: Stream, flush: Buffer | undefined, pairs: number) {
    this.#stream = stream;
    this.#flush = flush;
    const { device } = stream;
    this.#pairs = Array.from({ length: pairs }, () => ({
      start: device.createEvent(),
      end: device.createEvent(),
    }));
  }

  /** @throws OutOfMemoryError where the flush buffer does not fit */
  static async create(device: TimingDevice, { l2, launches }: Pick<Protocol, 'l2' | 'launches'>) {
    const flush = l2 === 'cold' ? await device.allocate(flushBytes(device.limits)) : undefined;
    return new Stopwatch(device.createStream(), flush, Math.min(launches, PLACES / (OWN_PLACES + 1)));
  }

  /** Bytes written before each launch; 0 with a warm cache. */
  get flushBytes(): number {
    return this.#flush?.byteLength ?? 0;
  }

  /**
   * Times `launches` launches, in µs each.
   * @param meanwhile called when the first of them have been enqueued, while the device is at work
   * @throws UnsupportedError where the device's clock stands still
   */
  async time(contestant: Contestant, launches: number, meanwhile?: () => unknown): Promise<number[]> {
    const us: number[] = [];
    const most = inFlight(contestant);
    while (us.length < launches) {
      const pairs = this.#pairs.slice(0, Math.min(most, launches - us.length));
      this.#lead(contestant);
      for (const { start, end } of pairs) this.#enqueue(contestant, start, end);
      await Promise.all([this.#stream.synchronize(), us.length === 0 ? meanwhile?.() : undefined]);
      us.push(...pairs.map(({ start, end }) => this.#elapsed(contestant, start, end)));
    }
    return us;
  }

  /** Runs contestants in turn, untimed, each at least once, until the clocks had `ms` to come up. */
  async warmUp(contestants: readonly Contestant[], ms: number): Promise<void> {
    const began = performance.now();
    do {
      for (const { before, enqueue } of contestants) {
        before?.(this.#stream);
        enqueue(this.#stream);
      }
      this.#flush?.fill(this.#stream, 0);
      await this.#stream.synchronize();
    } while (performance.now() - began < ms);
  }

  /** A launch that is not counted: it keeps the device busy while the next is enqueued, and fills a warm cache. */
  #lead({ before, enqueue }: Contestant): void {
    before?.(this.#stream);
    this.#flush?.fill(this.#stream, 0);
    enqueue(this.#stream);
  }

  /** The flush comes last, so that what `before` wrote is not in the cache either. */
  #enqueue({ before, enqueue }: Contestant, start: Event, end: Event): void {
    before?.(this.#stream);
    this.#flush?.fill(this.#stream, 0);
    this.#stream.record(start);
    enqueue(this.#stream);
    this.#stream.record(end);
  }

  #elapsed({ name }: Contestant, start: Event, end: Event): number {
    const us = end.elapsedMs(start) * 1000;
    if (us > 0) return us;
    throw new UnsupportedError(`Two events around a launch of ${name} are ${us} µs apart.`, {
      remedy: 'Times are taken on a device whose events have a clock.',
    });
  }

  [Symbol.dispose](): void {
    for (const { start, end } of this.#pairs) {
      start.close();
      end.close();
    }
    this.#flush?.close();
    this.#stream.close();
  }
}
