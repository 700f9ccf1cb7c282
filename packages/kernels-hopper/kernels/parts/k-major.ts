import {
  arg,
  ceilDiv,
  type Derived,
  type GemmProblem,
  type MachineCodeLimits,
  type Needs,
  type Plan,
  type PlannedLaunch,
  type Rule,
} from '@ffma/core';
import { divides, fewThreads, type WarpTiles, warpTileThreads } from '@ffma/core/tiles';

/** Orders of `hopper::patch_order`, by their numbers. */
export const patchOrders = ['snake', 'even_turns'] as const;

/**
 * A ring of STAGES that the tensor memory accelerator fills: for each of K_GROUPS groups of warps a tile of A and one of
 * B, of STEPS steps along k. From barrier to barrier are LOCKSTEP stages.
 */
export type TiledRing = Omit<WarpTiles, 'BK'> &
  Readonly<Record<'STEPS' | 'K_GROUPS' | 'STAGES' | 'LOCKSTEP' | 'ORDER' | 'GROUP_M', number>>;

/** Bytes of shared memory in which every warp lays out eight rows of its WN columns of C. */
export function storesBytes(WN: number, threads: number): number {
  const pitch = WN % 32 === 16 ? WN : WN + 16;
  return (threads / 32) * 8 * pitch * 4;
}

const groupThreads = (p: TiledRing) => warpTileThreads({ ...p, BK: p.STEPS });
const ringBytes = (p: TiledRing) => p.STAGES * p.K_GROUPS * (p.BM + p.BN) * p.STEPS * 4;

/** Threads of a block that scales C, one column each. */
const SCALE_THREADS = 256;

/** Threads, and shared memory: the ring, its mbarriers, and eight rows of C for each warp. */
export function tiledRingFigures(p: TiledRing): Derived & { dynamicSharedBytes: number } {
  const threads = p.K_GROUPS * groupThreads(p);
  return {
    threads,
    sharedBytes: 0,
    dynamicSharedBytes: ringBytes(p) + storesBytes(p.WN, threads) + 8 * p.STAGES,
    scaleThreads: SCALE_THREADS,
  };
}

/** What reading A along k needs, whoever fills the ring. */
export const kMajorRules: readonly Rule<
  Pick<TiledRing, 'BM' | 'BN' | 'WM' | 'WN' | 'TM' | 'TN' | 'STEPS' | 'ORDER'>
>[] = [
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
    sentence: "A row of A's tile is as long as its swizzle is wide, so STEPS is 16 or 32",
    holds: ({ STEPS }) => STEPS === 16 || STEPS === 32,
  },
  {
    sentence: `ORDER is one of ${patchOrders.map((name, i) => `${i} (${name})`).join(', ')}`,
    holds: ({ ORDER }) => patchOrders[ORDER] !== undefined,
  },
  fewThreads,
];

export const tiledRingRules: readonly Rule<TiledRing>[] = [
  ...kMajorRules,
  {
    sentence: 'A tile that is copied has at most 256 rows and columns, so BM and BN are at most 256',
    holds: ({ BM, BN }) => BM <= 256 && BN <= 256,
  },
  {
    sentence: 'Each of K_GROUPS groups of warps stores as many rows of a patch, so K_GROUPS divides TM',
    holds: ({ K_GROUPS, TM }) => divides(K_GROUPS, TM),
  },
  {
    sentence: 'Sums of several groups fit where the stages were',
    holds: (p) => p.K_GROUPS === 1 || p.K_GROUPS * p.BM * p.BN * 4 <= ringBytes(p),
  },
  {
    sentence:
      'Two stages more than LOCKSTEP, at least 1: one is read, and what is next is on its way when others are freed',
    holds: ({ STAGES, LOCKSTEP }) => LOCKSTEP >= 1 && STAGES >= LOCKSTEP + 2,
  },
  {
    sentence: 'The stages fit in 227 KiB of shared memory',
    holds: (_, { dynamicSharedBytes = 0 }) => dynamicSharedBytes <= 227 * 1024,
  },
];

/** Of a kernel whose warps all go along all of k. */
export const oneGroup: Rule<{ readonly K_GROUPS: number }> = {
  sentence: 'All warps go along all of k: K_GROUPS is 1',
  holds: ({ K_GROUPS }) => K_GROUPS === 1,
};

/** Any size; rows that start at multiples of 16 bytes; a GPU that has the accelerator. */
export const tiledNeeds: Needs = { alignment: 16, arch: 90 };

/** C = beta·C, where there are no products. */
function scaleLaunch({ m, n, ldc, beta }: GemmProblem): PlannedLaunch {
  return {
    entry: 'scale',
    grid: [m * ceilDiv(n, SCALE_THREADS), 1, 1],
    block: [SCALE_THREADS, 1, 1],
    sharedBytes: 0,
    args: [arg.c, arg.i32(m), arg.i32(n), arg.i32(ldc), arg.f32(beta)],
  };
}

/** Entries of a kernel whose tiles come by the accelerator: the product, and C = beta·C where there is none. */
export const tiledEntries = {
  main: {
    fn: 'gemm',
    signature: [
      { name: 'a', type: 'tensorMap' },
      { name: 'b', type: 'tensorMap' },
      { name: 'c', type: 'out' },
      { name: 'm', type: 'i32' },
      { name: 'n', type: 'i32' },
      { name: 'k', type: 'i32' },
      { name: 'ldc', type: 'i32' },
      { name: 'alpha', type: 'f32' },
      { name: 'beta', type: 'f32' },
    ],
  },
  scale: {
    fn: 'scale',
    threads: SCALE_THREADS,
    signature: [
      { name: 'c', type: 'out' },
      { name: 'm', type: 'i32' },
      { name: 'n', type: 'i32' },
      { name: 'ldc', type: 'i32' },
      { name: 'beta', type: 'f32' },
    ],
  },
} as const;

/** A block for each tile of C; A lies along k under the swizzle, B as it is. There is no map of an empty matrix. */
export function tiledPlan(problem: GemmProblem, p: TiledRing): Plan {
  const { m, n, k, lda, ldb, ldc, alpha, beta } = problem;
  if (k === 0) return { launches: [scaleLaunch(problem)] };
  const { threads, dynamicSharedBytes } = tiledRingFigures(p);
  const swizzle = p.STEPS === 32 ? '128B' : '64B';
  return {
    launches: [
      {
        entry: 'main',
        grid: [ceilDiv(m, p.BM) * ceilDiv(n, p.BN), 1, 1],
        block: [threads, 1, 1],
        sharedBytes: dynamicSharedBytes,
        args: [
          arg.tiles({ operand: 'a', rows: m, cols: k, ld: lda, tile: [p.BM, p.STEPS], swizzle }),
          arg.tiles({ operand: 'b', rows: k, cols: n, ld: ldb, tile: [p.STEPS, p.BN] }),
          arg.c,
          ...[m, n, k, ldc].map(arg.i32),
          arg.f32(alpha),
          arg.f32(beta),
        ],
      },
    ],
  };
}

/**
 * Under the tag, all sums are in place, and of a step's FFMAs few beside the first read registers of one bank. Nothing is
 * asked of patches of fewer than 64 sums, which have few FFMAs for each load.
 */
export function tiledMachineCode(p: TiledRing & { readonly TAGGED: boolean }): MachineCodeLimits | undefined {
  if (!p.TAGGED || p.TM * p.TN < 64 || p.ORDER !== patchOrders.indexOf('even_turns')) return undefined;
  const ffmaShare = p.TM * p.TN >= 128 ? 0.945 : 0.92;
  return { ffmaShare, inPlaceShare: 1, slowReadsShare: 0.03, ldsToUse: 24 };
}
