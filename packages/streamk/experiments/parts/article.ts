import { figuresOn } from '@ffma/core';

/** A part of the article whose figures stand beside ours. */
export const article = (table: string) => ({
  title: '“Beyond Kernel 7: Closing the Gap to cuBLAS on an H100 FP32 GEMM”',
  table,
});

/** Figures of the article: one NVIDIA H100 80GB HBM3, FP32, TF32 off. */
export const h100 = figuresOn('H100');

/** What everything is measured against. */
export const cublas = { name: 'cuBLAS', kernel: { role: 'reference' } } as const;

/** Where the kernels that k14 is derived from, and compared with, come from. */
export const LADDER = '@ffma/kernels-cudacore';
