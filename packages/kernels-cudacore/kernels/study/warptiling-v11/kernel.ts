import { defineKernel } from '@ffma/core';
import { groupOfRows, namedIds, onePerTile, taggedSymbol } from '@ffma/core/tiles';
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

const variants = { [`${plain}_tagged`]: { TAGGED: true } };

export const warptilingV11 = defineKernel({
  name: 'warptiling-v11',
  slug: 'warptiling-v11',
  basedOn: 'warptiling-v9',
  change: 'Tiles of C are numbered in groups of GROUP_M tile rows.',
  lesson: 'Blocks that run together share more of what they read, so that less comes from memory.',
  source: new URL('./kernel.cu', import.meta.url),
  params: { ...geometry, LOAD_STEP: 1, GROUP_M: 8, TAGGED: false },
  derive: (p) => stagedFigures(p, 2, 'exchanged'),
  rules: [...studyRules, pairedLanes, exchangedRows, loadStep, groupOfRows],
  needs: studyNeeds,
  symbolTag: taggedSymbol,
  plan: onePerTile,
  variants,
  ids: namedIds('warptiling_v11', plain, Object.keys(variants)),
  search: { GROUP_M: [1, 2, 4, 8, 16], TAGGED: [false, true] },
  exactness: 'k-order',
  claims: [
    {
      sentence: 'The work is the same, load by load and store by store, in another order',
      at: { m: 128, n: 128, k: 64 },
      holds: sameWork,
    },
    {
      sentence:
        'On a model of 8 multiprocessors with 96 KiB of L2, more reads hit, and fewer bytes come from memory, by a third or more',
      at: { m: 1024, n: 2048, k: 16 },
      gpu: { l2Bytes: 96 * 1024, smCount: 8 },
      holds: (own, base) =>
        base === undefined ||
        (own.value('l2Model.readHitRate') > base.value('l2Model.readHitRate') &&
          3 * own.value('l2Model.dramReadBytes') < 2 * base.value('l2Model.dramReadBytes')),
    },
  ],
});
