import { defineKernel } from '@ffma/core';
import { blockPerTile, namedIds } from '@ffma/core/tiles';
import { float4Copies, patchFigures, patchRules } from '../parts/patches.js';

const variants = { '128x128x16_8x8': { BK: 16 } };

export const blocktiling2dVec4V1 = defineKernel({
  name: 'blocktiling-2d-vec4-v1',
  slug: 'blocktiling-2d-vec4-v1',
  basedOn: 'blocktiling-2d-vec4-v0',
  change: 'Lanes that copy A are dealt out along its rows, two to a sector, and not down them.',
  lesson: 'The loads are as many, but each fills the sectors that it touches.',
  source: new URL('./kernel.cu', import.meta.url),
  params: { BM: 128, BN: 128, BK: 8, TM: 8, TN: 8 },
  derive: patchFigures,
  rules: [...patchRules, float4Copies],
  needs: ({ BM, BN, BK }) => ({ multiples: { m: BM, n: BN, k: BK }, alignment: 16 }),
  plan: (problem, p) => blockPerTile(problem, p, patchFigures(p)),
  variants,
  ids: namedIds('blocktiling_2d_vec4_v1', '128x128x8_8x8', Object.keys(variants)),
  search: { BM: [64, 128], BN: [64, 128], BK: [8, 16], TM: [4, 8], TN: [4, 8] },
  exactness: 'k-order',
  claims: [
    {
      sentence:
        'A load fills the 16 sectors that it touches, and a third of the sectors of the base are gone',
      at: { m: 128, n: 128, k: 64 },
      holds: (own, base) =>
        own.value('global.load.sectorsPerRequest') === 16 &&
        own.value('global.load.bytesPerSector') === 32 &&
        (base === undefined ||
          2 * base.value('global.load.sectors') === 3 * own.value('global.load.sectors')),
    },
    {
      sentence:
        'A store of C has one sector in excess for each that is needed, where blocktiling-2d has seven',
      at: { m: 128, n: 128, k: 64 },
      holds: (own) => own.value('global.store.bytesPerSector') === 16,
    },
  ],
});
