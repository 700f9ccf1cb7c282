import { defineKernel } from '@ffma/core';
import {
  atLeastTwoStages,
  blockPerTile,
  groupOfRows,
  namedIds,
  ringFigures,
  ringRules,
  transposedA,
  wholeTiles,
} from '@ffma/core/tiles';
import { sameWork } from '../../parts/same-work.js';

const small = { BM: 128, BN: 64, WM: 64, WN: 32, TM: 8 };

const variants = {
  '256x128x16_8x16': { TM: 8, TN: 16 },
  '128x256x16_8x16': { BM: 128, BN: 256, TM: 8, TN: 16 },
  '128x256x8_8x16_s2': { BM: 128, BN: 256, BK: 8, TM: 8, TN: 16, STAGES: 2 },
  '128x64x16_8x8': { ...small },
  '128x64x8_8x8': { ...small, BK: 8 },
};

export const k11 = defineKernel({
  name: 'k11',
  slug: 'hoisted',
  basedOn: 'k10',
  change: 'Copy pointers and shared offsets are computed once and advanced by fixed strides.',
  lesson:
    'The FFMAs are the same, the instructions around them fewer: every one of those had cost an FFMA its turn.',
  source: new URL('./kernel.cu', import.meta.url),
  params: { BM: 256, BN: 128, BK: 16, WM: 64, WN: 64, TM: 16, TN: 8, STAGES: 3, GROUP_M: 8, REMAP_B: true },
  derive: (p) => ringFigures(p, 'transposed'),
  rules: [...ringRules, transposedA, atLeastTwoStages, groupOfRows],
  needs: wholeTiles,
  plan: (problem, p) => blockPerTile(problem, p, ringFigures(p, 'transposed')),
  variants,
  ids: namedIds('k11', '256x128x16_16x8', Object.keys(variants)),
  search: { BM: [128, 256], BN: [64, 128, 256], BK: [8, 16], TM: [8, 16], TN: [8, 16], STAGES: [2, 3, 4] },
  exactness: 'k-order',
  claims: [
    {
      sentence: 'The work is the same, load by load and store by store',
      at: { m: 256, n: 128, k: 128 },
      holds: sameWork,
    },
    {
      sentence: 'A fifth of the overhead for each FFMA is gone, or more',
      at: { m: 256, n: 128, k: 128 },
      holds: (own, base) =>
        base === undefined || own.value('overhead.perFfma') <= 0.8 * base.value('overhead.perFfma'),
    },
    {
      sentence: 'Arguments are read once, not again for every chunk',
      at: { m: 256, n: 128, k: 128 },
      holds: (own, base) =>
        base === undefined ||
        2 * own.value('instructions.load.param') < base.value('instructions.load.param'),
    },
  ],
});
