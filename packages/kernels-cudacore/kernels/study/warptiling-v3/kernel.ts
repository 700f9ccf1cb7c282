import { defineKernel } from '@ffma/core';
import { namedIds, onePerTile } from '@ffma/core/tiles';
import { sameWork } from '../../parts/same-work.js';
import {
  geometry,
  pairedLanes,
  plain,
  stagedFigures,
  studyNeeds,
  studyRules,
  vec4,
  withVec4,
} from '../parts/warp-tiles.js';

export const warptilingV3 = defineKernel({
  name: 'warptiling-v3',
  slug: 'warptiling-v3',
  basedOn: 'warptiling-v2',
  change: 'Loads of global memory ask the L2 cache for 128 bytes at a time.',
  lesson: 'A hint: the same loads, of which more are there already when the next lanes ask.',
  source: new URL('./kernel.cu', import.meta.url),
  params: geometry,
  derive: (p) => stagedFigures(p, 2),
  rules: [...studyRules, pairedLanes],
  needs: studyNeeds,
  plan: onePerTile,
  variants: withVec4,
  ids: namedIds('warptiling_v3', plain, [vec4]),
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
