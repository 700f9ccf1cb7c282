import { defineKernel } from '@ffma/core';
import { blockPerTile, namedIds } from '@ffma/core/tiles';
import { sameWork } from '../../parts/same-work.js';
import { fixedColumns, stripRules, stripThreads, tileBytes, wholeFloat4s } from '../parts/strips.js';

export const blocktiling1dV3 = defineKernel({
  name: 'blocktiling-1d-v3',
  slug: 'blocktiling-1d-v3',
  basedOn: 'blocktiling-1d-v2',
  change: 'Two pairs of tiles take turns, so that a chunk takes one barrier instead of two.',
  lesson: 'Who is early may fill the other pair; all still wait for global memory, so that little is gained.',
  source: new URL('./kernel.cu', import.meta.url),
  params: { BM: 64, BN: 64, BK: 8, TM: 8 },
  derive: (p) => ({ threads: stripThreads(p), sharedBytes: tileBytes(p, 'transposed', 2) }),
  rules: [...stripRules, fixedColumns, wholeFloat4s],
  plan: (problem, p) => blockPerTile(problem, p, { threads: stripThreads(p) }),
  ids: namedIds('blocktiling_1d_v3', '64x64x8_8', []),
  exactness: 'k-order',
  claims: [
    {
      sentence: 'The work is the same, load by load and store by store',
      at: { m: 64, n: 64, k: 64 },
      holds: sameWork,
    },
    {
      sentence: 'Warps wait at half as many barriers',
      at: { m: 64, n: 64, k: 64 },
      holds: (own, base) =>
        base === undefined || base.value('instructions.barrier') === 2 * own.value('instructions.barrier'),
    },
  ],
});
