import type { Derived, Rule } from '../gemm/kernel-definition.js';
import { divides, type WarpTiles, warpTileRules, warpTileThreads } from './warp-tiles.js';

/** Warp tiles that are fed from a ring of STAGES pairs of tiles in dynamic shared memory. */
export type RingTiles = WarpTiles & Readonly<Record<'STAGES', number>>;

/** Most dynamic shared memory a block can have on every GPU from sm_80 on that has more than 100 KiB of it. */
const MOST_SHARED = 163 * 1024;

/** Threads and shared memory; A is stored as it lies, or transposed, each padded by 4 floats a row. */
export function ringFigures(
  p: RingTiles,
  a: 'row-major' | 'transposed',
): Derived & { dynamicSharedBytes: number } {
  const aFloats = a === 'transposed' ? p.BK * (p.BM + 4) : p.BM * (p.BK + 4);
  return {
    threads: warpTileThreads(p),
    sharedBytes: 0,
    dynamicSharedBytes: 4 * p.STAGES * (aFloats + p.BK * p.BN),
  };
}

const fits: Rule<RingTiles> = {
  sentence: `The ring's stages fit in ${MOST_SHARED / 1024} KiB of shared memory`,
  holds: (_, { dynamicSharedBytes = 0 }) => dynamicSharedBytes <= MOST_SHARED,
};

const copiesOfB: Rule<RingTiles> = {
  sentence: 'Every thread copies as many float4s of B as any other, always of the same columns',
  holds: ({ BN, BK }, { threads }) => divides(BN / 4, threads) && divides(threads / (BN / 4), BK),
};

const evenSteps: Rule<RingTiles> = {
  sentence:
    'Two sets of registers take turns, so BK is even; A is copied by sectors, so it is a multiple of 8',
  holds: ({ BK }) => divides(8, BK),
};

/** What every ring filled by cp.async needs. */
export const ringRules: readonly Rule<RingTiles>[] = [...warpTileRules, fits, evenSteps, copiesOfB];

/** What copying A as it lies needs. */
export const rowMajorA: Rule<RingTiles> = {
  sentence: 'Every thread copies as many float4s of A as any other',
  holds: ({ BM, BK }, { threads }) => divides(4 * threads, BM * BK),
};

/** What transposing A on the way needs, float by float. */
export const transposedA: Rule<RingTiles> = {
  sentence: 'Eight lanes copy a sector of a row of A, and every thread as many rows as any other',
  holds: ({ BM }, { threads }) => divides(threads / 8, BM),
};

/** A ring in which A is transposed on the way, or not. */
export type TransposableRing = RingTiles & { readonly TRANSPOSE_A: boolean };

/** What copying A needs, the one way or the other. */
export const transposableA: readonly Rule<TransposableRing>[] = [
  {
    sentence: rowMajorA.sentence,
    holds: (p, derived) => p.TRANSPOSE_A || rowMajorA.holds(p, derived),
  },
  {
    sentence: transposedA.sentence,
    holds: (p, derived) => !p.TRANSPOSE_A || transposedA.holds(p, derived),
  },
];

/** `ringFigures` of whichever it is. */
export const transposableFigures = (p: TransposableRing) =>
  ringFigures(p, p.TRANSPOSE_A ? 'transposed' : 'row-major');

/** A ring in which something is on its way while something is used. */
export const atLeastTwoStages: Rule<RingTiles> = {
  sentence: 'One stage is filled while another is read, so STAGES is at least 2',
  holds: ({ STAGES }) => STAGES >= 2,
};

/** Tile rows that are numbered together. */
export const groupOfRows: Rule<{ readonly GROUP_M: number; readonly BN: number }> = {
  sentence: 'GROUP_M is from 1 to 2·BN, so that the tiles of a group can be counted in 32 bits whatever n is',
  holds: ({ GROUP_M, BN }) => GROUP_M >= 1 && GROUP_M <= 2 * BN,
};
