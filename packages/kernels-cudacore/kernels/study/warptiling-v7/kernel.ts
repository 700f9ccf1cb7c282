import { defineKernel } from '@ffma/core';
import { namedIds, onePerTile } from '@ffma/core/tiles';
import {
  exchangedRows,
  geometry,
  pairedLanes,
  plain,
  stagedFigures,
  studyNeeds,
  studyRules,
  vec4,
  withVec4,
} from '../parts/warp-tiles.js';

export const warptilingV7 = defineKernel({
  name: 'warptiling-v7',
  slug: 'warptiling-v7',
  basedOn: 'warptiling-v6',
  change: 'C is stored by way of shared memory, so that warps write whole rows.',
  lesson: 'A store fills every sector that it touches; four barriers a block, once, pay for it.',
  source: new URL('./kernel.cu', import.meta.url),
  params: geometry,
  derive: (p) => stagedFigures(p, 2, 'exchanged'),
  rules: [...studyRules, pairedLanes, exchangedRows],
  needs: studyNeeds,
  plan: onePerTile,
  variants: withVec4,
  ids: namedIds('warptiling_v7', plain, [vec4]),
  exactness: 'k-order',
  claims: [
    {
      sentence: 'A store of C fills its four sectors, where the base comes back to each four times',
      at: { m: 128, n: 128, k: 64 },
      holds: (own, base) =>
        own.value('global.store.bytesPerSector') === 32 &&
        own.value('global.store.sectorsPerRequest') === 4 &&
        (base === undefined || base.value('global.store.sectors') === 4 * own.value('global.store.sectors')),
    },
    {
      sentence: 'The way through shared memory makes no lanes wait for a bank',
      at: { m: 128, n: 128, k: 64 },
      holds: (own) =>
        own.value('shared.load.bankConflicts') === 0 && own.value('shared.store.bankConflicts') === 0,
    },
    {
      sentence: 'It takes four barriers a block',
      at: { m: 128, n: 128, k: 64 },
      holds: (own, base) =>
        base === undefined ||
        own.value('instructions.barrier') === base.value('instructions.barrier') + 256 * 4,
    },
  ],
});
