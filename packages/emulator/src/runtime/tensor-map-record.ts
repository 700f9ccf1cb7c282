import { TENSOR_MAP_BYTES } from '@ffma/core';

/** "FFTM": a GPU's maps start with an address, or with something else. */
const MAGIC = 0x4d544646;

/** How 16-byte pieces change places: the bits of a row's number that are mixed into a piece's. */
export const SWIZZLE_BITS = [0, 1, 2, 3] as const;

/** What a tensor map says: a row-major matrix of 4-byte elements, and its tiles. */
export interface TensorMapRecord {
  /** Device address of element 0, 0. */
  readonly address: bigint;
  readonly cols: number;
  readonly rows: number;
  /** Bytes from row to row. */
  readonly pitch: number;
  readonly tileCols: number;
  readonly tileRows: number;
  /** None, 32, 64 or 128 bytes, as 0 to 3. */
  readonly swizzle: number;
}

/** The 128 bytes that a kernel is given; only the emulator reads them. */
export function encodeTensorMap(map: TensorMapRecord): Uint8Array {
  const bytes = new Uint8Array(TENSOR_MAP_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, map.swizzle, true);
  view.setBigUint64(8, map.address, true);
  for (const [i, value] of [map.cols, map.rows, map.pitch].entries())
    view.setBigUint64(16 + 8 * i, BigInt(value), true);
  view.setUint32(40, map.tileCols, true);
  view.setUint32(44, map.tileRows, true);
  return bytes;
}

/** Reads it; undefined for 128 bytes of another kind. */
export function decodeTensorMap(bytes: Uint8Array): TensorMapRecord | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0, true) !== MAGIC) return undefined;
  const wide = (at: number) => Number(view.getBigUint64(at, true));
  return {
    swizzle: view.getUint32(4, true),
    address: view.getBigUint64(8, true),
    cols: wide(16),
    rows: wide(24),
    pitch: wide(32),
    tileCols: view.getUint32(40, true),
    tileRows: view.getUint32(44, true),
  };
}

/**
 * Where a 16-byte piece of a tile lies in shared memory, from where it would lie unswizzled: the number of its row of
 * 128 bytes, modulo 2, 4 or 8, is mixed into the number of the piece (PTX ISA, "Swizzling modes").
 */
export function swizzled(at: number, swizzle: number): number {
  const mask = (1 << SWIZZLE_BITS[swizzle]!) - 1;
  return at ^ (((at >> 7) & mask) << 4);
}
