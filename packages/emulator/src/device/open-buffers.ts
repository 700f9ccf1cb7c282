import type { KernelArg } from '@ffma/core';
import type { NamedSpan } from './describe-address.js';
import type { EmulatorBuffer } from './emulator-buffer.js';
import { type Leak, placeOfCaller } from './leaks.js';

/** Closed buffers that are remembered by name. */
const MOST_CLOSED = 1024;

/** The buffers of a device by where they lie: those that are open, and those last closed. */
export class OpenBuffers {
  readonly #open = new Map<number, NamedSpan & { readonly made: Error | undefined }>();
  readonly #closed = new Map<number, NamedSpan>();
  readonly #traces: boolean;
  #next = 1;

  /** @param traces whether to note where each was allocated */
  constructor(traces: boolean) {
    this.#traces = traces;
  }

  add({ start, byteLength }: { readonly start: number; readonly byteLength: number }): void {
    for (const span of this.#closed.values()) {
      if (span.start < start + byteLength && start < span.start + span.byteLength)
        this.#closed.delete(span.start);
    }
    const made = this.#traces ? new Error('allocated') : undefined;
    this.#open.set(start, { start, byteLength, name: `buffer ${this.#next++}`, made });
  }

  /** The memory at this offset is free again. */
  free(start: number): void {
    const found = this.#open.get(start);
    if (found === undefined) return;
    this.#open.delete(start);
    const { byteLength, name } = found;
    this.#closed.set(start, { start, byteLength, name, closed: true });
    if (this.#closed.size > MOST_CLOSED) this.#closed.delete(this.#closed.keys().next().value!);
  }

  /** All that an address may lie in; buffers that a launch was given are named by the argument, counted from 1. */
  named(args: readonly KernelArg[]): NamedSpan[] {
    const open = [...this.#open.values()].map(({ made: _, ...span }) => {
      const index = args.findIndex(
        (arg) => arg.type === 'pointer' && (arg.buffer as EmulatorBuffer).start === span.start,
      );
      return index === -1 ? span : { ...span, name: `argument ${index + 1}` };
    });
    return [...open, ...this.#closed.values()];
  }

  leaks(): Leak[] {
    return [...this.#open.values()].map(({ byteLength, name, made }) => {
      const at = made === undefined ? undefined : placeOfCaller(made);
      return { kind: 'buffer', name, byteLength, ...(at === undefined ? {} : { at }) };
    });
  }
}
