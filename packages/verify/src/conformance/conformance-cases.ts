import type { Gemm, GemmShape } from '@ffma/core';
import { caseName, type VerifyCase } from '../run/case.js';
import { type Level, type PlannedCase, plannedCases, sizedCases, tileCases, wideCases } from './case-plan.js';
import { type Declared, declaredBy, roundUp } from './declared.js';

export interface ConformanceOptions {
  /** Default `full`. */
  readonly level?: Level;
}

/**
 * The cases that a kernel has to pass, from what it declares: sizes are rounded up to the multiples it needs, leading
 * dimensions and offsets to its alignment, and what it excludes it must refuse.
 */
export function conformanceCases(gemm: Gemm, options: ConformanceOptions = {}): VerifyCase[] {
  const { level = 'full' } = options;
  const declared = declaredBy(gemm);
  const levels: readonly Level[] = ['quick', 'full', 'wide'];
  const asked = levels.slice(0, levels.indexOf(level) + 1);
  const wanted = casesFor(declared, level).filter((planned) => asked.includes(planned.level));
  const cases = [...wanted.map((planned) => fitted(planned, declared)), ...refusals(declared)];
  return [...new Map(cases.map((testCase) => [caseName(testCase), testCase])).values()];
}

function casesFor(declared: Declared, level: Level): PlannedCase[] {
  const { sized, tile } = declared;
  if (!sized) return [...plannedCases, ...(tile === undefined ? [] : tileCases(tile)), ...wideCases];
  const near = nearTile(declared);
  // At every other size one case is enough: what it proves is that the sizes are compiled in rightly.
  const others = level === 'wide' ? [...tileCases(near), ...plannedCases, ...wideCases] : [];
  const bare = others.filter(({ size, data }) => Math.min(...size) > 0 && data === 'integers');
  return [...sizedCases(near), ...bare];
}

/** Multiply-adds of a case that rounding up may lead to; past them k is shortened, so that tests stay quick. */
const MOST_FMAS = 2 ** 24;

/** k, rounded up; less of it where m and n grew so that the case would take long, but never under eight multiples. */
function fittedK({ size, level }: PlannedCase, mn: number, multiple: number): number {
  const whole = roundUp(size[2], multiple);
  if (level === 'wide' || mn <= size[0] * size[1]) return whole;
  return Math.min(whole, Math.max(8 * multiple, Math.floor(MOST_FMAS / mn / multiple) * multiple));
}

/** The block tile, or what stands for one where none is declared. */
function nearTile({ tile, multiples }: Declared) {
  return tile ?? { m: 8 * multiples.m, n: 8 * multiples.n, k: 8 * multiples.k };
}

/** Rounding up makes some cases the same; the map above keeps one of each. */
function fitted(planned: PlannedCase, { multiples, step }: Declared): VerifyCase {
  const { data, about, alpha, beta, pad = [0, 0, 0], offset, guards } = planned;
  const m = roundUp(planned.size[0], multiples.m);
  const n = roundUp(planned.size[1], multiples.n);
  const k = fittedK(planned, m * n, multiples.k);
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
function refusals(declared: Declared): VerifyCase[] {
  const { multiples, step, sized } = declared;
  // Of sizes that other cases have compiled already.
  const near = sized ? nearTile(declared) : { m: 2, n: 2, k: 1 };
  const taken = {
    m: roundUp(near.m, multiples.m),
    n: roundUp(near.n, multiples.n),
    k: roundUp(2 * near.k, multiples.k),
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
  if (sized) {
    for (const name of ['m', 'n', 'k'] as const) {
      cases.push(refuse({ ...taken, ...ld, [name]: 0 }, `${name} = 0 cannot be compiled in`));
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
