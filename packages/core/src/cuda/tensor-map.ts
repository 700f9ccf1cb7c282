import type { Buffer } from '../device/buffer.js';
import { shown } from '../device/shown.js';
import type { TensorMapOptions } from '../device/tensor-map.js';
import { ArgumentError } from '../errors.js';
import type { TensorMapRequest } from './binding.js';

const swizzles = { none: 0, '32B': 1, '64B': 2, '128B': 3 } as const;
const promotions = { none: 0, '64B': 1, '128B': 2, '256B': 3 } as const;
/** Bytes of a row of a tile that each way to swizzle can hold. */
const spans = { none: Number.POSITIVE_INFINITY, '32B': 32, '64B': 64, '128B': 128 } as const;

/** CU_TENSOR_MAP_DATA_TYPE_FLOAT32. */
const float32 = 7;

function check(rule: string, holds: boolean, value: unknown): void {
  if (!holds) throw new ArgumentError(`For a tensor map ${rule}, but it is ${shown(value)}.`);
}

const isIn = (value: number, least: number, most: number) =>
  Number.isInteger(value) && value >= least && value <= most;

function checkTile(tile: TensorMapOptions['tile']): void {
  check('the tile is two extents [rows, cols]', Array.isArray(tile) && tile.length === 2, tile);
  for (const extent of tile) check('a tile has 1 to 256 rows and columns', isIn(extent, 1, 256), extent);
  check('a row of a tile is a multiple of 16 bytes', (tile[1] * 4) % 16 === 0, tile[1] * 4);
}

function oneOf<T>(what: string, table: Readonly<Record<string, T>>, name: unknown): T {
  const known = typeof name === 'string' && Object.hasOwn(table, name);
  check(`the ${what} is one of ${Object.keys(table).join(', ')}`, known, name);
  return table[name as string] as T;
}

/** The buffer of a map. @throws ArgumentError where the options have none */
export function matrixOf(options: TensorMapOptions): Buffer {
  const buffer = (options as Partial<TensorMapOptions> | null | undefined)?.buffer;
  if (typeof buffer?.byteLength === 'number') return buffer;
  const got = typeof options === 'object' && options !== null ? buffer : options;
  throw new ArgumentError(
    `A tensor map needs { buffer, rows, cols, tile }, but the buffer is ${shown(got)}.`,
  );
}

/** The descriptor's fields (CUDA driver API, cuTensorMapEncodeTiled). What lies outside of the matrix reads as 0. */
export function tensorMapRequest(options: TensorMapOptions): TensorMapRequest {
  const {
    buffer,
    byteOffset = 0,
    rows,
    cols,
    ld = cols,
    tile,
    swizzle = 'none',
    l2Promotion = '128B',
  } = options;
  check('the byte offset is a multiple of 16', byteOffset >= 0 && byteOffset % 16 === 0, byteOffset);
  for (const [what, extent] of Object.entries({ rows, cols })) {
    check(`the number of ${what} is an integer in 1..${2 ** 32}`, isIn(extent, 1, 2 ** 32), extent);
  }
  check('the leading dimension is a multiple of 4', Number.isInteger(ld) && ld % 4 === 0, ld);
  check('the leading dimension covers a row', ld >= cols, ld);
  const end = byteOffset + ((rows - 1) * ld + cols) * 4;
  check(`the matrix ends within the buffer of ${buffer.byteLength} bytes`, end <= buffer.byteLength, end);
  checkTile(tile);
  const swizzled = oneOf('swizzle', swizzles, swizzle);
  const span = spans[swizzle];
  check(`a row of a tile fits into the ${span} bytes of its swizzle`, tile[1] * 4 <= span, tile[1] * 4);
  return {
    dataType: float32,
    address: buffer.address + BigInt(byteOffset),
    globalDim: [BigInt(cols), BigInt(rows)],
    globalStrides: [BigInt(ld) * 4n],
    boxDim: [tile[1], tile[0]],
    elementStrides: [1, 1],
    interleave: 0,
    swizzle: swizzled,
    l2Promotion: oneOf('l2Promotion', promotions, l2Promotion),
    oobFill: 0,
  };
}
