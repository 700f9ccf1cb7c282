import { ArgumentError, ClosedError, checkOwn, type Device, type Event } from '@ffma/core';

/** A point in a stream, with the host's time at which it was reached: not a GPU time. */
export class EmulatorEvent implements Event {
  readonly device: Device;
  readonly #timing: boolean;
  #recorded: Promise<void> = Promise.resolve();
  #reachedAt: number | undefined;
  #awaited = false;
  #closed = false;

  constructor(device: Device, timing: boolean) {
    this.device = device;
    this.#timing = timing;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Resolves at the point that was recorded last. */
  get recorded(): Promise<void> {
    return this.#recorded;
  }

  /** Starts a new recording: call `reach` at the point, or `fail` where the stream failed before it. */
  begin(): { reach: () => void; fail: (error: unknown) => void } {
    let reach!: () => void;
    let fail!: (error: unknown) => void;
    const recorded = new Promise<void>((resolve, reject) => {
      const settle = (at: number | undefined) => {
        // A point that was recorded again since says nothing of the event.
        if (this.#recorded !== recorded) return;
        this.#awaited = false;
        this.#reachedAt = at;
      };
      reach = () => {
        settle(performance.now());
        resolve();
      };
      fail = (error) => {
        settle(undefined);
        reject(error);
      };
    });
    this.#recorded = recorded;
    this.#awaited = true;
    this.#reachedAt = undefined;
    // Nobody need wait for an event: the stream delivers its failure too.
    recorded.catch(() => undefined);
    return { reach, fail };
  }

  query(): boolean {
    this.#check();
    return !this.#awaited;
  }

  async synchronize(): Promise<void> {
    this.#check();
    await this.#recorded;
  }

  elapsedMs(start: Event): number {
    this.#check();
    const begin = checkOwn(this.device, start, { type: EmulatorEvent, what: 'start event', owner: 'event' });
    begin.#check();
    const from = begin.#reachedAt;
    if (!this.#timing || !begin.#timing)
      throw new ArgumentError('The events were created without timing.', {
        remedy: 'Create them with { timing: true }, which is the default.',
      });
    if (this.#reachedAt === undefined || from === undefined) {
      throw new ArgumentError('Both events must have happened before the time between them is known.', {
        remedy: 'Await event.synchronize() first.',
      });
    }
    return this.#reachedAt - from;
  }

  #check(): void {
    if (this.#closed) throw new ClosedError('event');
  }

  close(): void {
    this.#closed = true;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
