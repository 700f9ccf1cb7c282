import type { Gemm, GemmShape } from '@ffma/core';
import { caseName, type VerifyCase } from '../run/case.js';
import { type Level, type PlannedCase, plannedCases, tileCases } from './case-plan.js';
import { type Declared, declaredBy, roundUp } from './declared.js';

export interface ConformanceOptions {
  /** `quick`: one case a rule, in a moment; `full`: everything. Default `full`. */
  readonly level?: Level;
}

/**
 * The cases that a kernel has to pass, from what it declares: sizes are rounded up to the multiples it needs, leading
 * dimensions and offsets to its alignment, and what it excludes it must refuse.
 */
export function conformanceCases(gemm: Gemm, options: ConformanceOptions = {}): VerifyCase[] {
  const { level = 'full' } = options;
  const declared = declaredBy(gemm);
  const all = [...plannedCases, ...(declared.tile === undefined ? [] : tileCases(declared.tile))];
  const wanted = all.filter((planned) => level === 'full' || planned.level === 'quick');
  const cases = [...wanted.map((planned) => fitted(planned, declared)), ...refusals(declared)];
  return [...new Map(cases.map((testCase) => [caseName(testCase), testCase])).values()];
}

/** Rounding up makes some cases the same; the map above keeps one of each. */
function fitted(planned: PlannedCase, { multiples, step }: Declared): VerifyCase {
  const { data, about, alpha, beta, pad = [0, 0, 0], offset, guards } = planned;
  const m = roundUp(planned.size[0], multiples.m);
  const n = roundUp(planned.size[1], multiples.n);
  const k = roundUp(planned.size[2], multiples.k);
  const leading = (name: 'lda' | 'ldb' | 'ldc', cols: number, more: number) => {
    const ld = roundUp(Math.max(1, cols) + more, step);
    return ld === Math.max(1, cols) ? {} : { [name]: ld };
  };
  const shape: GemmShape = {
    m,
    n,
    k,
    ...(alpha === undefined ? {} : { alpha }),
    ...(beta === undefined ? {} : { beta }),
    ...leading('lda', k, pad[0]),
    ...leading('ldb', n, pad[1]),
    ...leading('ldc', n, pad[2]),
  };
  return {
    shape,
    data,
    expect: 'run',
    ...(about === undefined ? {} : { about }),
    ...(offset === undefined
      ? {}
      : { offsets: { a: offset[0] * step, b: offset[1] * step, c: offset[2] * step } }),
    ...(guards === undefined ? {} : { guards }),
  };
}

/** Problems that differ from one that is taken by the one thing that a declaration excludes. */
function refusals({ multiples, step }: Declared): VerifyCase[] {
  const taken = {
    m: roundUp(2, multiples.m),
    n: roundUp(2, multiples.n),
    k: roundUp(2, multiples.k),
  };
  const ld = {
    lda: roundUp(taken.k + 1, step),
    ldb: roundUp(taken.n + 1, step),
    ldc: roundUp(taken.n + 1, step),
  };
  const refuse = (shape: GemmShape, about: string, rest: Partial<VerifyCase> = {}): VerifyCase => ({
    shape,
    data: 'integers',
    expect: 'refusal',
    about,
    ...rest,
  });
  const cases: VerifyCase[] = [];
  for (const name of ['m', 'n', 'k'] as const) {
    const multiple = multiples[name];
    if (multiple > 1) {
      cases.push(
        refuse({ ...taken, ...ld, [name]: taken[name] + 1 }, `${name} is not a multiple of ${multiple}`),
      );
    }
  }
  if (step === 1) return cases;
  for (const name of ['a', 'b', 'c'] as const) {
    cases.push(
      refuse({ ...taken, ...ld }, `${name.toUpperCase()} is not aligned`, { offsets: { [name]: 1 } }),
      refuse({ ...taken, ...ld, [`ld${name}`]: ld[`ld${name}`] + 1 }, `ld${name} is not aligned`),
    );
  }
  return cases;
}
