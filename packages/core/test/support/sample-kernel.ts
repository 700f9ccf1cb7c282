import { defineKernel } from '../../src/gemm/define-kernel.js';
import { ceilDiv, gemmArgs } from '../../src/gemm/plan.js';

/** A declaration to test with; `source` need not exist. */
export function sampleKernel(source = new URL('file:///nowhere/kernel.cu')) {
  return defineKernel({
    name: 'k90',
    slug: 'sample',
    change: 'Nothing.',
    source,
    params: { BM: 32, STAGES: 2, PREFETCH: false },
    derive: ({ BM, STAGES }) => ({ threads: BM * 2, sharedBytes: BM * STAGES * 4 }),
    rules: [
      { sentence: 'BM is a multiple of 32', holds: ({ BM }) => BM % 32 === 0 },
      { sentence: 'A block has at most 1024 threads', holds: (_, { threads }) => threads <= 1024 },
    ],
    needs: ({ BM }) => ({ multiples: { m: BM }, alignment: 16, arch: 80 }),
    plan: (problem, { BM }) => ({
      launches: [
        {
          entry: 'main',
          grid: [ceilDiv(problem.m, BM), 1, 1],
          block: [BM * 2, 1, 1],
          sharedBytes: 0,
          args: gemmArgs(problem),
        },
      ],
    }),
    variants: { deep: { STAGES: 4 }, named: { BM: 64 } },
    ids: { named: 'k90_by_hand' },
    exactness: 'k-order',
  });
}
