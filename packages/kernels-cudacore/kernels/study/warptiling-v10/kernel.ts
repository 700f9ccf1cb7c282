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

export const warptilingV10 = defineKernel({
  name: 'warptiling-v10',
  slug: 'warptiling-v10',
  basedOn: 'warptiling-v9',
  change: 'The same source under a symbol that contains “cutlass”.',
  lesson: 'Some names make ptxas decide otherwise: a difference that no source shows.',
  source: new URL('./kernel.cu', import.meta.url),
  params: { ...geometry, LOAD_STEP: 1 },
  derive: (p) => stagedFigures(p, 2, 'exchanged'),
  rules: [...studyRules, pairedLanes, exchangedRows, loadStep],
  needs: studyNeeds,
  symbolTag: 'cutlass',
  plan: onePerTile,
  ids: namedIds('warptiling_v10', plain, []),
  exactness: 'k-order',
  claims: [
    {
      sentence: 'The work is the same, load by load and store by store',
      at: { m: 128, n: 128, k: 64 },
      holds: sameWork,
    },
    {
      sentence: 'There are as many instructions: what differs is the name',
      at: { m: 128, n: 128, k: 64 },
      holds: (own, base) =>
        base === undefined || own.value('instructions.total') === base.value('instructions.total'),
    },
  ],
});
