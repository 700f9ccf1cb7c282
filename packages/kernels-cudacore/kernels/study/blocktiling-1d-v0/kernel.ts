import { defineKernel } from '@ffma/core';
import { blockPerTile, namedIds } from '@ffma/core/tiles';
import { stripRules, stripThreads, tileBytes } from '../parts/strips.js';

export const blocktiling1dV0 = defineKernel({
  name: 'blocktiling-1d-v0',
  slug: 'blocktiling-1d-v0',
  basedOn: 'smem-tiling',
  change: 'A thread computes a strip of TM elements down a column of C instead of one.',
  lesson: 'An element of B, read once from shared memory, feeds TM FFMAs from a register.',
  source: new URL('./kernel.cu', import.meta.url),
  params: { BM: 64, BN: 64, BK: 8, TM: 8 },
  derive: (p) => ({ threads: stripThreads(p), sharedBytes: tileBytes(p, 'row-major') }),
  rules: [...stripRules],
  plan: (problem, p) => blockPerTile(problem, p, { threads: stripThreads(p) }),
  ids: namedIds('blocktiling_1d_v0', '64x64x8_8', []),
  exactness: 'k-order',
  claims: [
    {
      sentence: 'Nine loads of shared memory feed eight FFMAs, where the base needs sixteen',
      at: { m: 64, n: 64, k: 64 },
      holds: (own, base) =>
        own.value('shared.load.requests') * 32 * 8 === 9 * own.value('instructions.ffma') &&
        (base === undefined ||
          base.value('shared.load.requests') * 9 === own.value('shared.load.requests') * 16),
    },
    {
      sentence: 'A tile of twice the height and width halves the global loads',
      at: { m: 64, n: 64, k: 64 },
      holds: (own, base) =>
        base === undefined || base.value('global.load.requests') === 2 * own.value('global.load.requests'),
    },
  ],
});
