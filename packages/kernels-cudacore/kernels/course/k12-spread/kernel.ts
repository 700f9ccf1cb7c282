import { defineKernel } from '@ffma/core';
import {
  atLeastTwoStages,
  blockPerTile,
  ffmaOrder,
  groupOfRows,
  knownOrder,
  namedIds,
  ringFigures,
  ringRules,
  taggedSymbol,
  transposedA,
  wholeTiles,
} from '@ffma/core/tiles';
import { sameWork } from '../../parts/same-work.js';

const small = { BM: 128, BN: 64, WM: 64, WN: 32, TM: 8, TN: 8 };
const wide = { BM: 128, BN: 256 };
const shallow = { BK: 8, STAGES: 2, SPREAD: false };

const variants = {
  '128x256x16_rows': { ...wide, FFMA_ORDER: ffmaOrder('rows') },
  '128x256x16_columns': { ...wide, FFMA_ORDER: ffmaOrder('columns') },
  '128x256x16_snake_rows': { ...wide, FFMA_ORDER: ffmaOrder('snake_rows') },
  '128x256x16_snake_columns': { ...wide },
  '256x128x16_nospread': { SPREAD: false },
  '256x128x16_rows': { FFMA_ORDER: ffmaOrder('rows') },
  '128x64x16': { ...small },
  '128x64x16_nospread': { ...small, SPREAD: false },
  '128x64x16_nospread_rows': { ...small, SPREAD: false, FFMA_ORDER: ffmaOrder('rows') },
  '128x64x16_nospread_columns': { ...small, SPREAD: false, FFMA_ORDER: ffmaOrder('columns') },
  '128x64x16_nospread_snake_rows': { ...small, SPREAD: false, FFMA_ORDER: ffmaOrder('snake_rows') },
  '128x64x16_nospread_tagged': { ...small, SPREAD: false, TAGGED: true },
  '128x256x8_s2_nospread': { ...wide, ...shallow },
  '128x256x8_s2_nospread_tagged': { ...wide, ...shallow, TAGGED: true },
};

export const k12 = defineKernel({
  name: 'k12',
  slug: 'spread',
  basedOn: 'k11',
  change:
    'Copies of a chunk are spread over its steps along k, and the FFMAs of a patch come in an order of choice.',
  lesson:
    'Spreading removes stalls and adds instructions; the order of FFMAs decides which operands can be reused.',
  source: new URL('./kernel.cu', import.meta.url),
  params: {
    BM: 256,
    BN: 128,
    BK: 16,
    WM: 64,
    WN: 64,
    TM: 8,
    TN: 16,
    STAGES: 3,
    GROUP_M: 8,
    REMAP_B: true,
    SPREAD: true,
    FFMA_ORDER: ffmaOrder('snake_columns'),
    TAGGED: false,
  },
  derive: (p) => ringFigures(p, 'transposed'),
  rules: [...ringRules, transposedA, atLeastTwoStages, groupOfRows, knownOrder],
  symbolTag: taggedSymbol,
  needs: wholeTiles,
  plan: (problem, p) => blockPerTile(problem, p, ringFigures(p, 'transposed')),
  variants,
  // The fastest of this package at some size: src/fastest.ts.
  ships: ['128x64x16_nospread_tagged', '128x256x8_s2_nospread_tagged'],
  ids: namedIds('k12', '256x128x16', Object.keys(variants)),
  search: { SPREAD: [false, true], FFMA_ORDER: [0, 1, 2, 3], TAGGED: [false, true] },
  exactness: 'k-order',
  claims: [
    {
      sentence: 'The work is the same, load by load and store by store',
      at: { m: 256, n: 128, k: 128 },
      holds: sameWork,
    },
    {
      sentence: 'Spread copies take more than three times the branches, and more instructions in all',
      at: { m: 256, n: 128, k: 128 },
      holds: (own, base) =>
        base === undefined ||
        (own.value('instructions.branch') > 3 * base.value('instructions.branch') &&
          own.value('instructions.total') > base.value('instructions.total')),
    },
  ],
});
