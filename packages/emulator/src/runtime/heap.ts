import { ArgumentError, OutOfMemoryError, shown } from '@ffma/core';
import {
  CONTROL,
  GLOBAL_BASE,
  HEAP_START,
  MAX_HEAP_BYTES,
  PAGE_BYTES,
  SHADOW_ALLOCATED,
  SHADOW_START,
  SHADOW_VALID,
} from '../layout.js';

const ALIGNMENT = 256;
/** Bytes kept free behind every allocation, so that a run past its end hits nothing. */
const GUARD = 256;
/** Heap that exists from the start; also keeps every range check's limit positive. */
const FIRST_BYTES = 2 ** 20;

interface Span {
  readonly start: number;
  readonly bytes: number;
}

const roundUp = (value: number, to: number): number => Math.ceil(value / to) * to;

/** Freed spans of at most so many bytes together are not given out again for a while. */
export const QUARANTINE_BYTES = 64 * 2 ** 20;

/** Device memory: the one shared WebAssembly memory, and an allocator for its heap that keeps the shadow. */
export class Heap {
  readonly memory: WebAssembly.Memory;
  /** Free spans by start; neighbours are merged. */
  #free: Span[] = [{ start: 0, bytes: MAX_HEAP_BYTES }];
  #used = 0;
  /** Freed spans that nobody gets yet, so that who still uses them is found; the oldest first. */
  readonly #quarantine: Span[] = [];
  #quarantined = 0;
  readonly #quarantineBytes: number;
  #u8: Uint8Array;

  /** @param quarantineBytes how much freed memory is kept from being used again; 0: none */
  constructor(quarantineBytes = 0) {
    this.#quarantineBytes = quarantineBytes;
    try {
      this.memory = new WebAssembly.Memory({
        initial: (HEAP_START + FIRST_BYTES) / PAGE_BYTES,
        maximum: (HEAP_START + MAX_HEAP_BYTES) / PAGE_BYTES,
        shared: true,
      });
    } catch (cause) {
      throw new OutOfMemoryError('The emulated device memory cannot be reserved (4 GiB of address space).', {
        remedy: 'Close other emulator devices, or raise the address space limit of the process (ulimit -v).',
        cause,
      });
    }
    this.#u8 = new Uint8Array(this.memory.buffer);
    this.#publishSize();
  }

  get total(): number {
    return MAX_HEAP_BYTES;
  }

  get free(): number {
    return MAX_HEAP_BYTES - this.#used;
  }

  /** A view of everything that exists now. */
  get bytes(): Uint8Array {
    return this.#u8;
  }

  #publishSize(): void {
    const heapBytes = this.memory.buffer.byteLength - HEAP_START;
    new DataView(this.memory.buffer).setUint32(CONTROL.heapBytes, heapBytes, true);
  }

  #ensure(end: number): void {
    const missing = HEAP_START + end - this.memory.buffer.byteLength;
    if (missing <= 0) return;
    try {
      this.memory.grow(Math.ceil(missing / PAGE_BYTES));
    } catch (cause) {
      throw new OutOfMemoryError(`The emulated device memory cannot grow by ${missing} bytes.`, { cause });
    }
    this.#u8 = new Uint8Array(this.memory.buffer);
    this.#publishSize();
  }

  /** @returns offset in the heap. @throws OutOfMemoryError, ArgumentError */
  allocate(byteLength: number): number {
    if (!Number.isSafeInteger(byteLength) || byteLength < 0) {
      throw new ArgumentError(
        `A buffer's size must be a whole number of bytes, at least 0, but is ${shown(byteLength)}.`,
      );
    }
    const bytes = roundUp(byteLength + GUARD, ALIGNMENT);
    let index = this.#free.findIndex((span) => span.bytes >= bytes);
    if (index === -1) {
      this.#leaveQuarantine(0);
      index = this.#free.findIndex((span) => span.bytes >= bytes);
    }
    if (index === -1) {
      const largest = Math.max(0, ...this.#free.map((span) => span.bytes - GUARD));
      throw new OutOfMemoryError(
        `The emulator has no room for ${byteLength} bytes: ${this.free} of ${this.total} are free, at most ${largest} in one piece.`,
        { remedy: 'Close buffers that are not needed, or use a smaller problem.' },
      );
    }
    const span = this.#free[index]!;
    this.#ensure(span.start + bytes);
    if (span.bytes === bytes) this.#free.splice(index, 1);
    else this.#free[index] = { start: span.start + bytes, bytes: span.bytes - bytes };
    this.#used += bytes;
    this.#mark(span.start, byteLength, SHADOW_ALLOCATED);
    return span.start;
  }

  release(start: number, byteLength: number): void {
    const bytes = roundUp(byteLength + GUARD, ALIGNMENT);
    this.#used -= bytes;
    this.#u8.fill(0, SHADOW_START + start / 4, SHADOW_START + (start + bytes) / 4);
    this.#quarantine.push({ start, bytes });
    this.#quarantined += bytes;
    this.#leaveQuarantine(this.#quarantineBytes);
  }

  /** Gives the oldest spans back until at most so many bytes are kept. */
  #leaveQuarantine(most: number): void {
    while (this.#quarantined > most) {
      const span = this.#quarantine.shift()!;
      this.#quarantined -= span.bytes;
      this.#giveBack(span);
    }
  }

  #giveBack({ start, bytes }: Span): void {
    const at = this.#free.findIndex((span) => span.start > start);
    const index = at === -1 ? this.#free.length : at;
    const before = this.#free[index - 1];
    const after = this.#free[index];
    const joinsBefore = before !== undefined && before.start + before.bytes === start;
    const joinsAfter = after !== undefined && start + bytes === after.start;
    const merged = {
      start: joinsBefore ? before.start : start,
      bytes: bytes + (joinsBefore ? before.bytes : 0) + (joinsAfter ? after.bytes : 0),
    };
    this.#free.splice(index - (joinsBefore ? 1 : 0), (joinsBefore ? 1 : 0) + (joinsAfter ? 1 : 0), merged);
  }

  /** Sets whole words, and the nibble bits of a last part of a word. */
  #mark(start: number, byteLength: number, shadow: number): void {
    const words = Math.floor(byteLength / 4);
    this.#u8.fill(shadow, SHADOW_START + start / 4, SHADOW_START + start / 4 + words);
    const rest = byteLength % 4;
    if (rest > 0)
      this.#u8[SHADOW_START + start / 4 + words] =
        ((1 << rest) - 1) * (shadow === SHADOW_VALID ? 0x11 : 0x10);
  }

  /** Notes that the host wrote these bytes. */
  markValid(start: number, byteLength: number): void {
    const firstWhole = roundUp(start, 4);
    const end = start + byteLength;
    for (let byte = start; byte < Math.min(firstWhole, end); byte++)
      this.#u8[SHADOW_START + (byte >> 2)]! |= 1 << (byte & 3);
    if (end <= firstWhole) return;
    const lastWhole = end - (end % 4);
    this.#u8.fill(SHADOW_VALID, SHADOW_START + firstWhole / 4, SHADOW_START + lastWhole / 4);
    for (let byte = lastWhole; byte < end; byte++) this.#u8[SHADOW_START + (byte >>> 2)]! |= 1 << (byte & 3);
  }

  /** Notes that bytes were copied inside the heap: those hold a value that did where they came from. */
  copyValid(from: number, to: number, byteLength: number): void {
    const u8 = this.#u8;
    const one = (i: number) => {
      const [source, target] = [from + i, to + i];
      const valid = (u8[SHADOW_START + Math.floor(source / 4)]! >> (source % 4)) & 1;
      const at = SHADOW_START + Math.floor(target / 4);
      u8[at] = (u8[at]! & ~(1 << (target % 4))) | (valid << (target % 4));
    };
    if ((from - to) % 4 !== 0) {
      for (let i = 0; i < byteLength; i++) one(i);
      return;
    }
    // Whole words are all allocated on either side, so that their shadow is copied as it is.
    const head = Math.min((4 - (from % 4)) % 4, byteLength);
    const words = Math.floor((byteLength - head) / 4);
    const first = SHADOW_START + (from + head) / 4;
    if (words > 0) u8.copyWithin(SHADOW_START + (to + head) / 4, first, first + words);
    for (let i = 0; i < head; i++) one(i);
    for (let i = head + 4 * words; i < byteLength; i++) one(i);
  }

  /** Device address of a heap offset. */
  static address(offset: number): bigint {
    return GLOBAL_BASE + BigInt(offset);
  }
}
