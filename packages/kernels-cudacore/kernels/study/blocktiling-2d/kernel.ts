import { defineKernel } from '@ffma/core';
import { blockPerTile, namedIds } from '@ffma/core/tiles';
import { patchFigures, patchRules } from '../parts/patches.js';
import { fixedColumns } from '../parts/strips.js';

const variants = { '128x128x16_8x8': { BK: 16 } };

export const blocktiling2d = defineKernel({
  name: 'blocktiling-2d',
  slug: 'blocktiling-2d',
  basedOn: 'blocktiling-1d-v2',
  change: 'A thread computes a TM × TN patch of C instead of a strip.',
  lesson:
    'Both operands are reused from registers: four loads of shared memory feed 64 FFMAs. Now stores of C and bank conflicts stand out.',
  source: new URL('./kernel.cu', import.meta.url),
  params: { BM: 128, BN: 128, BK: 8, TM: 8, TN: 8 },
  derive: patchFigures,
  rules: [...patchRules, fixedColumns],
  plan: (problem, p) => blockPerTile(problem, p, patchFigures(p)),
  variants,
  ids: namedIds('blocktiling_2d', '128x128x8_8x8', Object.keys(variants)),
  search: { BM: [64, 128], BN: [64, 128], BK: [8, 16], TM: [4, 8], TN: [4, 8] },
  exactness: 'k-order',
  claims: [
    {
      sentence: 'Four loads of shared memory feed 64 FFMAs, where the base needs 24',
      at: { m: 128, n: 128, k: 64 },
      holds: (own, base) =>
        own.value('shared.load.requests') * 32 * 16 === own.value('instructions.ffma') &&
        (base === undefined || base.value('shared.load.requests') === 6 * own.value('shared.load.requests')),
    },
    {
      sentence: 'A tile of twice the height and width halves the global loads',
      at: { m: 128, n: 128, k: 64 },
      holds: (own, base) =>
        base === undefined || base.value('global.load.requests') === 2 * own.value('global.load.requests'),
    },
    {
      sentence: 'A store of C uses 4 bytes of each sector: seven sectors in excess for each that is needed',
      at: { m: 128, n: 128, k: 64 },
      holds: (own) => own.value('global.store.bytesPerSector') === 4,
    },
    {
      sentence: 'Loads of B take twice the wavefronts that they need, those of A no more than that',
      at: { m: 128, n: 128, k: 64 },
      holds: (own) => own.value('shared.load.bankConflicts') === 2 * own.value('shared.load.requests'),
    },
  ],
});
