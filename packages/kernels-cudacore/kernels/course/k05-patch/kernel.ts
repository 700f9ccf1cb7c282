import { ceilDiv, defineKernel, gemmArgs } from '@ffma/core';

export const k05 = defineKernel({
  name: 'k05',
  slug: 'patch',
  basedOn: 'k04',
  change: 'A thread computes a TM × TN patch of C instead of a strip.',
  lesson:
    'Both operands are reused from registers: 8 shared loads feed 16 FFMAs, less than half of what a strip needs.',
  source: new URL('./kernel.cu', import.meta.url),
  params: { BM: 64, BN: 64, BK: 16, TM: 4, TN: 4 },
  derive: ({ BM, BN, BK, TM, TN }) => ({
    threads: (BM / TM) * (BN / TN),
    sharedBytes: 4 * (BM * BK + BK * BN),
  }),
  rules: [
    {
      sentence: 'Patches cover the tile: TM divides BM, and TN divides BN',
      holds: ({ BM, BN, TM, TN }) => TM > 0 && TN > 0 && BM > 0 && BN > 0 && BM % TM === 0 && BN % TN === 0,
    },
    {
      sentence: 'A block has at most 1024 threads, one for each of its patches',
      holds: (_, { threads }) => threads <= 1024,
    },
    {
      sentence: 'Every thread copies as many elements of a tile as any other',
      holds: ({ BM, BN, BK }, { threads }) =>
        BK > 0 && (BM * BK) % threads === 0 && (BK * BN) % threads === 0,
    },
    {
      sentence: 'Static shared memory ends at 48 KiB',
      holds: (_, { sharedBytes }) => sharedBytes <= 48 * 1024,
    },
  ],
  plan: (problem, { BM, BN, TM, TN }) => ({
    launches: [
      {
        entry: 'main',
        grid: [ceilDiv(problem.m, BM) * ceilDiv(problem.n, BN), 1, 1],
        block: [BN / TN, BM / TM, 1],
        sharedBytes: 0,
        args: gemmArgs(problem),
      },
    ],
  }),
  search: { BM: [64, 128], BN: [64, 128], BK: [8, 16, 32], TM: [2, 4, 8], TN: [2, 4, 8] },
  exactness: 'k-order',
  claims: [
    {
      sentence: 'Eight shared loads feed sixteen FFMAs, where the base needs eighteen',
      at: { m: 64, n: 64, k: 64 },
      holds: (own, base) =>
        own.value('shared.load.requests') * 32 * 2 === own.value('instructions.ffma') &&
        (base === undefined ||
          base.value('shared.load.requests') * 4 === own.value('shared.load.requests') * 9),
    },
    {
      sentence: 'A tile of twice the height and width halves the global loads',
      at: { m: 64, n: 64, k: 64 },
      holds: (own, base) =>
        base === undefined || base.value('global.load.requests') === 2 * own.value('global.load.requests'),
    },
    {
      sentence: 'The price: a store of C touches 16 sectors, and uses 8 of the 32 bytes of each',
      at: { m: 64, n: 64, k: 64 },
      holds: (own) =>
        own.value('global.store.sectorsPerRequest') === 16 && own.value('global.store.bytesPerSector') === 8,
    },
  ],
});
