import { checkOwn } from '../device/checks.js';
import type { Event, EventOptions } from '../device/event.js';
import { ArgumentError, ClosedError } from '../errors.js';
import type { NativeEvent } from './binding.js';
import type { CudaDevice } from './cuda-device.js';

/** A CUDA event. */
export class CudaEvent implements Event {
  readonly device: CudaDevice;
  readonly #native: NativeEvent;
  readonly #timing: boolean;
  #closed = false;

  /** Made by `device.createEvent`. */
  constructor(
    device: CudaDevice,
    create: (timing: boolean) => NativeEvent,
    { timing }: Required<EventOptions>,
  ) {
    this.device = device;
    this.#native = create(timing);
    this.#timing = timing;
  }

  get closed(): boolean {
    return this.#closed || this.device.closed;
  }

  /** @throws ClosedError */
  get native(): NativeEvent {
    if (this.closed) throw new ClosedError('event');
    return this.#native;
  }

  query(): boolean {
    return this.native.query();
  }

  async synchronize(): Promise<void> {
    await this.native.synchronize();
  }

  elapsedMs(start: Event): number {
    const end = this.native;
    const rule = { type: CudaEvent, what: 'start event', owner: 'event' };
    const begin = checkOwn(this.device, start, rule);
    if (!this.#timing || !begin.#timing)
      throw new ArgumentError('The events were created without timing.', {
        remedy: 'Create them with { timing: true }, which is the default.',
      });
    return end.elapsedMs(begin.native);
  }

  close(): void {
    if (this.closed) return;
    this.#closed = true;
    this.#native.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
