import { defineKernel } from '@ffma/core';
import { blockPerTile, namedIds } from '@ffma/core/tiles';
import { sameWork } from '../../parts/same-work.js';
import { fixedColumns, stripRules, stripThreads, tileBytes } from '../parts/strips.js';

export const blocktiling1dV1 = defineKernel({
  name: 'blocktiling-1d-v1',
  slug: 'blocktiling-1d-v1',
  basedOn: 'blocktiling-1d-v0',
  change: 'Where a thread copies is found once; from chunk to chunk only pointers move.',
  lesson: 'The same loads and FFMAs with fewer instructions around them: tidier, and by itself not faster.',
  source: new URL('./kernel.cu', import.meta.url),
  params: { BM: 64, BN: 64, BK: 8, TM: 8 },
  derive: (p) => ({ threads: stripThreads(p), sharedBytes: tileBytes(p, 'row-major') }),
  rules: [...stripRules, fixedColumns],
  plan: (problem, p) => blockPerTile(problem, p, { threads: stripThreads(p) }),
  ids: namedIds('blocktiling_1d_v1', '64x64x8_8', []),
  exactness: 'k-order',
  claims: [
    {
      sentence: 'The work is the same, load by load and store by store',
      at: { m: 64, n: 64, k: 64 },
      holds: sameWork,
    },
    {
      sentence: 'There are fewer instructions in all',
      at: { m: 64, n: 64, k: 64 },
      holds: (own, base) =>
        base === undefined || own.value('instructions.total') < base.value('instructions.total'),
    },
  ],
});
