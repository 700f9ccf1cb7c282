import type { GemmProblem } from '@ffma/core';
import { canaryData } from './canary-data.js';
import { integerData } from './integer-data.js';
import type { Random } from './random.js';
import { specialData } from './special-data.js';

/** Elements of the three matrices; each is called once an element, in row-major order, A first, then B, then C. */
export interface DataSource {
  readonly a: (row: number, col: number) => number;
  readonly b: (row: number, col: number) => number;
  readonly c: (row: number, col: number) => number;
}

/** A named way to fill a problem. */
export interface DataSet {
  /** One sentence for people. */
  readonly about: string;
  /** `random`: judged by the quality gate too. `integers`: exact if the sums are small enough. */
  readonly kind: 'random' | 'integers' | 'special';
  /** @throws ArgumentError where the set cannot serve the problem */
  readonly source: (problem: GemmProblem, random: Random) => DataSource;
}

const filledBy = (next: () => number): DataSource => ({ a: next, b: next, c: next });

export const dataSets = {
  integers: {
    about: 'integers, as large as keeps every sum exact in float32',
    kind: 'integers',
    source: integerData,
  },
  canary: {
    about:
      'odd integers of 12 bits in A, −1, 0 and 1 in B: exact in float32, wrong where TF32 rounds A to 11 bits',
    kind: 'integers',
    source: canaryData,
  },
  uniform: {
    about: 'uniform in [−1, 1)',
    kind: 'random',
    source: (_, random) => filledBy(() => random.uniform()),
  },
  normal: {
    about: 'normal, mean 0, variance 1',
    kind: 'random',
    source: (_, random) => filledBy(() => random.normal()),
  },
  special: {
    about: 'rows and columns with NaN, infinities, signed zeros, subnormals and overflow among ordinary ones',
    kind: 'special',
    source: specialData,
  },
  unread: {
    about: 'NaN all over A and B, for problems that must not read them; uniform C',
    kind: 'special',
    source: (_, random) => ({ a: () => Number.NaN, b: () => Number.NaN, c: () => random.uniform() }),
  },
} as const satisfies Record<string, DataSet>;

export type DataSetName = keyof typeof dataSets;
