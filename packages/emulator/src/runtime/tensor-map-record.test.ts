import { describe, expect, it } from 'vitest';
import { decodeTensorMap, encodeTensorMap, swizzled } from './tensor-map-record.js';

describe('tensor maps', () => {
  it('say in 128 bytes what they were made of', () => {
    const map = {
      address: 0x7f00_1234_5600n,
      cols: 2 ** 32,
      rows: 3,
      pitch: 2 ** 34,
      tileCols: 32,
      tileRows: 256,
      swizzle: 3,
    };
    const bytes = encodeTensorMap(map);
    expect(bytes.length).toBe(128);
    expect(decodeTensorMap(bytes)).toEqual(map);
  });

  it('are told from other bytes', () => {
    expect(decodeTensorMap(new Uint8Array(128))).toBeUndefined();
  });
});

describe('swizzling', () => {
  // PTX ISA, "Swizzling modes": which piece of 16 bytes lies first in each row of 128 bytes.
  it.each([
    [0, [0, 0, 0, 0, 0, 0, 0, 0]],
    [1, [0, 1, 0, 1, 0, 1, 0, 1]],
    [2, [0, 1, 2, 3, 0, 1, 2, 3]],
    [3, [0, 1, 2, 3, 4, 5, 6, 7]],
  ])('by mode %i', (mode, first) => {
    expect(first.map((_, row) => (swizzled(128 * row, mode) % 128) / 16)).toEqual(first);
  });

  it.each([1, 2, 3])('moves each piece to a place of its own within its row, mode %i', (mode) => {
    const pieces = Array.from({ length: 64 }, (_, piece) => 16 * piece);
    expect(new Set(pieces.map((at) => swizzled(at, mode))).size).toBe(64);
    for (const at of pieces) expect(swizzled(at, mode) >> 7).toBe(at >> 7);
  });
});
