import type { Device } from './device.js';

export interface EventOptions {
  /** Whether `elapsedMs` may be asked of it. Default true. */
  timing?: boolean;
}

/** A point in a stream. */
export interface Event extends Disposable {
  readonly device: Device;
  readonly closed: boolean;
  /** True once the recorded point has been reached. */
  query(): boolean;
  synchronize(): Promise<void>;
  /**
   * Milliseconds from `start` to this event; both must have happened.
   * On a device without a clock of its own (an emulator) this is host time and says nothing about a GPU.
   */
  elapsedMs(start: Event): number;
  close(): void;
}
