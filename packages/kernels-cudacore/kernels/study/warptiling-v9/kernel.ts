import { defineKernel } from '@ffma/core';
import { namedIds, onePerTile } from '@ffma/core/tiles';
import { sameWork } from '../../parts/same-work.js';
import {
  exchangedRows,
  geometry,
  loadStep,
  pairedLanes,
  plain,
  stagedFigures,
  studyNeeds,
  studyRules,
} from '../parts/warp-tiles.js';

export const warptilingV9 = defineKernel({
  name: 'warptiling-v9',
  slug: 'warptiling-v9',
  basedOn: 'warptiling-v8',
  change: 'The next chunk is fetched a step later, at LOAD_STEP.',
  lesson:
    'The same instructions in another order: loads of global memory do not stand in the way of those behind the barrier.',
  source: new URL('./kernel.cu', import.meta.url),
  params: { ...geometry, LOAD_STEP: 1 },
  derive: (p) => stagedFigures(p, 2, 'exchanged'),
  rules: [...studyRules, pairedLanes, exchangedRows, loadStep],
  needs: studyNeeds,
  plan: onePerTile,
  ids: namedIds('warptiling_v9', plain, []),
  search: { LOAD_STEP: [0, 1, 2, 3, 4, 5, 6] },
  exactness: 'k-order',
  claims: [
    {
      sentence: 'The work is the same, load by load and store by store',
      at: { m: 128, n: 128, k: 64 },
      holds: sameWork,
    },
    {
      sentence: 'It takes no more instructions',
      at: { m: 128, n: 128, k: 64 },
      holds: (own, base) =>
        base === undefined || own.value('instructions.total') <= base.value('instructions.total'),
    },
  ],
});
