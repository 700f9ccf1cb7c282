import type { Rule } from '../gemm/kernel-definition.js';
import { divides, type WarpTiles } from './warp-tiles.js';

/** Parameters of a kernel that can have the sizes of a problem compiled in. */
export type CompiledSizes = WarpTiles &
  Readonly<Record<'M' | 'N' | 'K', number>> & { readonly SPECIALIZE: boolean };

/** Sizes are compiled in where that was asked for, all three of them, and a problem of whole tiles has them. */
export const sizesGiven: Rule<CompiledSizes> = {
  sentence:
    'M, N and K are all 0 (to be filled in, or read at run time), or with SPECIALIZE multiples of BM, BN and BK',
  holds: ({ SPECIALIZE, M, N, K, BM, BN, BK }) =>
    [M, N, K].every((size) => size === 0) ||
    (SPECIALIZE && divides(BM, M) && divides(BN, N) && divides(BK, K)),
};
