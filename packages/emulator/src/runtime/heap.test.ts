import { beforeEach, describe, expect, test } from 'vitest';
import { CONTROL, GLOBAL_BASE, HEAP_START, MAX_HEAP_BYTES, SHADOW_START } from '../layout.js';
import { Heap } from './heap.js';

let heap: Heap;
beforeEach(() => {
  heap = new Heap();
});

const shadowOf = (byte: number): { allocated: boolean; valid: boolean } => {
  const shadow = heap.bytes[SHADOW_START + Math.floor(byte / 4)]!;
  return { allocated: (shadow & (0x10 << (byte % 4))) !== 0, valid: (shadow & (1 << (byte % 4))) !== 0 };
};

/** Bytes around a span whose shadow is not as said: allocated in [start, end), valid where `valid` holds. */
function wrongBytes(start: number, end: number, valid: (byte: number) => boolean): number[] {
  const wrong: number[] = [];
  for (let byte = Math.max(0, start - 64); byte < end + 256; byte++) {
    const inside = byte >= start && byte < end;
    const { allocated, valid: isValid } = shadowOf(byte);
    if (allocated !== inside || isValid !== (inside && valid(byte))) wrong.push(byte);
  }
  return wrong;
}

describe('allocation', () => {
  test.each([0, 1, 3, 4, 5, 255, 256, 257, 1000])(
    'of %i bytes: those may be touched and hold nothing',
    (length) => {
      heap.allocate(1000);
      const start = heap.allocate(length);
      expect(start % 256).toBe(0);
      expect(wrongBytes(start, start + length, () => false)).toEqual([]);
      expect(Heap.address(start)).toBe(GLOBAL_BASE + BigInt(start));
      heap.release(start, length);
      expect(wrongBytes(start, start, () => false)).toEqual([]);
    },
  );

  test('behind each there is a gap', () => {
    const spans = Array.from({ length: 10 }, (_, i) => ({ start: heap.allocate(i * 100), length: i * 100 }));
    for (const [i, { start, length }] of spans.entries()) {
      if (i + 1 < spans.length) expect(spans[i + 1]!.start - (start + length)).toBeGreaterThanOrEqual(256);
    }
  });

  test('what is freed is joined with its neighbours, in any order', () => {
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [0, 2, 1],
      [1, 0, 2],
      [1, 2, 0],
      [2, 0, 1],
    ]) {
      const starts = [0, 1, 2].map(() => heap.allocate(1000));
      for (const i of order) heap.release(starts[i]!, 1000);
      expect(heap.free).toBe(MAX_HEAP_BYTES);
      const whole = heap.allocate(3000);
      expect(whole).toBe(0);
      heap.release(whole, 3000);
    }
  });

  test('a hole is used again by what fits into it', () => {
    const [a, b, c] = [heap.allocate(1000), heap.allocate(2000), heap.allocate(1000)];
    heap.release(b, 2000);
    expect(heap.allocate(5000)).toBeGreaterThan(c);
    expect(heap.allocate(1500)).toBe(b);
    expect(a).toBe(0);
  });

  test('random sizes and orders: spans never overlap, and in the end all is free', () => {
    let state = 9;
    const random = (n: number) => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      return (state >>> 8) % n;
    };
    const live: { start: number; length: number }[] = [];
    for (let i = 0; i < 2000; i++) {
      if (live.length > 0 && random(5) < 2) {
        const [{ start, length }] = live.splice(random(live.length), 1) as [
          { start: number; length: number },
        ];
        heap.release(start, length);
        continue;
      }
      const length = random(3000);
      const start = heap.allocate(length);
      const clear = live.every(
        (other) => start >= other.start + other.length + 256 || start + length + 256 <= other.start,
      );
      expect(clear).toBe(true);
      live.push({ start, length });
    }
    for (const { start, length } of live) heap.release(start, length);
    expect(heap.free).toBe(heap.total);
  });

  test('grows as needed, and says how large it is to what checks addresses', () => {
    const sizeNow = () => new DataView(heap.memory.buffer).getUint32(CONTROL.heapBytes, true);
    const before = heap.bytes;
    expect(sizeNow()).toBe(before.byteLength - HEAP_START);
    const start = heap.allocate(5 * 2 ** 20);
    expect(sizeNow()).toBeGreaterThanOrEqual(start + 5 * 2 ** 20 + 256);
    expect(heap.bytes.byteLength).toBe(HEAP_START + sizeNow());
    // The view from before sees the same memory.
    heap.bytes[HEAP_START + 7] = 99;
    expect(before[HEAP_START + 7]).toBe(99);
  });

  test('what there is not', () => {
    const { free } = heap;
    expect(() => heap.allocate(MAX_HEAP_BYTES)).toThrow(
      expect.objectContaining({ code: 'FFMA_OUT_OF_MEMORY' }),
    );
    for (const bad of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60]) {
      expect(() => heap.allocate(bad)).toThrow(expect.objectContaining({ code: 'FFMA_ARGUMENT' }));
    }
    expect(heap.free).toBe(free);
  });
});

describe('bytes that hold a value', () => {
  test('any span, in and across words', () => {
    for (let from = 0; from < 9; from++) {
      for (let length = 0; length < 14; length++) {
        const start = heap.allocate(30);
        heap.markValid(start + from, length);
        const valid = (byte: number) => byte >= start + from && byte < start + from + length;
        expect(wrongBytes(start, start + 30, valid), `${length} from ${from}`).toEqual([]);
        heap.release(start, 30);
      }
    }
  });

  test('a copy holds a value where its source does', () => {
    for (const [fromOffset, toOffset] of [
      [0, 0],
      [1, 1],
      [3, 7],
      [2, 5],
      [0, 3],
    ] as const) {
      for (const length of [0, 1, 3, 4, 9, 20]) {
        const [from, to] = [heap.allocate(33), heap.allocate(33)];
        heap.markValid(from + 5, 6);
        heap.markValid(to, 33);
        heap.copyValid(from + fromOffset, to + toOffset, length);
        const valid = (byte: number) => {
          const i = byte - to - toOffset;
          return i < 0 || i >= length || (fromOffset + i >= 5 && fromOffset + i < 11);
        };
        expect(wrongBytes(to, to + 33, valid), `${length} from ${fromOffset} to ${toOffset}`).toEqual([]);
        heap.release(from, 33);
        heap.release(to, 33);
      }
    }
  });

  test('spans add up', () => {
    const start = heap.allocate(16);
    heap.markValid(start + 1, 1);
    heap.markValid(start + 2, 2);
    heap.markValid(start + 0, 1);
    expect(wrongBytes(start, start + 16, (byte) => byte < start + 4)).toEqual([]);
  });
});
