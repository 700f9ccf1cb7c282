import { arg, defineKernel, gemmArgs, gemmSignature, type PlannedLaunch } from '@ffma/core';
import {
  atLeastTwoStages,
  compiledSizes,
  compiledTiles,
  ffmaOrder,
  groupOfRows,
  isPacked,
  knownOrder,
  namedIds,
  type RingTiles,
  ringFigures,
  ringRules,
  sizesGiven,
  taggedSymbol,
  transposedA,
} from '@ffma/core/tiles';
import { boundedBlocks, streamOf } from '../parts/blocks.js';

/** Threads of a block that prepares C, four columns each: in as many blocks as that gives, it is over the soonest. */
const PREPARE_THREADS = 256;

const figures = (p: RingTiles) => ({
  ...ringFigures(p, 'transposed'),
  prepareThreads: PREPARE_THREADS,
  prepareRows: (4 * PREPARE_THREADS) / p.BN,
});

const signature = [...gemmSignature, { name: 'whole', type: 'i32' }] as const;

const narrow = { BM: 64, BN: 128, WM: 32, WN: 64, TM: 8, TN: 8, BLOCKS_PER_SM: 3 };
const wide = { BM: 128, BN: 256, TM: 8, TN: 16, FFMA_ORDER: ffmaOrder('snake_columns'), BLOCKS_PER_SM: 1 };

const variants = {
  '64x128x8_s2': { ...narrow, STAGES: 2, FFMA_ORDER: ffmaOrder('snake_columns') },
  '128x256x8_s3': { ...wide },
  '128x128x16_s3': { BK: 16 },
  '128x128x8_8x16_s2': { TM: 8, TN: 16, STAGES: 2, FFMA_ORDER: ffmaOrder('snake_columns') },
  '128x128x8_s3_nohybrid': { HYBRID: false },
  '128x128x8_s3_twice': { INLINE_TWICE: true },
  '128x128x8_s3_spread': { SPREAD: true },
  '128x128x8_s3_untagged': { TAGGED: false },
  '128x128x8_s3_one_block': { BLOCKS_PER_SM: 1 },
  f_128x128x8_s3: { SPECIALIZE: true },
};

export const k14 = defineKernel({
  name: 'k14',
  slug: 'stream-k',
  basedOn: 'k11',
  change:
    'As many blocks as fit at a time share the work evenly: whole tiles first, then chunks of k of those that are left.',
  lesson:
    'No multiprocessor idles while others finish, and each scheduler has a second warp to turn to when the first must wait.',
  source: new URL('./kernel.cu', import.meta.url),
  params: {
    BM: 128,
    BN: 128,
    BK: 8,
    WM: 64,
    WN: 64,
    TM: 16,
    TN: 8,
    STAGES: 3,
    GROUP_M: 8,
    BLOCKS_PER_SM: 2,
    HYBRID: true,
    INLINE_TWICE: false,
    SPREAD: false,
    FFMA_ORDER: ffmaOrder('snake_rows'),
    TAGGED: true,
    SPECIALIZE: false,
    M: 0,
    N: 0,
    K: 0,
  },
  derive: figures,
  rules: [
    ...ringRules,
    transposedA,
    atLeastTwoStages,
    groupOfRows,
    knownOrder,
    {
      sentence: 'C is prepared in strips of whole rows, 256 threads taking 4 columns each',
      holds: ({ BM }, { prepareRows = 0 }) => BM % prepareRows === 0,
    },
    sizesGiven,
    boundedBlocks,
  ],
  entries: {
    main: { fn: 'gemm', signature },
    strided: { fn: 'strided', signature },
    prepare: {
      fn: 'prepare',
      threads: PREPARE_THREADS,
      signature: [
        { name: 'c', type: 'out' },
        { name: 'm', type: 'i32' },
        { name: 'n', type: 'i32' },
        { name: 'ldc', type: 'i32' },
        { name: 'beta', type: 'f32' },
        { name: 'whole', type: 'i32' },
      ],
    },
  },
  symbolTag: taggedSymbol,
  needs: compiledTiles,
  specialise: compiledSizes,
  plan: (problem, p, device, resources) => {
    const { m, n, k, ldc, beta } = problem;
    const own = figures(p);
    const { blocks, tiles, whole } = streamOf(problem, p, own, device, resources);
    // Without products, to prepare C is all there is to do. (Where k is compiled in, `main` has products.)
    const prepared = k === 0 ? 0 : whole;
    const prepare: PlannedLaunch = {
      entry: 'prepare',
      grid: [(tiles - prepared) * (p.BM / own.prepareRows), 1, 1],
      block: [own.prepareThreads, 1, 1],
      sharedBytes: 0,
      args: [arg.c, arg.i32(m), arg.i32(n), arg.i32(ldc), arg.f32(beta), arg.i32(prepared)],
    };
    if (k === 0) return { launches: [prepare] };
    const main: PlannedLaunch = {
      entry: isPacked(problem) || !p.SPECIALIZE ? 'main' : 'strided',
      grid: [blocks, 1, 1],
      block: [own.threads, 1, 1],
      sharedBytes: own.dynamicSharedBytes,
      args: [...gemmArgs(problem), arg.i32(whole)],
    };
    return { launches: whole < tiles ? [prepare, main] : [main] };
  },
  partialSums: (problem, p, device, resources) => streamOf(problem, p, figures(p), device, resources).shares,
  variants,
  // The fastest of this package at some size: src/fastest.ts.
  ships: ['64x128x8_s2', '128x256x8_s3'],
  ids: namedIds('k14', '128x128x8_s3', Object.keys(variants)),
  search: {
    BLOCKS_PER_SM: [1, 2, 3],
    HYBRID: [false, true],
    FFMA_ORDER: [0, 1, 2, 3],
    TAGGED: [false, true],
  },
  exactness: 'reordered',
  atomicSums: true,
  claims: [
    {
      sentence: 'C is stored once to prepare it, and each of 16 blocks a tile adds to all of it',
      at: { m: 256, n: 128, k: 128 },
      holds: (own) =>
        own.value('global.store.bytesRequested') === 4 * 256 * 128 &&
        own.value('global.atomic.bytesRequested') === 16 * own.value('global.store.bytesRequested'),
    },
    {
      sentence: 'An addition moves four floats a lane, and a warp fills 16 sectors by one',
      at: { m: 256, n: 128, k: 128 },
      holds: (own) =>
        own.value('global.atomic.sectorsPerRequest') === 16 &&
        own.value('global.atomic.bytesPerSector') === 32,
    },
    {
      sentence: 'Both matrices are copied as often as by whole tiles',
      at: { m: 256, n: 128, k: 128 },
      holds: (own) => own.value('async.bytes') === 4 * 2 * (128 + 128) * 128,
    },
  ],
});
