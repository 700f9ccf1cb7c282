import type { Buffer } from './buffer.js';

/** Bytes of a CUtensorMap. */
export const TENSOR_MAP_BYTES = 128;

/**
 * A tile that the tensor memory accelerator copies: part of a row-major float32 matrix. A copy may start at any row,
 * outside of the matrix too, but only at a column that is a multiple of 4 (16 bytes): any other is an illegal
 * instruction on the GPU, and the device is lost.
 */
export interface TensorMapOptions {
  readonly buffer: Buffer;
  /** A multiple of 16. Default 0. */
  readonly byteOffset?: number;
  readonly rows: number;
  readonly cols: number;
  /** Elements from row to row; a multiple of 4. Default `cols`. */
  readonly ld?: number;
  /** Rows and columns of a tile, 1 to 256 each. */
  readonly tile: readonly [rows: number, cols: number];
  /** How a tile is swizzled in shared memory. Default `none`. */
  readonly swizzle?: 'none' | '32B' | '64B' | '128B';
  /** Default `128B`. */
  readonly l2Promotion?: 'none' | '64B' | '128B' | '256B';
}

/** What `const __grid_constant__ CUtensorMap` takes: a matrix and its tiles, as the tensor memory accelerator reads them. */
export interface TensorMap {
  /** Memory of the matrix: kept alive by the map, and open whenever a launch takes the map. */
  readonly buffer: Buffer;
  /** The 128 bytes of the descriptor. They hold the buffer's address. */
  readonly bytes: Uint8Array;
}

/** A device with a tensor memory accelerator. One without this method refuses launches that take a map. */
export interface TensorMapper {
  /** @throws ArgumentError, ClosedError; UnsupportedError where the GPU has none (sm_90 and newer do) */
  encodeTensorMap(options: TensorMapOptions): TensorMap;
}
