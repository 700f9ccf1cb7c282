import { defineKernel } from '@ffma/core';
import { groupOfRows, namedIds, taggedSymbol } from '@ffma/core/tiles';
import {
  patchOrders,
  tiledEntries,
  tiledMachineCode,
  tiledNeeds,
  tiledPlan,
  tiledRingFigures,
  tiledRingRules,
} from '../parts/k-major.js';

const twelve = { BM: 192, BN: 96, WM: 96, WN: 48, TM: 12, TN: 12, K_GROUPS: 2 };

const variants = {
  '64x64x16_4': { BM: 64, BN: 64 },
  '128x128x16_2': { BN: 128, K_GROUPS: 2 },
  '192x96x16_2': { ...twelve },
};

export const h02 = defineKernel({
  name: 'h02',
  slug: 'sliced',
  basedOn: 'h01',
  change: 'Groups of warps take turns along k, each with sums of the whole tile, which meet at the end.',
  lesson: 'A small C has few tiles, and each then has as many warps as a tile of a large one.',
  source: new URL('./kernel.cu', import.meta.url),
  params: {
    BM: 128,
    BN: 64,
    WM: 64,
    WN: 64,
    TM: 8,
    TN: 16,
    STEPS: 16,
    K_GROUPS: 4,
    STAGES: 4,
    LOCKSTEP: 2,
    GROUP_M: 8,
    ORDER: patchOrders.indexOf('even_turns'),
    TAGGED: true,
  },
  derive: tiledRingFigures,
  rules: [...tiledRingRules, groupOfRows],
  entries: tiledEntries,
  symbolTag: taggedSymbol,
  needs: () => tiledNeeds,
  plan: tiledPlan,
  partialSums: (_, { K_GROUPS }) => K_GROUPS,
  variants,
  ids: namedIds('h02', '128x64x16_4', Object.keys(variants)),
  search: { K_GROUPS: [1, 2, 4], STEPS: [16, 32], LOCKSTEP: [1, 2], GROUP_M: [4, 8, 16] },
  exactness: 'reordered',
  machineCode: tiledMachineCode,
  claims: [
    {
      sentence: 'Nothing in shared memory meets in a bank, also where the sums of the groups do',
      at: { m: 128, n: 64, k: 256 },
      holds: (own) => own.value('shared.bankConflicts') === 0,
    },
  ],
});
