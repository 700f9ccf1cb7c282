import type { Derived, Rule } from '@ffma/core';
import { blockRules, divides } from '@ffma/core/tiles';
import { type Strips, tileBytes, wholeFloat4s } from './strips.js';

/** A BM × BN block tile of TM × TN patches, one a thread; BK of k at a time. */
export type Patches = Strips & Readonly<Record<'TN', number>>;

/** A thread for each patch, and one pair of tiles, A transposed. */
export function patchFigures(p: Patches): Derived {
  return { threads: (p.BM / p.TM) * (p.BN / p.TN), sharedBytes: tileBytes(p, 'transposed') };
}

/** What patches need, whoever copies the tiles. */
export const patchRules: readonly Rule<Patches>[] = [
  {
    sentence: 'Patches cover the tile: TM divides BM, and TN divides BN',
    holds: ({ BM, BN, TM, TN }) => divides(TM, BM) && divides(TN, BN),
  },
  wholeFloat4s,
  {
    sentence: 'Operands of B are read four at a time, so TN is a multiple of 4',
    holds: ({ TN }) => divides(4, TN),
  },
  ...blockRules,
];

/** What copies by float4 need, A being transposed on the way. */
export const float4Copies: Rule<Patches> = {
  sentence: 'Every thread copies as many float4s of a tile; BM is a multiple of 16 and BK of 8',
  holds: ({ BM, BN, BK }, { threads }) =>
    divides(16, BM) && divides(8, BK) && divides(4 * threads, BM * BK) && divides(4 * threads, BK * BN),
};
