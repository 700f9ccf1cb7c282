import type { Gemm } from '@ffma/core';
import { conformanceCases, type VerifyCase } from '@ffma/verify';

/** Multiplications of a case that is worth its time here. */
const MOST_WORK = 150_000;

/** The kernel's full conformance, without its longest cases; the one that shows TF32 stays. */
export function cases(gemm: Gemm): VerifyCase[] {
  return conformanceCases(gemm).filter(
    ({ data, shape: { m, n, k } }) => data === 'canary' || m * n * k <= MOST_WORK,
  );
}
