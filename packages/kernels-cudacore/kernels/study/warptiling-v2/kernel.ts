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

export const warptilingV2 = defineKernel({
  name: 'warptiling-v2',
  slug: 'warptiling-v2',
  basedOn: 'warptiling-v1',
  change: 'The next chunk is read into registers while this one is multiplied, and stored to a second stage.',
  lesson: 'Global memory answers while FFMAs run, and a chunk takes one barrier instead of two.',
  source: new URL('./kernel.cu', import.meta.url),
  params: geometry,
  derive: (p) => stagedFigures(p, 2),
  rules: [...studyRules, pairedLanes],
  needs: studyNeeds,
  plan: onePerTile,
  variants: withVec4,
  ids: namedIds('warptiling_v2', plain, [vec4]),
  exactness: 'k-order',
  claims: [
    {
      sentence: 'The work is the same, load by load and store by store',
      at: { m: 128, n: 128, k: 64 },
      holds: sameWork,
    },
    {
      sentence: 'A chunk takes one barrier instead of two, and the first one more',
      at: { m: 128, n: 128, k: 64 },
      holds: (own, base) =>
        own.value('instructions.barrier') === 256 * (8 + 1) &&
        (base === undefined || base.value('instructions.barrier') === 256 * 8 * 2),
    },
  ],
});
