import type { Dim3 } from '@ffma/core';
import { affine, constant, type Shape, trailingZeros, UNIFORM, uniform, VARYING } from './shape.js';

/** What is known of a special register, given the block's extents. */
export function specialShape(name: string, dim: 'x' | 'y' | 'z' | undefined, block: Dim3): Shape {
  const [x, y, z] = block;
  const oneRow = y * z === 1;
  switch (name) {
    case 'tid':
      if (x % 4 === 0)
        return dim === 'x' ? affine(1, oneRow ? 2 : Math.min(2, trailingZeros(BigInt(x)))) : UNIFORM;
      return oneRow ? (dim === 'x' ? affine(1, 2) : constant(0n)) : VARYING;
    case 'ntid':
      return constant(BigInt(block['xyz'.indexOf(dim ?? 'x')]!));
    case 'laneid':
      return affine(1, 2);
    case 'ctaid':
    case 'nctaid':
    case 'warpid':
    case 'nwarpid':
    case 'smid':
    case 'nsmid':
    case 'clock':
    case 'clock64':
    case 'globaltimer':
      return uniform();
    default:
      return VARYING;
  }
}
