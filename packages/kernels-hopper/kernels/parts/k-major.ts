import {
  arg,
  ceilDiv,
  type Derived,
  type GemmProblem,
  type Needs,
  type PlannedLaunch,
  type Rule,
} from '@ffma/core';
import { divides, type WarpTiles, warpTileThreads } from '@ffma/core/tiles';

/** Steps along k of a stage: a row of A's tile is as long as the swizzle is wide, 128 bytes. */
export const STEPS = 32;

/** Orders of `hopper::patch_order`, by their numbers. */
export const patchOrders = ['snake', 'even_turns'] as const;

/** A ring of STAGES pairs of tiles that the tensor memory accelerator fills; LOCKSTEP stages from barrier to barrier. */
export type TiledRing = Omit<WarpTiles, 'BK'> &
  Readonly<Record<'STAGES' | 'LOCKSTEP' | 'ORDER' | 'GROUP_M', number>>;

const warpTiles = (p: TiledRing): WarpTiles => ({ ...p, BK: STEPS });

/** Threads, and shared memory: both tiles of each stage and its mbarrier, and eight rows of C for each warp. */
export function tiledRingFigures(p: TiledRing): Derived & { dynamicSharedBytes: number } {
  const threads = warpTileThreads(warpTiles(p));
  const pitch = p.WN % 32 === 16 ? p.WN : p.WN + 16;
  const stores = (threads / 32) * 8 * pitch * 4;
  return {
    threads,
    sharedBytes: 0,
    dynamicSharedBytes: p.STAGES * ((p.BM + p.BN) * STEPS * 4 + 8) + stores,
  };
}

export const tiledRingRules: readonly Rule<TiledRing>[] = [
  {
    sentence: "Warp tiles cover the block's tile: WM divides BM, and WN divides BN",
    holds: ({ BM, BN, WM, WN }) => divides(WM, BM) && divides(WN, BN),
  },
  {
    sentence: 'The lanes of a warp are 8 down and 4 across, so WM is 8·TM and WN is 4·TN',
    holds: ({ WM, WN, TM, TN }) => WM === 8 * TM && WN === 4 * TN && TM >= 1,
  },
  {
    sentence: 'Columns are dealt out in float4s, so TN is a multiple of 4, at least 4',
    holds: ({ TN }) => divides(4, TN),
  },
  {
    sentence: 'A tile that is copied has at most 256 rows and columns, so BM and BN are at most 256',
    holds: ({ BM, BN }) => BM <= 256 && BN <= 256,
  },
  { sentence: 'A block has at most 1024 threads', holds: (_, { threads }) => threads <= 1024 },
  {
    sentence:
      'Two stages more than LOCKSTEP, at least 1: one is read, and what is next is on its way when others are freed',
    holds: ({ STAGES, LOCKSTEP }) => LOCKSTEP >= 1 && STAGES >= LOCKSTEP + 2,
  },
  {
    sentence: 'The stages fit in 227 KiB of shared memory',
    holds: (_, { dynamicSharedBytes = 0 }) => dynamicSharedBytes <= 227 * 1024,
  },
  {
    sentence: `ORDER is one of ${patchOrders.map((name, i) => `${i} (${name})`).join(', ')}`,
    holds: ({ ORDER }) => patchOrders[ORDER] !== undefined,
  },
];

/** Any size; rows that start at multiples of 16 bytes; a GPU that has the accelerator. */
export const tiledNeeds: Needs = { alignment: 16, arch: 90 };

/** Threads of a block that scales C, one column each. */
export const SCALE_THREADS = 256;

/** C = beta·C, where there are no products. */
export function scaleLaunch({ m, n, ldc, beta }: GemmProblem): PlannedLaunch {
  return {
    entry: 'scale',
    grid: [m * ceilDiv(n, SCALE_THREADS), 1, 1],
    block: [SCALE_THREADS, 1, 1],
    sharedBytes: 0,
    args: [arg.c, arg.i32(m), arg.i32(n), arg.i32(ldc), arg.f32(beta)],
  };
}

/** Tiles of A along k under the swizzle, and of B as they lie. */
export function operandTiles({ m, n, k, lda, ldb }: GemmProblem, { BM, BN }: TiledRing) {
  return [
    arg.tiles({ operand: 'a', rows: m, cols: k, ld: lda, tile: [BM, STEPS], swizzle: '128B' }),
    arg.tiles({ operand: 'b', rows: k, cols: n, ld: ldb, tile: [STEPS, BN] }),
  ] as const;
}
