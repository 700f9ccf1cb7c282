import { ceilDiv, defineKernel, gemmArgs } from '@ffma/core';

export const naiveCol = defineKernel({
  name: 'naive-col',
  slug: 'naive-col',
  basedOn: 'naive-row',
  change: 'The lanes of a warp lie down a column of C instead of along a row.',
  lesson:
    'The work is the same, but every lane is in another row of A and of C: a sector for each, 4 bytes used.',
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
  ids: { default: 'naive_col' },
  exactness: 'k-order',
  claims: [
    {
      sentence: 'A load touches 16.5 sectors on average, 32 of A and one of B, where the base has 2.5',
      at: { m: 64, n: 64, k: 64 },
      holds: (own, base) =>
        base === undefined ||
        (own.value('global.load.sectorsPerRequest') === 16.5 &&
          base.value('global.load.sectorsPerRequest') === 2.5),
    },
    {
      sentence: 'A store of C uses 4 of the 32 bytes of each sector',
      at: { m: 64, n: 64, k: 64 },
      holds: (own) => own.value('global.store.bytesPerSector') === 4,
    },
    {
      sentence: 'There are as many instructions, loads and stores as in the base',
      at: { m: 64, n: 64, k: 64 },
      holds: (own, base) =>
        base === undefined ||
        (['instructions.total', 'global.load.requests', 'global.store.requests'] as const).every(
          (name) => own.value(name) === base.value(name),
        ),
    },
  ],
});
