import type { Exactness } from '@ffma/core';
import { sumsAreExact } from '../data/exact-sums.js';
import { MatrixImage } from '../data/matrix-image.js';
import type { ProblemData } from '../data/problem-data.js';
import { doubleReference } from '../reference/double.js';
import { kOrderReference } from '../reference/k-order.js';
import { remembered } from '../reference/remembered.js';
import { articleGate } from './article.js';
import type { GateResult } from './gate.js';
import { hardBoundGate } from './hard-bound.js';
import { memoryGate } from './memory.js';
import { qualityGate } from './quality.js';
import { exactGate, kOrderGate } from './same-values.js';
import { writtenGate } from './written.js';

/** The whole of the three buffers after a product, as 32-bit words. */
export interface Outcome {
  readonly a: Uint32Array;
  readonly b: Uint32Array;
  readonly c: Uint32Array;
}

export interface JudgeOptions {
  readonly exactness: Exactness;
  /** Sums that an element's products were split into. Default 1. */
  readonly partialSums?: number;
  /** They were added in memory by float atomics. Default false. */
  readonly atomicSums?: boolean;
  /** Where the problem is some rows of a larger one: which row of its C each is, for messages. */
  readonly rows?: readonly number[];
}

const double = remembered(doubleReference);
const kOrder = remembered(kOrderReference);

/**
 * Applies every gate that the data and the exactness class ask for. Where k or alpha is 0 there is one right result,
 * beta·C, so it has to be exact on any data. What C is compared with is computed once for the same `data`, which must
 * not change in between.
 *
 * @throws ArgumentError if k is 2^24 or more, where no bound holds
 */
export function judge(data: ProblemData, outcome: Outcome, options: JudgeOptions): GateResult[] {
  const { problem, kind } = data;
  const { m, n, k, alpha, beta } = problem;
  const { exactness, partialSums = 1, atomicSums = false, rows } = options;
  const got = new MatrixImage(data.c.layout, outcome.c).elements();
  const reference = double(data);
  const scaled = k === 0 || alpha === 0;
  const exact = scaled || (kind === 'integers' && sumsAreExact(reference.largest, alpha, beta));
  const input = { m, n, k, alpha, beta, got, rows, reference };
  const results: GateResult[] = [];
  if (exact) {
    results.push(
      exactGate({ m, n, got, rows, want: reference.values }, exactness === 'reordered' ? 'same' : 'distinct'),
    );
  }
  if (exactness === 'k-order') results.push(kOrderGate({ m, n, got, rows, want: kOrder(data) }));
  if (!scaled) results.push(hardBoundGate({ ...input, partialSums, atomicSums }));
  // A NaN scalar leaves no finite element, so that nothing has an error to measure.
  const finite = Number.isFinite(reference.largest);
  if (kind === 'random' && !scaled && finite) results.push(qualityGate(input));
  if (kind !== 'special' && finite) results.push(articleGate(input));
  if (beta === 0) results.push(writtenGate(data.c, outcome.c));
  results.push(
    memoryGate([
      { before: data.a, after: outcome.a, written: false },
      { before: data.b, after: outcome.b, written: false },
      { before: data.c, after: outcome.c, written: true },
    ]),
  );
  return results;
}
