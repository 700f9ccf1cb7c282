import type { Needs, Rule, Specialisation } from '../gemm/kernel-definition.js';
import type { GemmProblem } from '../gemm/problem.js';
import { divides, type WarpTiles, wholeTiles } from './warp-tiles.js';

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

/** How M, N and K are filled in: a variant with SPECIALIZE and no sizes is open. */
export const compiledSizes: Specialisation<CompiledSizes> = {
  open: ({ SPECIALIZE, M }) => SPECIALIZE && M === 0,
  fill: (_, { m, n, k }) => ({ M: m, N: n, K: k }),
};

/** Whole tiles, and where sizes are compiled in those alone. */
export function compiledTiles(p: CompiledSizes): Needs {
  return p.M > 0 ? { ...wholeTiles(p), exactly: { m: p.M, n: p.N, k: p.K } } : wholeTiles(p);
}

/** Whether rows lie back to back in all three matrices, so that compiled sizes are also the strides. */
export function isPacked({ n, k, lda, ldb, ldc }: GemmProblem): boolean {
  return lda === k && ldb === n && ldc === n;
}
