import type { ProblemData } from '../data/problem-data.js';

/** What error bounds are measured against; each array is m×n without padding. */
export interface DoubleReference {
  readonly m: number;
  readonly n: number;
  /** alpha·A·B + beta·C0, summed in float64: its own error is under k·2^-53 of `magnitudes`, 2^-29 of any bound. */
  readonly values: Float64Array;
  /** |alpha|·|A||B| + |beta|·|C0|: what rounding errors are proportional to. */
  readonly magnitudes: Float64Array;
  /** |A||B|: over float32's range, whether a partial sum overflows depends on the order. */
  readonly products: Float64Array;
  /** Largest of `magnitudes`; NaN if one is. */
  readonly largest: number;
}

/** The float64 reference. BLAS rules hold: alpha = 0 or k = 0 reads neither A nor B, beta = 0 does not read C. */
export function doubleReference({ problem, a, b, c }: ProblemData): DoubleReference {
  const { m, n, k, alpha, beta, lda, ldb, ldc } = problem;
  const values = new Float64Array(m * n);
  const products = new Float64Array(m * n);
  const magnitudes = new Float64Array(m * n);
  const reads = k !== 0 && alpha !== 0;
  let largest = 0;
  for (let row = 0; row < m; row++) {
    const sum = values.subarray(row * n, (row + 1) * n);
    const size = products.subarray(row * n, (row + 1) * n);
    const firstA = a.layout.start + row * lda;
    for (let p = 0; reads && p < k; p++) {
      addRow(sum, size, a.values[firstA + p] as number, b.values, b.layout.start + p * ldb);
    }
    const firstC = c.layout.start + row * ldc;
    for (let col = 0; col < n; col++) {
      const addend = beta === 0 ? 0 : beta * (c.values[firstC + col] as number);
      const product = reads ? alpha * (sum[col] as number) : 0;
      const magnitude = (reads ? Math.abs(alpha) * (size[col] as number) : 0) + Math.abs(addend);
      // Neither term may touch the other where only one exists: −0 + 0 would lose a sign.
      sum[col] = beta === 0 ? product : reads ? product + addend : addend;
      magnitudes[row * n + col] = magnitude;
      largest = Math.max(largest, magnitude);
    }
  }
  return { m, n, values, magnitudes, products, largest };
}

function addRow(sum: Float64Array, size: Float64Array, x: number, row: Float32Array, start: number): void {
  for (let j = 0; j < sum.length; j++) {
    const product = x * (row[start + j] as number);
    sum[j] = (sum[j] as number) + product;
    size[j] = (size[j] as number) + Math.abs(product);
  }
}
