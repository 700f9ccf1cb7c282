import type { Dim3 } from '../device/limits.js';
import type { TensorMapOptions } from '../device/tensor-map.js';
import type { GemmProblem } from './problem.js';

/** A matrix of an operand, or a part of it, with the tiles that are copied: see {@link TensorMapOptions}. */
export interface PlannedTiles extends Omit<TensorMapOptions, 'buffer'> {
  readonly operand: 'a' | 'b' | 'c';
}

/** What a launch passes to a kernel: an operand, a scratch buffer by name or a tensor map of an operand, or a number. */
export type PlanArg =
  | { readonly type: 'operand'; readonly operand: 'a' | 'b' | 'c' }
  | { readonly type: 'tensorMap'; readonly tiles: PlannedTiles }
  | { readonly type: 'scratch'; readonly scratch: string }
  | { readonly type: 'i32' | 'f32'; readonly value: number }
  | { readonly type: 'i64'; readonly value: bigint | number };

/** One launch of a plan. */
export interface PlannedLaunch {
  /** Which entry point of the kernel's source; `'main'` unless it has several. */
  readonly entry: string;
  readonly grid: Dim3;
  readonly block: Dim3;
  readonly cluster?: Dim3;
  /** Dynamic shared memory, in bytes. */
  readonly sharedBytes: number;
  readonly args: readonly PlanArg[];
}

/** Device memory that a plan needs beside the operands; contents are undefined at each enqueue. */
export interface ScratchBuffer {
  readonly name: string;
  readonly byteLength: number;
}

export interface Plan {
  /** In order, on one stream. */
  readonly launches: readonly PlannedLaunch[];
  readonly scratch?: readonly ScratchBuffer[];
}

/** Short forms for writing plans. */
export const arg = {
  a: { type: 'operand', operand: 'a' },
  b: { type: 'operand', operand: 'b' },
  c: { type: 'operand', operand: 'c' },
  scratch: (name: string): PlanArg => ({ type: 'scratch', scratch: name }),
  tiles: (tiles: PlannedTiles): PlanArg => ({ type: 'tensorMap', tiles }),
  i32: (value: number): PlanArg => ({ type: 'i32', value }),
  i64: (value: bigint | number): PlanArg => ({ type: 'i64', value }),
  f32: (value: number): PlanArg => ({ type: 'f32', value }),
} as const satisfies Record<string, PlanArg | ((value: never) => PlanArg)>;

/** Blocks needed to cover `extent` with tiles of `tile`. */
export function ceilDiv(extent: number, tile: number): number {
  return Math.floor((extent + tile - 1) / tile);
}

/** Arguments of the usual GEMM entry, in the order of `gemmSignature`. */
export function gemmArgs(problem: GemmProblem): readonly PlanArg[] {
  const { m, n, k, lda, ldb, ldc, alpha, beta } = problem;
  return [arg.a, arg.b, arg.c, ...[m, n, k, lda, ldb, ldc].map(arg.i32), arg.f32(alpha), arg.f32(beta)];
}
