import { defineKernel } from '@ffma/core';
import { namedIds, onePerTile } from '@ffma/core/tiles';
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

export const warptilingV4 = defineKernel({
  name: 'warptiling-v4',
  slug: 'warptiling-v4',
  basedOn: 'warptiling-v3',
  change: 'Loads behind the last chunk are off by a predicate, so that the loop has no branches.',
  lesson: 'The last chunk costs a few stores that nobody reads; all others lose two branches.',
  source: new URL('./kernel.cu', import.meta.url),
  params: geometry,
  derive: (p) => stagedFigures(p, 2),
  rules: [...studyRules, pairedLanes],
  needs: studyNeeds,
  plan: onePerTile,
  variants: withVec4,
  ids: namedIds('warptiling_v4', plain, [vec4]),
  exactness: 'k-order',
  claims: [
    {
      sentence: 'Less than half of the branches are left',
      at: { m: 128, n: 128, k: 64 },
      holds: (own, base) =>
        base === undefined || 2 * own.value('instructions.branch') < base.value('instructions.branch'),
    },
    {
      sentence: 'No load is added, and of stores to shared memory those of one chunk',
      at: { m: 128, n: 128, k: 64 },
      holds: (own, base) =>
        base === undefined ||
        (own.value('global.load.requests') === base.value('global.load.requests') &&
          own.value('shared.store.requests') * 8 === base.value('shared.store.requests') * 9),
    },
  ],
});
