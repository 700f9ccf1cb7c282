import { CublasGemm } from './gemm/cublas-gemm.js';

export { type DoctorSection, doctor } from './doctor.js';
export { CublasGemm } from './gemm/cublas-gemm.js';
export { LoadedCublas } from './gemm/loaded-cublas.js';
export { PreparedCublas } from './gemm/prepared-cublas.js';
export { type CublasReport, findCublas } from './library/find-cublas.js';
export { describeOverride, type MathOverride, mathOverrides } from './math-overrides.js';

/** cuBLAS with the math mode that it starts with: FP32, without TF32. */
export const cublas = new CublasGemm(
  'cublas',
  'cublasSgemm of NVIDIA cuBLAS in default math: FP32, no TF32.',
  'default',
);

/** cuBLAS held to the prescribed precision and standardised arithmetic in every phase. */
export const cublasPedantic = new CublasGemm(
  'cublas_pedantic',
  'cublasSgemm of NVIDIA cuBLAS in pedantic math: standardised FP32 arithmetic in every phase.',
  'pedantic',
);

/** What `ffma` finds in this package. */
export const kernels: readonly CublasGemm[] = [cublas, cublasPedantic];
