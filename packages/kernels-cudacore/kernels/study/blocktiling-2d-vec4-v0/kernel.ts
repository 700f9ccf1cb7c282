import { defineKernel } from '@ffma/core';
import { blockPerTile, namedIds } from '@ffma/core/tiles';
import { float4Copies, patchFigures, patchRules } from '../parts/patches.js';

const variants = { '128x128x16_8x8': { BK: 16 } };

export const blocktiling2dVec4V0 = defineKernel({
  name: 'blocktiling-2d-vec4-v0',
  slug: 'blocktiling-2d-vec4-v0',
  basedOn: 'blocktiling-2d',
  change: 'Global memory is read and written four floats at a time; whole tiles only.',
  lesson:
    'A quarter of the instructions move the same bytes, and a store of C fills half of each sector instead of an eighth.',
  source: new URL('./kernel.cu', import.meta.url),
  params: { BM: 128, BN: 128, BK: 8, TM: 8, TN: 8 },
  derive: patchFigures,
  rules: [...patchRules, float4Copies],
  needs: ({ BM, BN, BK }) => ({ multiples: { m: BM, n: BN, k: BK }, alignment: 16 }),
  plan: (problem, p) => blockPerTile(problem, p, patchFigures(p)),
  variants,
  ids: namedIds('blocktiling_2d_vec4_v0', '128x128x8_8x8', Object.keys(variants)),
  search: { BM: [64, 128], BN: [64, 128], BK: [8, 16], TM: [4, 8], TN: [4, 8] },
  exactness: 'k-order',
  claims: [
    {
      sentence: 'Global loads and stores are a quarter of the base',
      at: { m: 128, n: 128, k: 64 },
      holds: (own, base) =>
        base === undefined ||
        (base.value('global.load.requests') === 4 * own.value('global.load.requests') &&
          base.value('global.store.requests') === 4 * own.value('global.store.requests')),
    },
    {
      sentence: 'A store of C uses half of each sector, where the base uses an eighth',
      at: { m: 128, n: 128, k: 64 },
      holds: (own, base) =>
        own.value('global.store.bytesPerSector') === 16 &&
        (base === undefined || base.value('global.store.bytesPerSector') === 4),
    },
    {
      sentence:
        'The price: loads of A use half of each sector at a time, so that half as many sectors more are asked for',
      at: { m: 128, n: 128, k: 64 },
      holds: (own, base) =>
        base === undefined || 2 * own.value('global.load.sectors') === 3 * base.value('global.load.sectors'),
    },
  ],
});
