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

/** One that has m, n and k compiled in: as it is declared, none are filled in. */
export function sizedKernel(source = new URL('file:///nowhere/kernel.cu')) {
  return defineKernel({
    name: 'k91',
    slug: 'sized',
    change: 'Nothing.',
    source,
    params: { BM: 32, M: 0, N: 0, K: 0 },
    derive: ({ BM }) => ({ threads: BM * 2, sharedBytes: 0 }),
    specialise: {
      open: ({ M, N, K }) => M * N * K === 0,
      fill: (_, { m, n, k }) => ({ M: m, N: n, K: k }),
    },
    needs: ({ BM, M, N, K }) => ({
      multiples: { m: BM },
      ...(M === 0 ? {} : { exactly: { m: M, n: N, k: K } }),
    }),
    variants: { deep: { BM: 64 } },
    ids: { deep: 'k91_by_hand' },
    exactness: 'k-order',
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
  });
}
