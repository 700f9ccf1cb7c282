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

export const warptilingV6 = defineKernel({
  name: 'warptiling-v6',
  slug: 'warptiling-v6',
  basedOn: 'warptiling-v5',
  change: 'Operands are read a step ahead across chunks, too: the next is stored before the last step.',
  lesson: 'The FFMAs of the last step cover the barrier and what is read behind it.',
  source: new URL('./kernel.cu', import.meta.url),
  params: geometry,
  derive: (p) => stagedFigures(p, 2),
  rules: [...studyRules, pairedLanes],
  needs: studyNeeds,
  plan: onePerTile,
  variants: withVec4,
  ids: namedIds('warptiling_v6', plain, [vec4]),
  exactness: 'k-order',
  claims: [
    {
      sentence: 'One step more is read from shared memory than is multiplied: 65 instead of 64',
      at: { m: 128, n: 128, k: 64 },
      holds: (own, base) =>
        own.value('shared.load.requests') * 32 * 16 * 64 === own.value('instructions.ffma') * 65 &&
        (base === undefined ||
          own.value('shared.load.requests') * 64 === base.value('shared.load.requests') * 65),
    },
    {
      sentence: 'What is read and written in global memory is the same, access by access',
      at: { m: 128, n: 128, k: 64 },
      holds: (own, base) =>
        base === undefined ||
        (
          [
            'global.load.sectors',
            'global.load.requests',
            'global.store.sectors',
            'global.store.requests',
          ] as const
        ).every((name) => own.value(name) === base.value(name)),
    },
  ],
});
