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

export const warptilingV8 = defineKernel({
  name: 'warptiling-v8',
  slug: 'warptiling-v8',
  basedOn: 'warptiling-v7',
  change: 'The loop over chunks has three parts: prologue, steady state and drain.',
  lesson: 'The steady state asks nothing, and the last chunk fetches nothing.',
  source: new URL('./kernel.cu', import.meta.url),
  params: geometry,
  derive: (p) => stagedFigures(p, 2, 'exchanged'),
  rules: [...studyRules, pairedLanes, exchangedRows],
  needs: studyNeeds,
  plan: onePerTile,
  variants: withVec4,
  ids: namedIds('warptiling_v8', plain, [vec4]),
  exactness: 'k-order',
  claims: [
    {
      sentence: 'The last chunk fetches nothing, and so stores nothing and needs no barrier behind it',
      at: { m: 128, n: 128, k: 64 },
      holds: (own, base) =>
        base === undefined ||
        (base.value('shared.store.requests') - own.value('shared.store.requests') === 8 * 8 &&
          base.value('instructions.barrier') - own.value('instructions.barrier') === 256),
    },
    {
      sentence: 'There are fewer instructions in all, and as many global loads',
      at: { m: 128, n: 128, k: 64 },
      holds: (own, base) =>
        base === undefined ||
        (own.value('instructions.total') < base.value('instructions.total') &&
          own.value('global.load.requests') === base.value('global.load.requests')),
    },
  ],
});
