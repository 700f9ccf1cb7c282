import { ceilDiv, defineKernel, gemmArgs } from '@ffma/core';

export const k04 = defineKernel({
  name: 'k04',
  slug: 'strip',
  basedOn: 'k03',
  change: 'A thread computes a strip of TM elements down a column of C instead of one element.',
  lesson:
    'A value of B read once from shared memory feeds eight FFMAs from a register: 9 loads for 8 FFMAs, not 16.',
  source: new URL('./kernel.cu', import.meta.url),
  params: { BM: 32, BN: 32, BK: 32, TM: 8 },
  derive: ({ BM, BN, BK, TM }) => ({ threads: (BM / TM) * BN, sharedBytes: 4 * (BM * BK + BK * BN) }),
  rules: [
    {
      sentence: 'A thread copies a strip of each tile, so BM, BN and BK are equal',
      holds: ({ BM, BN, BK }) => BM === BK && BN === BK,
    },
    {
      sentence: "A warp's 32 lanes lie along one row, so BN is a multiple of 32",
      holds: ({ BN }) => BN > 0 && BN % 32 === 0,
    },
    { sentence: 'Strips cover the tile: TM divides BM', holds: ({ BM, TM }) => TM > 0 && BM % TM === 0 },
    {
      sentence: 'A block has at most 1024 threads, one for each of its strips',
      holds: (_, { threads }) => threads <= 1024,
    },
    {
      sentence: 'Static shared memory ends at 48 KiB',
      holds: (_, { sharedBytes }) => sharedBytes <= 48 * 1024,
    },
  ],
  plan: (problem, { BM, BN, TM }) => ({
    launches: [
      {
        entry: 'main',
        grid: [ceilDiv(problem.m, BM) * ceilDiv(problem.n, BN), 1, 1],
        block: [BN, BM / TM, 1],
        sharedBytes: 0,
        args: gemmArgs(problem),
      },
    ],
  }),
  search: { BM: [32, 64], BN: [32, 64], BK: [32, 64], TM: [1, 2, 4, 8, 16] },
  exactness: 'k-order',
  claims: [
    {
      sentence: 'Nine shared loads feed eight FFMAs, where the base needs sixteen',
      at: { m: 64, n: 64, k: 64 },
      holds: (own, base) =>
        own.value('shared.load.requests') * 32 * 8 === 9 * own.value('instructions.ffma') &&
        (base === undefined ||
          base.value('shared.load.requests') * 9 === own.value('shared.load.requests') * 16),
    },
    {
      sentence: 'What is read from global memory stays as it was, load by load',
      at: { m: 64, n: 64, k: 64 },
      holds: (own, base) =>
        base === undefined ||
        (base.value('global.load.requests') === own.value('global.load.requests') &&
          base.value('global.load.sectors') === own.value('global.load.sectors')),
    },
    {
      sentence: 'An eighth of the warps wait at barriers',
      at: { m: 64, n: 64, k: 64 },
      holds: (own, base) =>
        base === undefined || base.value('instructions.barrier') === 8 * own.value('instructions.barrier'),
    },
  ],
});
