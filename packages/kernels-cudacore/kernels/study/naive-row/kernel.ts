import { ceilDiv, defineKernel, gemmArgs } from '@ffma/core';

export const naiveRow = defineKernel({
  name: 'naive-row',
  slug: 'naive-row',
  change: 'One thread computes one element of C, and the lanes of a warp lie along a row.',
  lesson:
    'Every FFMA reads both of its operands from global memory: two loads for one, however well they coalesce.',
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
  ids: { default: 'naive_row' },
  exactness: 'k-order',
  claims: [
    {
      sentence: 'Two global loads feed one FFMA',
      at: { m: 64, n: 64, k: 64 },
      holds: (own) => own.value('global.load.requests') * 32 === 2 * own.value('instructions.ffma'),
    },
    {
      sentence: 'A store of C fills the sectors that it touches',
      at: { m: 64, n: 64, k: 64 },
      holds: (own) => own.value('global.store.bytesPerSector') === 32,
    },
  ],
});
