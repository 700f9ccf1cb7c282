import type { Rule } from '@ffma/core';
import { blockRules, divides } from '@ffma/core/tiles';

/** A BM × BN block tile of strips of TM outputs, one a thread; BK of k at a time. */
export type Strips = Readonly<Record<'BM' | 'BN' | 'BK' | 'TM', number>>;

export const stripThreads = ({ BM, BN, TM }: Strips): number => (BM / TM) * BN;

/** What strips need, whoever copies the tiles. */
export const stripRules: readonly Rule<Strips>[] = [
  { sentence: 'Strips cover the tile: TM divides BM', holds: ({ BM, TM }) => divides(TM, BM) },
  {
    sentence: "A warp's 32 lanes lie along one row, so BN is a multiple of 32",
    holds: ({ BN }) => divides(32, BN),
  },
  {
    sentence: 'Every thread copies as many elements of a tile as any other',
    holds: ({ BM, BN, BK }, { threads }) => divides(threads, BM * BK) && divides(threads, BK * BN),
  },
  ...blockRules,
];

/** What copies need in which a thread stays in one column of either tile. */
export const fixedColumns: Rule<Pick<Strips, 'BM' | 'BN' | 'BK'>> = {
  sentence:
    'A thread copies elements of one column of A and one of B, every so many rows, and as many as any other',
  holds: ({ BM, BN, BK }, { threads }) =>
    divides(BK, threads) && divides(threads / BK, BM) && divides(BN, threads) && divides(threads / BN, BK),
};

/** What reading a strip's operands four at a time needs. */
export const wholeFloat4s: Rule<Pick<Strips, 'TM'>> = {
  sentence: 'Operands of A are read four at a time, so TM is a multiple of 4',
  holds: ({ TM }) => divides(4, TM),
};

/** Shared memory of `pairs` pairs of tiles; a transposed A is padded by 4 floats a row. */
export function tileBytes(
  { BM, BN, BK }: Omit<Strips, 'TM'>,
  a: 'row-major' | 'transposed',
  pairs = 1,
): number {
  return 4 * pairs * BK * ((a === 'transposed' ? BM + 4 : BM) + BN);
}
