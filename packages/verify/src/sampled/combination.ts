import { lastBit, sumsAreExact } from '../data/exact-sums.js';
import type { MatrixImage } from '../data/matrix-image.js';
import type { ProblemData } from '../data/problem-data.js';
import { Random } from '../data/random.js';

/** A row's sum of C's elements times one factor a column, as it has to come out. */
export interface Combination {
  /** Factor of each column of C; never 0, so that no element can hide. */
  readonly factors: Float64Array;
  /** What each row has to sum up to. */
  readonly sums: Float64Array;
  /** How far a row's sum may be off; 0 where all of it is exact. */
  readonly tolerances: Float64Array;
  readonly exact: boolean;
}

function eachRow(
  { layout: { rows, cols, ld, start }, values }: MatrixImage,
  visit: (row: Float32Array, i: number) => void,
) {
  for (let i = 0; i < rows; i++) visit(values.subarray(start + i * ld, start + i * ld + cols), i);
}

function dot(row: Float32Array, x: Float64Array): number {
  let sum = 0;
  for (let j = 0; j < row.length; j++) sum += (row[j] as number) * (x[j] as number);
  return sum;
}

function times(matrix: MatrixImage, x: Float64Array): Float64Array {
  const out = new Float64Array(matrix.layout.rows);
  eachRow(matrix, (row, i) => {
    out[i] = dot(row, x);
  });
  return out;
}

function rowNorms(matrix: MatrixImage): Float64Array {
  const out = new Float64Array(matrix.layout.rows);
  eachRow(matrix, (row, i) => {
    let sum = 0;
    for (let j = 0; j < row.length; j++) sum += (row[j] as number) ** 2;
    out[i] = Math.sqrt(sum);
  });
  return out;
}

function largest(matrix: MatrixImage): number {
  let most = 0;
  eachRow(matrix, (row) => {
    for (let j = 0; j < row.length; j++) most = Math.max(most, Math.abs(row[j] as number));
  });
  return most;
}

/** Whether every sum of integer data is exact, and how large a factor may be so that its combinations are, too. */
function exactFactor({ problem, kind, a, b, c }: ProblemData): number {
  const { n, k, alpha, beta } = problem;
  const addend = beta === 0 ? 0 : Math.abs(beta) * largest(c);
  const bound = Math.abs(alpha) * k * largest(a) * largest(b) + addend;
  if (kind !== 'integers' || !sumsAreExact(bound, alpha, beta)) return 0;
  const unit = Math.min(lastBit(alpha), lastBit(beta));
  const room = 2 ** 53 / Math.max(1, (n * bound) / unit);
  return Math.floor(Math.min(room, 2 ** 20));
}

/**
 * What a random combination of C's columns has to be: C·x = α·A·(B·x) + β·C0·x, in m·n + n·k + m·k steps instead of
 * m·n·k. With integers all of it is exact in float64, so that one wrong element always shows, and several hide one
 * another with a chance under 1 in the largest factor. Random data leaves what errors that are independent of one
 * another add up to: 4·√k·u·|α|·‖row of A‖·‖B‖, and the same of β·C0.
 *
 * Source: R. Freivalds, Probabilistic machines can use less running time, IFIP Congress 1977.
 */
export function combinationOf(data: ProblemData, seed = 1): Combination {
  const { problem, a, b, c } = data;
  const { n, k, alpha, beta } = problem;
  const random = new Random(seed);
  const most = exactFactor(data);
  const factors = Float64Array.from({ length: n }, () => {
    const sign = random.below(2) === 0 ? -1 : 1;
    return sign * (most >= 1 ? random.integer(1, most) : 1);
  });
  const products = times(a, times(b, factors));
  const addends = beta === 0 ? undefined : times(c, factors);
  const sums = products.map(
    (sum, i) => alpha * sum + (addends === undefined ? 0 : beta * (addends[i] as number)),
  );
  if (most >= 1) return { factors, sums, tolerances: new Float64Array(sums.length), exact: true };
  const normB = Math.sqrt(rowNorms(b).reduce((sum, norm) => sum + norm ** 2, 0));
  const normsC = beta === 0 ? undefined : rowNorms(c);
  const tolerances = rowNorms(a).map((norm, i) => {
    const magnitude = Math.abs(alpha) * norm * normB + Math.abs(beta) * (normsC?.[i] ?? 0);
    return 4 * Math.sqrt(Math.max(1, k)) * 2 ** -24 * magnitude;
  });
  return { factors, sums, tolerances, exact: false };
}

/** C·x of a computed C. @param c the whole buffer */
export function combined(c: MatrixImage, factors: Float64Array): Float64Array {
  return times(c, factors);
}
