import type { Dim3 } from '@ffma/core';
import { affine, constant, type Shape, trailingZeros, UNIFORM, uniform, VARYING } from './shape.js';

/** Those that have a value here. */
export const SPECIAL_REGISTERS = [
  'tid',
  'ntid',
  'ctaid',
  'nctaid',
  'laneid',
  'warpid',
  'nwarpid',
  'smid',
  'nsmid',
  'lanemask_eq',
  'lanemask_le',
  'lanemask_lt',
  'lanemask_ge',
  'lanemask_gt',
  'clock',
  'clock_hi',
  'clock64',
  'globaltimer',
  'globaltimer_lo',
  'globaltimer_hi',
  'dynamic_smem_size',
  'is_explicit_cluster',
  'clusterid',
  'nclusterid',
  'cluster_ctaid',
  'cluster_nctaid',
  'cluster_ctarank',
  'cluster_nctarank',
] as const;

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
    case 'is_explicit_cluster':
    case 'cluster_ctaid':
    case 'cluster_ctarank':
      return constant(0n);
    case 'cluster_nctaid':
    case 'cluster_nctarank':
      return constant(1n);
    case 'ctaid':
    case 'nctaid':
    case 'warpid':
    case 'nwarpid':
    case 'smid':
    case 'nsmid':
    case 'clock':
    case 'clock64':
    case 'globaltimer':
    case 'clock_hi':
    case 'globaltimer_lo':
    case 'globaltimer_hi':
    case 'dynamic_smem_size':
    case 'clusterid':
    case 'nclusterid':
      return uniform();
    default:
      return VARYING;
  }
}
