import { defineKernel } from '@ffma/core';
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

const variants = {
  '256x128_snake': { ORDER: patchOrders.indexOf('snake') },
  '256x128_untagged': { TAGGED: false },
  '192x192': { BM: 192, BN: 192, WM: 96, WN: 48, TM: 12, TN: 12 },
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
    STEPS: 32,
    K_GROUPS: 1,
    STAGES: 4,
    LOCKSTEP: 2,
    GROUP_M: 8,
    ORDER: patchOrders.indexOf('even_turns'),
    TAGGED: true,
  },
  derive: tiledRingFigures,
  rules: [...tiledRingRules, groupOfRows, oneGroup],
  entries: tiledEntries,
  symbolTag: taggedSymbol,
  needs: () => tiledNeeds,
  plan: tiledPlan,
  variants,
  ids: namedIds('h01', '256x128', Object.keys(variants)),
  search: { LOCKSTEP: [1, 2], ORDER: [0, 1], TAGGED: [false, true], GROUP_M: [4, 8, 16] },
  exactness: 'k-order',
  claims: [
    {
      sentence: 'Two requests a stage fetch what takes a thousand of cp.async',
      at: { m: 256, n: 128, k: 128 },
      holds: (own, base) =>
        own.value('global.load.requests') === 8 &&
        (base === undefined ||
          (base.value('global.load.requests') > 1000 &&
            own.value('global.load.bytesRequested') === base.value('global.load.bytesRequested'))),
    },
    {
      sentence: 'Nothing in shared memory meets in a bank',
      at: { m: 256, n: 128, k: 128 },
      holds: (own) => own.value('shared.bankConflicts') === 0,
    },
  ],
  machineCode: tiledMachineCode,
});
