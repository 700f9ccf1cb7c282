import { arg, ceilDiv, defineKernel } from '@ffma/core';
import { groupOfRows, namedIds, taggedSymbol } from '@ffma/core/tiles';
import {
  operandTiles,
  patchOrders,
  SCALE_THREADS,
  scaleLaunch,
  type TiledRing,
  tiledNeeds,
  tiledRingFigures,
  tiledRingRules,
} from '../parts/k-major.js';

const figures = (p: TiledRing) => ({ ...tiledRingFigures(p), scaleThreads: SCALE_THREADS });

const variants = {
  '256x128_snake': { ORDER: patchOrders.indexOf('snake') },
  '256x128_untagged': { TAGGED: false },
  '256x128_lockstep1': { LOCKSTEP: 1 },
  '128x256': { BM: 128, BN: 256 },
  '192x192': { BM: 192, BN: 192, WM: 96, WN: 48, TM: 12, TN: 12 },
  '192x96': { BM: 192, BN: 96, WM: 96, WN: 48, TM: 12, TN: 12 },
  '128x128': { BM: 128, BN: 128, STAGES: 3, LOCKSTEP: 1 },
  '128x64': { BM: 128, BN: 64, WM: 64, WN: 32, TM: 8, TN: 8 },
};

export const h01 = defineKernel({
  name: 'h01',
  slug: 'tma',
  basedOn: 'k12',
  change: 'Both tiles come by the tensor memory accelerator, and A is read along k, four steps at a time.',
  lesson: 'One thread asks for a whole tile by one instruction, so nearly all that is issued is an FFMA.',
  source: new URL('./kernel.cu', import.meta.url),
  params: {
    BM: 256,
    BN: 128,
    WM: 64,
    WN: 64,
    TM: 8,
    TN: 16,
    STAGES: 4,
    LOCKSTEP: 2,
    GROUP_M: 8,
    ORDER: patchOrders.indexOf('even_turns'),
    TAGGED: true,
  },
  derive: figures,
  rules: [...tiledRingRules, groupOfRows],
  entries: {
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
  },
  symbolTag: taggedSymbol,
  needs: () => tiledNeeds,
  plan: (problem, p) => {
    const { m, n, k, ldc, alpha, beta } = problem;
    if (k === 0) return { launches: [scaleLaunch(problem)] };
    const { threads, dynamicSharedBytes } = figures(p);
    return {
      launches: [
        {
          entry: 'main',
          grid: [ceilDiv(m, p.BM) * ceilDiv(n, p.BN), 1, 1],
          block: [threads, 1, 1],
          sharedBytes: dynamicSharedBytes,
          args: [
            ...operandTiles(problem, p),
            arg.c,
            ...[m, n, k, ldc].map(arg.i32),
            arg.f32(alpha),
            arg.f32(beta),
          ],
        },
      ],
    };
  },
  variants,
  ids: namedIds('h01', '256x128', Object.keys(variants)),
  search: { LOCKSTEP: [1, 2], ORDER: [0, 1], TAGGED: [false, true], GROUP_M: [4, 8, 16] },
  exactness: 'k-order',
  // Under the tag, all sums are in place, and only the first FFMA of a step reads three registers afresh.
  machineCode: ({ TAGGED, ORDER, TM, TN }) =>
    TAGGED && ORDER === patchOrders.indexOf('even_turns')
      ? {
          ffmaShare: TM * TN >= 128 ? 0.945 : 0.92,
          inPlaceShare: 1,
          slowReadsShare: 0.025,
          ldsToUse: 24,
        }
      : undefined,
});
