import type { Derived, Rule } from '@ffma/core';
import { divides, warpTileThreads } from '@ffma/core/tiles';
import { kMajorRules, storesBytes, type TiledRing } from './k-major.js';

/**
 * A ring of STAGES that all threads fill by cp.async, each a tile of A and one of B, of STEPS steps along k. From barrier
 * to barrier are LOCKSTEP stages.
 */
export type CopiedRing = Omit<TiledRing, 'K_GROUPS'>;

/** Most dynamic shared memory of a block on sm_80. */
const MOST_SHARED = 163 * 1024;

const threadsOf = (p: CopiedRing) => warpTileThreads({ ...p, BK: p.STEPS });

/** Eight steps of B and a share of A's rows: what is copied during one run of the loop. */
const parts = ({ STEPS }: CopiedRing) => STEPS / 8;
/** Rows of A and of B that all threads copy at once, 16 bytes each. */
const rowsOfA = (p: CopiedRing) => threadsOf(p) / (p.STEPS / 4);
const rowsOfB = (p: CopiedRing) => threadsOf(p) / (p.BN / 4);
const copiesOfPart = (p: CopiedRing) => p.BM / (rowsOfA(p) * parts(p)) + 8 / rowsOfB(p);

/** Threads, and shared memory: the ring, where eight rows of C for each warp are laid out afterwards. */
export function copiedRingFigures(p: CopiedRing): Derived & { dynamicSharedBytes: number } {
  const threads = threadsOf(p);
  const ring = p.STAGES * (p.BM + p.BN) * p.STEPS * 4;
  return { threads, sharedBytes: 0, dynamicSharedBytes: Math.max(ring, storesBytes(p.WN, threads)) };
}

export const copiedRingRules: readonly Rule<CopiedRing>[] = [
  ...kMajorRules,
  {
    sentence:
      "Every thread copies as many pieces in each part of a stage: the rows of A that all copy at once divide BM / (STEPS / 8), and B's divide 8",
    holds: (p) => divides(rowsOfA(p) * parts(p), p.BM) && divides(rowsOfB(p), 8),
  },
  {
    sentence: 'Rows of a thread have one swizzle, so eight rows of A, or a multiple, are copied at once',
    holds: (p) => divides(8, rowsOfA(p)),
  },
  {
    sentence: "A warp's rows are in one part of a stage: WM divides BM / (STEPS / 8)",
    holds: (p) => divides(p.WM, p.BM / parts(p)),
  },
  {
    sentence: 'A part has at most eight copies of a thread, one for each step',
    holds: (p) => copiesOfPart(p) <= 8,
  },
  {
    sentence: 'What is waited for had a stage of time: STAGES is at least 2·LOCKSTEP + 2, and LOCKSTEP 1',
    holds: ({ STAGES, LOCKSTEP }) => LOCKSTEP >= 1 && STAGES >= 2 * LOCKSTEP + 2,
  },
  {
    sentence: `The stages fit in ${MOST_SHARED / 1024} KiB of shared memory`,
    holds: (_, { dynamicSharedBytes = 0 }) => dynamicSharedBytes <= MOST_SHARED,
  },
];
