import { defineKernel } from '@ffma/core';
import { namedIds, onePerTile } from '@ffma/core/tiles';
import { geometry, plain, stagedFigures, studyNeeds, studyRules } from '../parts/warp-tiles.js';

const variants = { '128x128x16_32x64x16': { BK: 16 } };

export const warptilingV0 = defineKernel({
  name: 'warptiling-v0',
  slug: 'warptiling-v0',
  basedOn: 'blocktiling-2d',
  change: 'Each warp owns a compact tile of C; whole tiles only.',
  lesson:
    'A warp reads fewer operands a step, because its tile is closer to a square; how its lanes lie still costs bank conflicts and stores.',
  source: new URL('./kernel.cu', import.meta.url),
  params: geometry,
  derive: (p) => stagedFigures(p, 1),
  rules: studyRules,
  needs: studyNeeds,
  plan: onePerTile,
  variants,
  ids: namedIds('warptiling_v0', plain, Object.keys(variants)),
  exactness: 'k-order',
  claims: [
    {
      sentence:
        'Four loads of shared memory feed 64 FFMAs, as in the base, and loads of B take twice the wavefronts that they need',
      at: { m: 128, n: 128, k: 64 },
      holds: (own, base) =>
        own.value('shared.load.bankConflicts') === 2 * own.value('shared.load.requests') &&
        (base === undefined || own.value('shared.load.requests') === base.value('shared.load.requests')),
    },
    {
      sentence: 'Without edges, more than half of the overhead for each FFMA is gone',
      at: { m: 128, n: 128, k: 64 },
      holds: (own, base) =>
        base === undefined || 2 * own.value('overhead.perFfma') < base.value('overhead.perFfma'),
    },
  ],
});
