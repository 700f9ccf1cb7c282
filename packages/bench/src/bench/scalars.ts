import { gemmProblem } from '@ffma/core';
import type { RunBenchOptions } from './options.js';

/** What A·B is multiplied by, and what is added of C. */
export interface Scalars {
  readonly alpha: number;
  readonly beta: number;
}

/** As kernels take them: rounded to float32. @throws ArgumentError */
export function scalarsOf({ alpha, beta }: Pick<RunBenchOptions, 'alpha' | 'beta'>): Scalars {
  const shape = { m: 1, n: 1, k: 1, alpha: alpha ?? 1, beta: beta ?? 0 };
  const problem = gemmProblem(shape);
  return { alpha: problem.alpha, beta: problem.beta };
}
