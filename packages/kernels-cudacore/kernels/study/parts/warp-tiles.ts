import type { Derived, Needs, Rule } from '@ffma/core';
import { divides, type WarpTiles, warpTileRules, warpTileThreads } from '@ffma/core/tiles';
import { tileBytes } from './strips.js';

/** Warp tiles whose tiles are read one float at a time, or four. */
export type StudyTiles = WarpTiles & { readonly VEC4: boolean };

/** The study's geometry from warptiling-v1 on: 128x128x8_32x64x8. */
export const geometry = { BM: 128, BN: 128, BK: 8, WM: 32, WN: 64, TM: 8, TN: 8, VEC4: false };

/** Names of the two variants that most of these kernels have: geometry, and the same with VEC4. */
export const plain = '128x128x8_32x64x8';
export const vec4 = `vec4_${plain}`;
export const withVec4 = { [vec4]: { VEC4: true } };

/** Rows of a turn in which C goes through shared memory: a run of four of each patch; 4 floats of padding a row. */
const exchangeBytes = ({ BM, BN, TM }: StudyTiles) => 4 * ((4 * BM) / TM) * (BN + 4);

/**
 * Threads, how far apart columns of A lie in shared memory, and how much of it there is.
 * @param stages pairs of tiles
 * @param c whether C is stored by way of shared memory, where the stages were
 */
export function stagedFigures(p: StudyTiles, stages: 1 | 2, c: 'direct' | 'exchanged' = 'direct'): Derived {
  const bytes = tileBytes(p, 'transposed', stages);
  return {
    threads: warpTileThreads(p),
    sharedBytes: c === 'exchanged' ? Math.max(bytes, exchangeBytes(p)) : bytes,
    aPitch: p.BM + 4,
  };
}

const copies: readonly Rule<StudyTiles>[] = [
  {
    sentence:
      'Eight lanes, two with VEC4, read a sector of a row of A, and every thread as many as any other',
    holds: ({ BM, BK, VEC4 }, { threads }) => divides(8, BK) && divides(threads / (VEC4 ? 2 : 8), BM),
  },
  {
    sentence: 'Columns of A that a warp stores side by side start 4 banks apart, so BM is a multiple of 32',
    holds: ({ BM }) => divides(32, BM),
  },
  {
    sentence: 'A thread reads as many parts of rows of B as any other, always of the same columns',
    holds: ({ BN, BK, VEC4 }, { threads }) => {
      const lanes = BN / (VEC4 ? 4 : 1);
      return divides(lanes, threads) && divides(threads / lanes, BK);
    },
  },
];

/** What warptiling-v0 needs. */
export const studyRules: readonly Rule<StudyTiles>[] = [...warpTileRules, ...copies];

/** What lanes that lie in pairs need, too. */
export const pairedLanes: Rule<StudyTiles> = {
  sentence: 'Lanes lie in pairs, one below the other, so a warp has an even number of them down',
  holds: ({ WM, TM }) => divides(2, WM / TM),
};

/** What storing C by way of shared memory needs, too. */
export const exchangedRows: Rule<StudyTiles> = {
  sentence: 'Warps store whole rows of C, 32 columns at a time, and each those of one row of warp tiles',
  holds: ({ BM, BN, WM, TM }, { threads }) =>
    divides(32, BN) && divides((4 * BM) / TM / (threads / 32), (4 * WM) / TM),
};

/** When the next chunk is fetched, where that can be chosen. */
export const loadStep: Rule<StudyTiles & { readonly LOAD_STEP: number }> = {
  sentence:
    'What is fetched at LOAD_STEP is put down at the last step of a chunk, so LOAD_STEP is from 0 to BK - 2',
  holds: ({ LOAD_STEP, BK }) => LOAD_STEP >= 0 && LOAD_STEP <= BK - 2,
};

/** Whole tiles; rows at multiples of 16 bytes only where they are read four floats at a time. */
export function studyNeeds({ BM, BN, BK, VEC4 }: StudyTiles): Needs {
  return { multiples: { m: BM, n: BN, k: BK }, ...(VEC4 ? { alignment: 16 } : {}) };
}
