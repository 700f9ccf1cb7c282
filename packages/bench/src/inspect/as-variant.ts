import type { Gemm, Variant } from '@ffma/core';

/** A Gemm as a kernel variant, where it is one of any copy of core; undefined for a library. */
export function asVariant(gemm: Gemm): Variant | undefined {
  const like = gemm as Partial<Variant>;
  return like.definition !== undefined && typeof like.plan === 'function' ? (gemm as Variant) : undefined;
}
