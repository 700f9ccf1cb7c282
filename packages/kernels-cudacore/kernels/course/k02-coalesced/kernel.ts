import { ceilDiv, defineKernel, gemmArgs } from '@ffma/core';

export const k02 = defineKernel({
  name: 'k02',
  slug: 'coalesced',
  basedOn: 'k01',
  change: 'Neighbouring lanes of a warp lie along a row of C instead of down a column.',
  lesson: 'The same arithmetic asks for memory in runs: 32 lanes fill 4 sectors instead of touching 32.',
  source: new URL('./kernel.cu', import.meta.url),
  params: { BM: 32, BN: 32 },
  derive: ({ BM, BN }) => ({ threads: BM * BN, sharedBytes: 0 }),
  rules: [
    {
      sentence: "A warp's 32 lanes lie along one row, so BN is a multiple of 32",
      holds: ({ BN }) => BN > 0 && BN % 32 === 0,
    },
    {
      sentence: 'A block has at most 1024 threads, one for each of its BM × BN elements',
      holds: ({ BM }, { threads }) => BM > 0 && threads <= 1024,
    },
  ],
  plan: (problem, { BM, BN }) => ({
    launches: [
      {
        entry: 'main',
        grid: [ceilDiv(problem.m, BM) * ceilDiv(problem.n, BN), 1, 1],
        block: [BN, BM, 1],
        sharedBytes: 0,
        args: gemmArgs(problem),
      },
    ],
  }),
  exactness: 'k-order',
  claims: [
    {
      sentence: 'A store of C touches 4 sectors and fills them',
      at: { m: 64, n: 64, k: 64 },
      holds: (own) =>
        own.value('global.store.sectorsPerRequest') === 4 && own.value('global.store.bytesPerSector') === 32,
    },
    {
      sentence: 'A load touches 2.5 sectors on average: 4 of B, and 1 of A that all lanes share',
      at: { m: 64, n: 64, k: 64 },
      holds: (own) => own.value('global.load.sectorsPerRequest') === 2.5,
    },
    {
      sentence: 'The base makes as many loads of as many bytes, but touches more than 6 times the sectors',
      at: { m: 64, n: 64, k: 64 },
      holds: (own, base) =>
        base === undefined ||
        (base.value('global.load.requests') === own.value('global.load.requests') &&
          base.value('global.load.bytesRequested') === own.value('global.load.bytesRequested') &&
          base.value('global.load.sectors') > 6 * own.value('global.load.sectors')),
    },
  ],
});
