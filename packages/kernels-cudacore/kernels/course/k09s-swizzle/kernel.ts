import { defineKernel } from '@ffma/core';
import {
  atLeastTwoStages,
  blockPerTile,
  groupOfRows,
  namedIds,
  ringRules,
  transposableA,
  transposableFigures,
  wholeTiles,
} from '@ffma/core/tiles';
import { sameWork } from '../../parts/same-work.js';

const square = { BM: 128, BN: 128, TRANSPOSE_A: false };

const variants = {
  '128x64x16_rows': { GROUP_M: 1 },
  '128x128x16_group8': { ...square },
  '128x128x16_rows': { ...square, GROUP_M: 1 },
};

export const k09s = defineKernel({
  name: 'k09s',
  slug: 'swizzle',
  basedOn: 'k09',
  change:
    'Tiles of C are handed out in groups of GROUP_M tile rows, so that blocks at work share their inputs in L2.',
  lesson: 'Fewer bytes come from memory, and hardly anything changes: nothing was waiting for them.',
  source: new URL('./kernel.cu', import.meta.url),
  params: {
    BM: 128,
    BN: 64,
    BK: 16,
    WM: 64,
    WN: 32,
    TM: 8,
    TN: 8,
    STAGES: 3,
    PREFETCH: true,
    TRANSPOSE_A: true,
    GROUP_M: 8,
  },
  derive: transposableFigures,
  rules: [atLeastTwoStages, groupOfRows, ...ringRules, ...transposableA],
  needs: wholeTiles,
  plan: (problem, p) => blockPerTile(problem, p, transposableFigures(p)),
  variants,
  ids: namedIds('k09s', '128x64x16_group8', Object.keys(variants)),
  search: { GROUP_M: [1, 2, 4, 8, 16] },
  exactness: 'k-order',
  claims: [
    {
      sentence: 'The work is the same, load by load and store by store, in another order',
      at: { m: 256, n: 128, k: 64 },
      holds: sameWork,
    },
    {
      sentence:
        'On a model of 8 multiprocessors with 384 KiB of L2, more reads hit, and a third fewer bytes come from memory',
      at: { m: 1024, n: 2048, k: 64 },
      gpu: { l2Bytes: 384 * 1024, smCount: 8 },
      holds: (own, base) =>
        base === undefined ||
        (own.value('l2Model.readHitRate') > base.value('l2Model.readHitRate') &&
          3 * own.value('l2Model.dramReadBytes') < 2 * base.value('l2Model.dramReadBytes')),
    },
    {
      sentence: 'Numbering in groups takes less than one more instruction in a hundred',
      at: { m: 256, n: 128, k: 64 },
      holds: (own, base) =>
        base === undefined || own.value('instructions.total') < 1.01 * base.value('instructions.total'),
    },
  ],
});
