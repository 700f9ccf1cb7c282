import { ceilDiv, defineKernel, gemmArgs } from '@ffma/core';
import { blockRules } from '@ffma/core/tiles';

export const smemTiling = defineKernel({
  name: 'smem-tiling',
  slug: 'smem-tiling',
  basedOn: 'naive-row',
  change: 'A block copies square tiles of A and B into shared memory, and its threads multiply from there.',
  lesson:
    'A load of global memory feeds 32 FFMAs of a lane instead of a half; two loads of shared memory for each are left.',
  source: new URL('./kernel.cu', import.meta.url),
  params: { BM: 32, BN: 32, BK: 32 },
  derive: ({ BM, BN, BK }) => ({ threads: BM * BN, sharedBytes: 4 * (BM * BK + BK * BN) }),
  rules: [
    {
      sentence: 'A thread copies one element of each tile, so BM, BN and BK are equal, and a multiple of 32',
      holds: ({ BM, BN, BK }) => BM === BK && BN === BK && BK > 0 && BK % 32 === 0,
    },
    ...blockRules,
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
  ids: { default: 'smem_tiling' },
  exactness: 'k-order',
  claims: [
    {
      sentence: 'Global loads fall to a 32nd of the base, and their sectors to a 20th',
      at: { m: 64, n: 64, k: 64 },
      holds: (own, base) =>
        base === undefined ||
        (base.value('global.load.requests') === 32 * own.value('global.load.requests') &&
          base.value('global.load.sectors') === 20 * own.value('global.load.sectors')),
    },
    {
      sentence: 'Two loads of shared memory feed one FFMA',
      at: { m: 64, n: 64, k: 64 },
      holds: (own) => own.value('shared.load.requests') * 32 === 2 * own.value('instructions.ffma'),
    },
  ],
});
