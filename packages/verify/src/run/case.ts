import { type GemmShape, gemmProblem } from '@ffma/core';
import type { DataSetName } from '../data/data-set.js';
import type { ProblemDataOptions } from '../data/problem-data.js';
import { type ReportedNumber, reported } from '../float/bits.js';

/** One problem to put before a kernel: a shape, its data, and where the data lies. */
export interface VerifyCase extends ProblemDataOptions {
  readonly shape: GemmShape;
  /** The rule that it proves, for people: `beta = 0 never reads C`. */
  readonly about?: string;
  /**
   * `run`: the declaration takes it, so that a refusal is a failure. `refusal`: the declaration excludes it, so that
   * running it is a failure. `either`: whatever the kernel says of itself. Default `either`.
   */
  readonly expect?: 'run' | 'refusal' | 'either';
}

const triple = (values: readonly (number | undefined)[]) => values.map((v) => v ?? 0).join(',');

/** Names a case by all that makes it: `33×17×65 integers α=2 β=-0.5 lda=70`. */
export function caseName(testCase: VerifyCase): string {
  const { shape, data, seed, offsets, guards, about, expect } = testCase;
  const { m, n, k, alpha = 1, beta = 0, lda, ldb, ldc } = shape;
  const parts = [`${m}×${n}×${k}`, data];
  if (alpha !== 1) parts.push(`α=${alpha}`);
  if (beta !== 0) parts.push(`β=${beta}`);
  for (const [name, value] of Object.entries({ lda, ldb, ldc }))
    if (value !== undefined) parts.push(`${name}=${value}`);
  if (offsets !== undefined) parts.push(`offset=${triple([offsets.a, offsets.b, offsets.c])}`);
  if (guards === 'none') parts.push('tight');
  if (seed !== undefined && seed !== 1) parts.push(`seed=${seed}`);
  if (expect === 'refusal') parts.push('refused');
  return about === undefined ? parts.join(' ') : `${parts.join(' ')} (${about})`;
}

/** A case with everything filled in, as reports hold it; JSON as it is. */
export interface CaseJson {
  readonly m: number;
  readonly n: number;
  readonly k: number;
  readonly alpha: ReportedNumber;
  readonly beta: ReportedNumber;
  readonly lda: number;
  readonly ldb: number;
  readonly ldc: number;
  readonly data: DataSetName;
  readonly seed: number;
  /** Elements from an aligned address to the first element. */
  readonly offsets: { readonly a: number; readonly b: number; readonly c: number };
  readonly guards: 'bands' | 'none';
}

export function caseJson({ shape, data, seed = 1, offsets = {}, guards = 'bands' }: VerifyCase): CaseJson {
  const { alignment: _, alpha, beta, ...extents } = gemmProblem(shape);
  return {
    ...extents,
    alpha: reported(alpha),
    beta: reported(beta),
    data,
    seed,
    offsets: { a: 0, b: 0, c: 0, ...offsets },
    guards,
  };
}
