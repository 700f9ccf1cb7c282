import type { BoundOperand, BoundProblem } from '@ffma/core';
import { type MathMode, mathMode, type NativeCall, type NativeCublas } from '../addon/binding.js';

const addressOf = ({ buffer, byteOffset }: BoundOperand) => buffer.address + BigInt(byteOffset);

/**
 * The one library call that a problem becomes; undefined where there is nothing to do.
 *
 * BLAS wants C = beta·C where k or alpha is 0, with A and B unread and C unread where beta is 0 as well. cublasSgemm
 * says so of C only, so those problems are scalings: of a matrix in place, which cublasSgeam documents.
 */
export function nativeCall(
  library: NativeCublas,
  { problem, operands }: BoundProblem,
  mode: MathMode,
): NativeCall | undefined {
  const { m, n, k, alpha, beta, lda, ldb, ldc } = problem;
  if (m === 0 || n === 0) return undefined;
  const math = mathMode[mode];
  const c = addressOf(operands.c);
  if (k === 0 || alpha === 0) {
    return beta === 1 ? undefined : library.prepareScale({ math, m, n, beta, c, ldc });
  }
  const [a, b] = [addressOf(operands.a), addressOf(operands.b)];
  return library.prepareSgemm({ math, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc });
}
