import { ceilDiv, defineKernel, gemmArgs } from '@ffma/core';

export const k01 = defineKernel({
  name: 'k01',
  slug: 'naive',
  change: 'One thread computes one element of C, and neighbouring lanes of a warp lie down a column.',
  lesson:
    'The matrices are row-major, so the 32 lanes of a store hit 32 rows and 32 sectors, and use an eighth of each.',
  source: new URL('./kernel.cu', import.meta.url),
  params: { BM: 32, BN: 32 },
  derive: ({ BM, BN }) => ({ threads: BM * BN, sharedBytes: 0 }),
  rules: [
    {
      sentence: "A warp's 32 lanes lie down one column, so BM is a multiple of 32",
      holds: ({ BM }) => BM > 0 && BM % 32 === 0,
    },
    {
      sentence: 'A block has at most 1024 threads, one for each of its BM × BN elements',
      holds: ({ BN }, { threads }) => BN > 0 && threads <= 1024,
    },
  ],
  plan: (problem, { BM, BN }) => ({
    launches: [
      {
        entry: 'main',
        grid: [ceilDiv(problem.m, BM) * ceilDiv(problem.n, BN), 1, 1],
        block: [BM, BN, 1],
        sharedBytes: 0,
        args: gemmArgs(problem),
      },
    ],
  }),
  exactness: 'k-order',
  claims: [
    {
      sentence: 'A store of C touches 32 sectors, one for each lane',
      at: { m: 64, n: 64, k: 64 },
      holds: (own) => own.value('global.store.sectorsPerRequest') === 32,
    },
    {
      sentence: 'A store of C uses 4 of the 32 bytes of a sector',
      at: { m: 64, n: 64, k: 64 },
      holds: (own) => own.value('global.store.bytesPerSector') === 4,
    },
    {
      sentence: 'Every FFMA costs two global loads, one of A and one of B',
      at: { m: 64, n: 64, k: 64 },
      holds: (own) => own.value('global.load.requests') * 32 === 2 * own.value('instructions.ffma'),
    },
  ],
});
