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

export const warptilingV5 = defineKernel({
  name: 'warptiling-v5',
  slug: 'warptiling-v5',
  basedOn: 'warptiling-v4',
  change: 'Operands are read from shared memory a step ahead, within a chunk.',
  lesson:
    'While one set of registers is multiplied, the other is filled; the first step of a chunk still waits.',
  source: new URL('./kernel.cu', import.meta.url),
  params: geometry,
  derive: (p) => stagedFigures(p, 2),
  rules: [...studyRules, pairedLanes],
  needs: studyNeeds,
  plan: onePerTile,
  variants: withVec4,
  ids: namedIds('warptiling_v5', plain, [vec4]),
  exactness: 'k-order',
  claims: [
    {
      sentence: 'The work is the same, load by load and store by store, in another order',
      at: { m: 128, n: 128, k: 64 },
      holds: sameWork,
    },
  ],
});
