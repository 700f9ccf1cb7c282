import type { TensorMapOptions } from '../device/tensor-map.js';
import { ArgumentError } from '../errors.js';
import type { TensorMapRequest } from './binding.js';

const swizzles = { none: 0, '32B': 1, '64B': 2, '128B': 3 } as const;
const promotions = { none: 0, '64B': 1, '128B': 2, '256B': 3 } as const;

/** CU_TENSOR_MAP_DATA_TYPE_FLOAT32. */
const float32 = 7;

function check(rule: string, holds: boolean, value: unknown): void {
  if (!holds) throw new ArgumentError(`For a tensor map ${rule}, but it is ${value}.`);
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
  check('the leading dimension is a multiple of 4', ld % 4 === 0, ld);
  check('the leading dimension covers a row', ld >= cols, ld);
  const end = byteOffset + ((rows - 1) * ld + cols) * 4;
  check(`the matrix ends within the buffer of ${buffer.byteLength} bytes`, end <= buffer.byteLength, end);
  for (const extent of tile)
    check('a tile has 1 to 256 rows and columns', extent >= 1 && extent <= 256, extent);
  check('a row of a tile is a multiple of 16 bytes', (tile[1] * 4) % 16 === 0, tile[1] * 4);
  return {
    dataType: float32,
    address: buffer.address + BigInt(byteOffset),
    globalDim: [BigInt(cols), BigInt(rows)],
    globalStrides: [BigInt(ld) * 4n],
    boxDim: [tile[1], tile[0]],
    elementStrides: [1, 1],
    interleave: 0,
    swizzle: swizzles[swizzle],
    l2Promotion: promotions[l2Promotion],
    oobFill: 0,
  };
}
