import type { Gemm, Needs, Params } from '@ffma/core';

/** What a declaration says that shapes cases; a kernel without one, such as a library, takes everything. */
export interface Declared {
  /** m, n and k must be multiples of these. */
  readonly multiples: { readonly m: number; readonly n: number; readonly k: number };
  /** Elements that rows must be aligned to: 1, or 4 for 16 bytes. */
  readonly step: number;
  /** Has m, n and k compiled in, so that each further size is a compilation. */
  readonly sized: boolean;
  /** Block tile, by its usual parameters BM, BN and BK, where the kernel has all three. */
  readonly tile: { readonly m: number; readonly n: number; readonly k: number } | undefined;
}

/** Reads what a kernel declares about the problems that it takes. */
export function declaredBy(gemm: Gemm & { readonly needs?: Needs; readonly params?: Params }): Declared {
  const { multiples = {}, alignment = 4 } = gemm.needs ?? {};
  const { BM, BN, BK } = gemm.params ?? {};
  return {
    multiples: { m: multiples.m ?? 1, n: multiples.n ?? 1, k: multiples.k ?? 1 },
    step: Math.max(1, Math.ceil(alignment / 4)),
    sized: gemm.open === true,
    tile:
      typeof BM === 'number' && typeof BN === 'number' && typeof BK === 'number'
        ? { m: BM, n: BN, k: BK }
        : undefined,
  };
}

export function roundUp(value: number, multiple: number): number {
  return Math.ceil(value / multiple) * multiple;
}
