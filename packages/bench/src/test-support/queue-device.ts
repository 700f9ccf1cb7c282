import type { Buffer, Event, Stream } from '@ffma/core';
import type { TimingDevice } from '../timing/timing-device.js';
import { hopper } from './limits.js';

export interface QueueOptions {
  /** µs that the host takes to enqueue one command. */
  readonly enqueueUs: number;
  /** µs that pass after the last command until somebody who waits knows of it. */
  readonly wakeUs: number;
  /** µs that a flush takes. */
  readonly flushUs: number;
}

interface Command {
  readonly what: string;
  readonly start: number;
  readonly end: number;
}

/**
 * A GPU with a queue, and a host that fills it: what is enqueued begins when the host has done so and the GPU has
 * finished what came before. Its clocks are counted, so that the time in which it had nothing to do is exact.
 */
export class QueueDevice {
  readonly name = 'queue';
  readonly limits = hopper;
  readonly commands: Command[] = [];
  readonly #options: QueueOptions;
  #host = 0;
  #free = 0;
  /** Times that somebody waited for it. */
  yields = 0;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  /** Enqueues work of so many µs. @returns when it ends */
  run(what: string, us: number): number {
    this.#host += this.#options.enqueueUs;
    const start = Math.max(this.#host, this.#free);
    this.#free = start + us;
    this.commands.push({ what, start, end: this.#free });
    return this.#free;
  }

  /** µs without work before each command from the first timed launch on, by the end of the one before. */
  idleBefore(): { readonly what: string; readonly us: number }[] {
    const first = this.commands.findIndex(({ what }) => what === 'event');
    return this.commands
      .slice(first + 1)
      .map(({ what, start }, i) => ({ what, us: start - (this.commands[first + i] as Command).end }));
  }

  async allocate(): Promise<Buffer> {
    const buffer = {
      byteLength: 2 ** 28,
      fill: () => void this.run('flush', this.#options.flushUs),
      close() {},
    };
    return buffer as unknown as Buffer;
  }

  createEvent(): Event {
    const event = {
      at: 0,
      elapsedMs: (start: { at: number }) => (event.at - start.at) / 1000,
      close() {},
    };
    return event as unknown as Event;
  }

  createStream(): Stream {
    const stream = {
      device: this,
      record: (event: { at: number }) => {
        event.at = this.run('event', 0);
      },
      synchronize: async () => {
        this.yields++;
        await Promise.resolve();
        this.#host = Math.max(this.#host, this.#free) + this.#options.wakeUs;
      },
      close() {},
    };
    return stream as unknown as Stream;
  }

  asTimingDevice(): TimingDevice {
    return this as unknown as TimingDevice;
  }
}
