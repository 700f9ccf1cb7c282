import type { Derived, Needs, Rule } from '../gemm/kernel-definition.js';
import { ceilDiv, gemmArgs, type Plan } from '../gemm/plan.js';
import type { GemmProblem } from '../gemm/problem.js';

/** A BM × BN block tile of WM × WN warp tiles of TM × TN patches, one a lane; BK of k at a time. */
export type WarpTiles = Readonly<Record<'BM' | 'BN' | 'BK' | 'WM' | 'WN' | 'TM' | 'TN', number>>;

/** Threads a block: a warp for each warp tile. */
export function warpTileThreads({ BM, BN, WM, WN }: WarpTiles): number {
  return 32 * (BM / WM) * (BN / WN);
}

/** Whether whole parts make up the whole. */
export const divides = (part: number, whole: number) => part > 0 && whole > 0 && whole % part === 0;

/** At most 1024 threads, as every GPU takes. */
export const fewThreads: Rule = {
  sentence: 'A block has at most 1024 threads',
  holds: (_, { threads }) => threads <= 1024,
};

/** What any block with tiles in static shared memory needs. */
export const blockRules: readonly Rule[] = [
  fewThreads,
  {
    sentence: 'Static shared memory ends at 48 KiB',
    holds: (_, { sharedBytes }) => sharedBytes <= 48 * 1024,
  },
];

/** What the geometry of warp tiles needs, whoever fills shared memory and however. */
export const warpTileRules: readonly Rule<WarpTiles>[] = [
  {
    sentence: "Warp tiles cover the block's tile: WM divides BM, and WN divides BN",
    holds: ({ BM, BN, WM, WN }) => divides(WM, BM) && divides(WN, BN),
  },
  {
    sentence: "A warp's 32 lanes cover its tile with one TM × TN patch each",
    holds: ({ WM, WN, TM, TN }) => divides(TM, WM) && divides(TN, WN) && (WM / TM) * (WN / TN) === 32,
  },
  {
    sentence: 'Fragments are whole float4s, so TM and TN are multiples of 4',
    holds: ({ TM, TN }) => divides(4, TM) && divides(4, TN),
  },
  ...blockRules,
];

/** What the 4-wide copies of both tiles need, A's being transposed on the way. */
export const float4CopyRules: readonly Rule<WarpTiles>[] = [
  {
    sentence: 'A warp copies 8 columns of 16 rows of A, so BM is a multiple of 16 and BK of 8',
    holds: ({ BM, BK }) => divides(16, BM) && divides(8, BK),
  },
  {
    sentence: 'Every thread copies as many float4s of a tile as any other',
    holds: ({ BM, BN, BK }, { threads }) => divides(4 * threads, BM * BK) && divides(4 * threads, BK * BN),
  },
];

/** No edges: whole block tiles, and rows at multiples of 16 bytes. */
export function wholeTiles({ BM, BN, BK }: WarpTiles): Needs {
  return { multiples: { m: BM, n: BN, k: BK }, alignment: 16 };
}

/** One block of a row of threads for each BM × BN tile of C, with the dynamic shared memory that it is to have. */
export function blockPerTile(
  problem: GemmProblem,
  { BM, BN }: Readonly<Record<'BM' | 'BN', number>>,
  { threads, dynamicSharedBytes = 0 }: Pick<Derived, 'threads' | 'dynamicSharedBytes'>,
  entry = 'main',
): Plan {
  return {
    launches: [
      {
        entry,
        grid: [ceilDiv(problem.m, BM) * ceilDiv(problem.n, BN), 1, 1],
        block: [threads, 1, 1],
        sharedBytes: dynamicSharedBytes,
        args: gemmArgs(problem),
      },
    ],
  };
}

/** `blockPerTile` for warp tiles in static shared memory. */
export function onePerTile(problem: GemmProblem, params: WarpTiles): Plan {
  return blockPerTile(problem, params, { threads: warpTileThreads(params) });
}
