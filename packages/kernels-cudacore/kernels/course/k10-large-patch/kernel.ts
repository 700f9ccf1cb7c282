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

const small = { BM: 128, BN: 64, WM: 64, WN: 32, TM: 8 };

const variants = {
  '256x128x16_16x8_noremap': { REMAP_B: false },
  '256x128x16_8x16': { TM: 8, TN: 16 },
  '128x256x16_8x16': { BM: 128, BN: 256, TM: 8, TN: 16 },
  '128x64x16_8x8': { ...small },
  '128x64x16_8x8_noremap': { ...small, REMAP_B: false },
  '128x64x8_8x8': { ...small, BK: 8 },
};

export const k10 = defineKernel({
  name: 'k10',
  slug: 'large-patch',
  basedOn: 'k09s',
  change:
    'A lane computes 128 outputs, and columns of B are dealt out so that lanes read what lies side by side.',
  lesson:
    'A 16 × 8 patch needs 24 operands for 128 FFMAs where 8 × 8 needs 32: fewer loads, nearly all registers.',
  source: new URL('./kernel.cu', import.meta.url),
  params: { BM: 256, BN: 128, BK: 16, WM: 64, WN: 64, TM: 16, TN: 8, STAGES: 3, GROUP_M: 8, REMAP_B: true },
  derive: (p) => ringFigures(p, 'transposed'),
  rules: [...ringRules, transposedA, atLeastTwoStages, groupOfRows],
  needs: wholeTiles,
  plan: (problem, p) => blockPerTile(problem, p, ringFigures(p, 'transposed')),
  variants,
  ids: namedIds('k10', '256x128x16_16x8', Object.keys(variants)),
  search: { TM: [8, 16], TN: [8, 16], REMAP_B: [false, true] },
  exactness: 'k-order',
  claims: [
    {
      sentence: 'Six shared loads feed 128 FFMAs, where the base needs eight',
      at: { m: 256, n: 128, k: 64 },
      holds: (own, base) =>
        own.value('shared.load.requests') * 32 * 128 * 64 === 6 * own.value('instructions.ffma') * 65 &&
        (base === undefined ||
          base.value('shared.load.requests') * 3 === own.value('shared.load.requests') * 4),
    },
    {
      sentence: 'Columns of B are dealt out so that no load of shared memory waits for a bank',
      at: { m: 256, n: 128, k: 64 },
      holds: (own) => own.value('shared.load.bankConflicts') === 0,
    },
    {
      sentence: 'A store of C fills its sectors, where the base fills half of each at a time',
      at: { m: 256, n: 128, k: 64 },
      holds: (own, base) =>
        own.value('global.store.bytesPerSector') === 32 &&
        (base === undefined || base.value('global.store.bytesPerSector') === 16),
    },
    {
      sentence: 'A tile of twice the height and width halves the sectors that are copied',
      at: { m: 256, n: 128, k: 64 },
      holds: (own, base) =>
        base === undefined || base.value('global.load.sectors') === 2 * own.value('global.load.sectors'),
    },
  ],
});
