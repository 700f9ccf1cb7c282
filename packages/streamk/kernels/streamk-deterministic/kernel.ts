import { arg, ceilDiv, defineKernel, gemmArgs, gemmSignature, type PlannedLaunch } from '@ffma/core';
import {
  atLeastTwoStages,
  ffmaOrder,
  groupOfRows,
  knownOrder,
  namedIds,
  type RingTiles,
  ringFigures,
  ringRules,
  taggedSymbol,
  transposedA,
  wholeTiles,
} from '@ffma/core/tiles';
import { boundedBlocks, streamOf } from '../parts/blocks.js';

const CLEAR_THREADS = 128;

const figures = (p: RingTiles) => ({ ...ringFigures(p, 'transposed'), clearThreads: CLEAR_THREADS });

const variants = {
  '64x128x8_s2': { BM: 64, WM: 32, TN: 8, STAGES: 2, BLOCKS_PER_SM: 3 },
  '128x128x16_s3': { BK: 16 },
  '128x128x8_s3_nohybrid': { HYBRID: false },
  '128x128x8_s3_apart': { FIXUP_APART: true },
  '64x128x8_s2_apart': { BM: 64, WM: 32, TN: 8, STAGES: 2, BLOCKS_PER_SM: 3, FIXUP_APART: true },
};

export const streamkDeterministic = defineKernel({
  name: 'streamk-deterministic',
  slug: 'streamk-deterministic',
  basedOn: 'k14',
  change: 'Parts of a tile meet in a workspace and are added in the order of k, not by atomics on C.',
  lesson:
    'The same launch gives the same bits every time; C is written once, for a workspace and a flag a block.',
  source: new URL('./kernel.cu', import.meta.url),
  params: {
    BM: 128,
    BN: 128,
    BK: 8,
    WM: 64,
    WN: 64,
    TM: 8,
    TN: 16,
    STAGES: 3,
    GROUP_M: 8,
    BLOCKS_PER_SM: 2,
    HYBRID: true,
    SPREAD: false,
    FIXUP_APART: false,
    FFMA_ORDER: ffmaOrder('snake_columns'),
    TAGGED: true,
  },
  derive: figures,
  rules: [...ringRules, transposedA, atLeastTwoStages, groupOfRows, knownOrder, boundedBlocks],
  entries: {
    main: {
      fn: 'gemm',
      signature: [
        ...gemmSignature,
        { name: 'whole', type: 'i32' },
        { name: 'slots', type: 'ptr' },
        { name: 'flags', type: 'ptr' },
      ],
    },
    clear: {
      fn: 'clear',
      threads: CLEAR_THREADS,
      signature: [
        { name: 'flags', type: 'ptr' },
        { name: 'count', type: 'i32' },
      ],
    },
    fixup: {
      fn: 'fixup',
      signature: [
        { name: 'c', type: 'out' },
        ...['m', 'n', 'k', 'ldc'].map((name) => ({ name, type: 'i32' }) as const),
        { name: 'alpha', type: 'f32' },
        { name: 'beta', type: 'f32' },
        ...['whole', 'blocks'].map((name) => ({ name, type: 'i32' }) as const),
        { name: 'slots', type: 'ptr' },
      ],
    },
  },
  symbolTag: taggedSymbol,
  needs: wholeTiles,
  plan: (problem, p, device, resources) => {
    const own = figures(p);
    const { blocks, tiles, whole } = streamOf(problem, p, own, device, resources);
    const clear: PlannedLaunch = {
      entry: 'clear',
      grid: [ceilDiv(blocks, CLEAR_THREADS), 1, 1],
      block: [CLEAR_THREADS, 1, 1],
      sharedBytes: 0,
      args: [arg.scratch('flags'), arg.i32(blocks)],
    };
    const slots = arg.scratch('slots');
    const main: PlannedLaunch = {
      entry: 'main',
      grid: [blocks, 1, 1],
      block: [own.threads, 1, 1],
      sharedBytes: own.dynamicSharedBytes,
      args: [...gemmArgs(problem), arg.i32(whole), slots, p.FIXUP_APART ? slots : arg.scratch('flags')],
    };
    const { m, n, k, ldc, alpha, beta } = problem;
    const fixup: PlannedLaunch = {
      entry: 'fixup',
      grid: [(tiles - whole) * p.TM, 1, 1],
      block: [own.threads, 1, 1],
      sharedBytes: 0,
      args: [
        arg.c,
        ...[m, n, k, ldc].map(arg.i32),
        ...[alpha, beta].map(arg.f32),
        ...[whole, blocks].map(arg.i32),
        slots,
      ],
    };
    const parts = p.FIXUP_APART ? 2 * blocks : blocks;
    const scratch = [{ name: 'slots', byteLength: 4 * p.BM * p.BN * (whole < tiles ? parts : 1) }];
    if (p.FIXUP_APART) return { launches: [main, ...(whole < tiles ? [fixup] : [])], scratch };
    return {
      launches: [...(whole < tiles ? [clear] : []), main],
      scratch: [...scratch, { name: 'flags', byteLength: 4 * blocks }],
    };
  },
  partialSums: (problem, p, device, resources) => streamOf(problem, p, figures(p), device, resources).shares,
  variants,
  ids: namedIds('streamk_deterministic', '128x128x8_s3', Object.keys(variants)),
  search: {
    BLOCKS_PER_SM: [1, 2, 3],
    HYBRID: [false, true],
    FIXUP_APART: [false, true],
    FFMA_ORDER: [0, 1, 2, 3],
  },
  exactness: 'reordered',
  claims: [
    {
      sentence: 'Nothing is added to C by atomics',
      at: { m: 256, n: 128, k: 128 },
      holds: (own, base) =>
        own.value('global.atomic.requests') === 0 &&
        (base === undefined || base.value('global.atomic.requests') > 0),
    },
    {
      sentence:
        'Of 32 parts 30 are written to the workspace, and read from there once; two sums are stored in C',
      at: { m: 256, n: 128, k: 128 },
      // Beside them there are flags: a word for each of 32 blocks, read until it is up.
      holds: (own) => {
        const tile = 4 * 128 * 128;
        const stored = own.value('global.store.bytesRequested');
        const loaded = own.value('global.load.bytesRequested') - own.value('async.bytes');
        return stored >= 32 * tile && stored < 32 * tile + 1024 && loaded > 30 * tile;
      },
    },
  ],
});
