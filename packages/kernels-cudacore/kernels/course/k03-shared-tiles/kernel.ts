import { ceilDiv, defineKernel, gemmArgs } from '@ffma/core';

export const k03 = defineKernel({
  name: 'k03',
  slug: 'shared-tiles',
  basedOn: 'k02',
  change: 'A block copies tiles of A and B into shared memory, and its threads multiply from there.',
  lesson:
    'Each element read from global memory now feeds 32 threads, so global loads fall by 32; two barriers a chunk pay for it.',
  source: new URL('./kernel.cu', import.meta.url),
  params: { BM: 32, BN: 32, BK: 32 },
  derive: ({ BM, BN, BK }) => ({ threads: BM * BN, sharedBytes: 4 * (BM * BK + BK * BN) }),
  rules: [
    {
      sentence: 'A thread copies one element of each tile, so BM, BN and BK are equal',
      holds: ({ BM, BN, BK }) => BM === BK && BN === BK,
    },
    {
      sentence: "A warp's 32 lanes lie along one row, so BN is a multiple of 32",
      holds: ({ BN }) => BN > 0 && BN % 32 === 0,
    },
    {
      sentence: 'A block has at most 1024 threads, one for each of its BM × BN elements',
      holds: (_, { threads }) => threads <= 1024,
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
      sentence: 'A global load feeds 32 FFMAs a lane where the base needs two loads for one',
      at: { m: 64, n: 64, k: 64 },
      holds: (own) => own.value('global.load.requests') * 32 * 16 === own.value('instructions.ffma'),
    },
    {
      sentence: 'Global loads fall to a 32nd of the base, and their sectors to a 20th',
      at: { m: 64, n: 64, k: 64 },
      holds: (own, base) =>
        base === undefined ||
        (base.value('global.load.requests') === 32 * own.value('global.load.requests') &&
          base.value('global.load.sectors') === 20 * own.value('global.load.sectors')),
    },
    {
      sentence: 'Every warp waits at two barriers a chunk: 4 at k = 64',
      at: { m: 64, n: 64, k: 64 },
      holds: (own) => own.value('instructions.barrier') === 4 * 64 * 64,
    },
    {
      sentence: 'The reads of the inner loop have moved to shared memory: two for each FFMA',
      at: { m: 64, n: 64, k: 64 },
      holds: (own) => own.value('shared.load.requests') * 32 === 2 * own.value('instructions.ffma'),
    },
  ],
});
