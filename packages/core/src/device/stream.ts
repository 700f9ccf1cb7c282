import type { Device } from './device.js';
import type { Event } from './event.js';

/** A queue of device work that runs in order. */
export interface Stream extends Disposable, AsyncDisposable {
  readonly device: Device;
  readonly closed: boolean;
  /** Marks this point of the stream in `event`. */
  record(event: Event): void;
  /** Makes later work of this stream wait until `event`, as recorded last, has happened. */
  wait(event: Event): void;
  /** Resolves when everything enqueued so far has finished; rejects with the first failure. */
  synchronize(): Promise<void>;
  close(): void;
}
