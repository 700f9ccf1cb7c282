import { defineKernel } from '@ffma/core';
import { blockPerTile, namedIds } from '@ffma/core/tiles';
import { fixedColumns, stripRules, stripThreads, tileBytes, wholeFloat4s } from '../parts/strips.js';

const variants = {
  '64x64x8_16': { TM: 16 },
  '128x128x8_64': { BM: 128, BN: 128, TM: 64 },
  '128x128x16_64': { BM: 128, BN: 128, BK: 16, TM: 64 },
};

export const blocktiling1dV2 = defineKernel({
  name: 'blocktiling-1d-v2',
  slug: 'blocktiling-1d-v2',
  basedOn: 'blocktiling-1d-v1',
  change: 'A lies transposed in shared memory, and a strip’s operands are read four at a time.',
  lesson: 'Operands of a strip that lie side by side take a quarter of the loads.',
  source: new URL('./kernel.cu', import.meta.url),
  params: { BM: 64, BN: 64, BK: 8, TM: 8 },
  derive: (p) => ({ threads: stripThreads(p), sharedBytes: tileBytes(p, 'transposed') }),
  rules: [...stripRules, fixedColumns, wholeFloat4s],
  plan: (problem, p) => blockPerTile(problem, p, { threads: stripThreads(p) }),
  variants,
  ids: namedIds('blocktiling_1d_v2', '64x64x8_8', Object.keys(variants)),
  search: { BM: [64, 128], BN: [64, 128], BK: [8, 16], TM: [8, 16, 32, 64] },
  exactness: 'k-order',
  claims: [
    {
      sentence: 'Three loads of shared memory feed eight FFMAs, where the base needs nine',
      at: { m: 64, n: 64, k: 64 },
      holds: (own, base) =>
        own.value('shared.load.requests') * 32 * 8 === 3 * own.value('instructions.ffma') &&
        (base === undefined || base.value('shared.load.requests') === 3 * own.value('shared.load.requests')),
    },
    {
      sentence: 'Transposing on the way makes no lanes wait for a bank',
      at: { m: 64, n: 64, k: 64 },
      holds: (own) =>
        own.value('shared.load.bankConflicts') === 0 && own.value('shared.store.bankConflicts') === 0,
    },
  ],
});
