import { ArgumentError, type GemmProblem, type GemmShape, gemmProblem } from '@ffma/core';
import { type DataSet, type DataSetName, dataSets } from './data-set.js';
import { type LayoutOptions, MatrixImage, matrixLayout } from './matrix-image.js';
import { Random } from './random.js';

export interface ProblemDataOptions {
  readonly data: DataSetName;
  /** Default 1. The same seed gives the same bits on every machine. */
  readonly seed?: number;
  /** Elements between an aligned address and the first element, by matrix. Default 0. */
  readonly offsets?: { readonly a?: number; readonly b?: number; readonly c?: number };
  readonly guards?: LayoutOptions['guards'];
}

/** A problem with what the device is given: images of its three buffers. */
export interface ProblemData {
  readonly problem: GemmProblem;
  readonly kind: DataSet['kind'];
  readonly a: MatrixImage;
  readonly b: MatrixImage;
  /** C before the product; NaN poison where beta is 0, since nothing may read it. */
  readonly c: MatrixImage;
}

/** Fills a problem from a named data set. @throws ArgumentError for a bad shape, or where the set cannot serve it */
export function makeProblemData(shape: GemmShape, options: ProblemDataOptions): ProblemData {
  const problem = gemmProblem(shape);
  const { m, n, k, lda, ldb, ldc, beta } = problem;
  const { offsets = {}, guards = 'bands' } = options;
  const layout = (offset: number | undefined): LayoutOptions => ({ guards, offset: offset ?? 0 });
  const { kind, source } = sourceOf(problem, options);
  const a = MatrixImage.make(matrixLayout('a', m, k, lda, layout(offsets.a)), source.a);
  const b = MatrixImage.make(matrixLayout('b', k, n, ldb, layout(offsets.b)), source.b);
  const c = MatrixImage.make(matrixLayout('c', m, n, ldc, layout(offsets.c)), source.c);
  return { problem, kind, a, b, c: beta === 0 ? c.filled('poison') : c };
}

function sourceOf(problem: GemmProblem, { data, seed = 1 }: ProblemDataOptions) {
  const set: DataSet | undefined = dataSets[data];
  if (set === undefined) {
    throw new ArgumentError(`There is no data set '${data}'; there are ${Object.keys(dataSets).join(', ')}.`);
  }
  if (!Number.isSafeInteger(seed)) throw new ArgumentError(`A seed must be an integer, but is ${seed}.`);
  return { kind: set.kind, source: set.source(problem, new Random(seed)) };
}

/** Checks what {@link makeProblemData} would, without making anything. @throws ArgumentError */
export function checkProblemData(shape: GemmShape, options: ProblemDataOptions): void {
  sourceOf(gemmProblem(shape), options);
}
