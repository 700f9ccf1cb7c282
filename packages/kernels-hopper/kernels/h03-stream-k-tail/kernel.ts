import { arg, ceilDiv, defineKernel, type PlannedLaunch } from '@ffma/core';
import { groupOfRows, namedIds, taggedSymbol } from '@ffma/core/tiles';
import {
  oneGroup,
  patchOrders,
  tiledEntries,
  tiledMachineCode,
  tiledNeeds,
  tiledPlan,
  tiledRingFigures,
  tiledRingRules,
} from '../parts/k-major.js';
import { sharedOrNot, type TailParams, tailOf } from '../parts/tail.js';

const CLEAR_THREADS = 128;

const figures = (p: TailParams) => ({ ...tiledRingFigures(p), clearThreads: CLEAR_THREADS });

const variants = {
  '256x128_whole': { SHARE_STAGES: 0 },
  '192x192': { BM: 192, BN: 192, WM: 96, WN: 48, TM: 12, TN: 12 },
  '128x64': { BM: 128, BN: 64, WM: 64, WN: 32, TM: 8, TN: 8 },
  '64x32_every_stage': { BM: 64, BN: 32, WM: 32, WN: 16, TM: 4, TN: 4, SHARE_STAGES: 1 },
};

export const h03 = defineKernel({
  name: 'h03',
  slug: 'stream-k-tail',
  basedOn: 'h01',
  change: 'Blocks go from tile to tile, and share the stages of the tiles that are left for the last wave.',
  lesson:
    'A last wave that is nearly empty takes as long as a full one; cut along k, it takes its part of that.',
  source: new URL('./kernel.cu', import.meta.url),
  params: {
    BM: 256,
    BN: 128,
    WM: 64,
    WN: 64,
    TM: 8,
    TN: 16,
    STEPS: 32,
    K_GROUPS: 1,
    STAGES: 4,
    LOCKSTEP: 2,
    GROUP_M: 8,
    SHARE_STAGES: 8,
    ORDER: patchOrders.indexOf('even_turns'),
    TAGGED: true,
  },
  derive: figures,
  rules: [...tiledRingRules, groupOfRows, oneGroup, sharedOrNot],
  entries: {
    ...tiledEntries,
    main: {
      ...tiledEntries.main,
      signature: [
        ...tiledEntries.main.signature,
        { name: 'whole', type: 'i32' },
        { name: 'shares', type: 'i32' },
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
  },
  symbolTag: taggedSymbol,
  needs: () => tiledNeeds,
  plan: (problem, p, device, resources) => {
    const tiled = tiledPlan(problem, p);
    if (problem.k === 0) return tiled;
    const { blocks, whole, shares } = tailOf(problem, p, device, resources);
    const flags = arg.scratch('flags');
    const clear: PlannedLaunch = {
      entry: 'clear',
      grid: [ceilDiv(shares, CLEAR_THREADS), 1, 1],
      block: [CLEAR_THREADS, 1, 1],
      sharedBytes: 0,
      args: [flags, arg.i32(shares)],
    };
    const main = tiled.launches.map((launch) => ({
      ...launch,
      grid: [blocks, 1, 1] as const,
      args: [...launch.args, arg.i32(whole), arg.i32(shares), arg.scratch('slots'), flags],
    }));
    return {
      launches: [...(shares > 0 ? [clear] : []), ...main],
      // A word each where nothing is shared: a buffer is never empty.
      scratch: [
        { name: 'slots', byteLength: Math.max(4, shares * p.BM * p.BN * 4) },
        { name: 'flags', byteLength: Math.max(4, shares * 4) },
      ],
    };
  },
  partialSums: (problem, p, device, resources) =>
    problem.k === 0 ? 1 : tailOf(problem, p, device, resources).parts,
  variants,
  ids: namedIds('h03', '256x128', Object.keys(variants)),
  search: {
    SHARE_STAGES: [0, 4, 8, 16, 32],
    LOCKSTEP: [1, 2],
    ORDER: [0, 1],
    TAGGED: [false, true],
    GROUP_M: [4, 8, 16],
  },
  exactness: 'reordered',
  machineCode: tiledMachineCode,
  claims: [
    {
      sentence: 'Nothing in shared memory meets in a bank',
      at: { m: 256, n: 128, k: 128 },
      holds: (own) => own.value('shared.bankConflicts') === 0,
    },
  ],
});
