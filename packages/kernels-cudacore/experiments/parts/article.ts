import { figuresOn } from '@ffma/core';

/** A part of the article whose figures stand beside ours. */
export const article = (table: string) => ({
  title: '“Beyond Kernel 7: Closing the Gap to cuBLAS on an H100 FP32 GEMM”',
  table,
});

/** Figures of the article: one NVIDIA H100 80GB HBM3, FP32, TF32 off. */
export const h100 = figuresOn('H100');

/** Such a time is taken while counters are read, so it stands beside others of its kind only. */
export const REPLAY = 'Nsight Compute replay time';

/** The square sizes that the article measured. */
export const squares = [1024, 2048, 4096] as const;

/** What everything is measured against. */
export const cublas = { name: 'cuBLAS', kernel: { role: 'reference' } } as const;
