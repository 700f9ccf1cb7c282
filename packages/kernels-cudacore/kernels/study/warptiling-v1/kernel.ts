import { defineKernel } from '@ffma/core';
import { namedIds, onePerTile } from '@ffma/core/tiles';
import { geometry, pairedLanes, plain, stagedFigures, studyNeeds, studyRules } from '../parts/warp-tiles.js';

export const warptilingV1 = defineKernel({
  name: 'warptiling-v1',
  slug: 'warptiling-v1',
  basedOn: 'warptiling-v0',
  change: 'Lanes are laid out in pairs, and their patches dealt out in runs of four rows and columns.',
  lesson:
    'Lanes that are neighbours read what lies side by side: no access of shared memory takes more turns than it must.',
  source: new URL('./kernel.cu', import.meta.url),
  params: geometry,
  derive: (p) => stagedFigures(p, 1),
  rules: [...studyRules, pairedLanes],
  needs: studyNeeds,
  plan: onePerTile,
  ids: namedIds('warptiling_v1', plain, []),
  exactness: 'k-order',
  claims: [
    {
      sentence:
        'No access of shared memory takes more wavefronts than it must, where loads of the base take two and a half times as many',
      at: { m: 128, n: 128, k: 64 },
      holds: (own, base) =>
        own.value('shared.load.bankConflicts') === 0 &&
        own.value('shared.store.bankConflicts') === 0 &&
        (base === undefined ||
          2 * base.value('shared.load.wavefronts') === 5 * own.value('shared.load.wavefronts')),
    },
    {
      sentence: 'A store of C uses 8 bytes of each sector, where the base uses 4',
      at: { m: 128, n: 128, k: 64 },
      holds: (own, base) =>
        own.value('global.store.bytesPerSector') === 8 &&
        (base === undefined || base.value('global.store.bytesPerSector') === 4),
    },
  ],
});
