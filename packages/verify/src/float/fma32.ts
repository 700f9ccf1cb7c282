const f64 = new Float64Array(1);
const words = new Uint32Array(f64.buffer);

/** Index in `words` of the low half of `f64[0]`. */
const LOW = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1 ? 0 : 1;
const HIGH = 1 - LOW;

/** Least normal float32. Below it float32 has fewer bits, so the place where ties lie moves. */
const MIN_NORMAL = 2 ** -126;

/**
 * x·y + z rounded once, for a float32 `x·y` that is exact in float64 and a float32 `z`: the sum is first rounded
 * to odd (its last bit then remembers that it was inexact), after which rounding to any two bits fewer is right.
 *
 * Source: S. Boldo and G. Melquiond, Emulation of a FMA and correctly rounded sums: proved algorithms using
 * rounding to odd, IEEE Transactions on Computers 57(4), 2008.
 */
function roundOnce(product: number, z: number): number {
  const sum = product + z;
  if (!Number.isFinite(sum)) return sum;
  const virtual = sum - product;
  const error = product - (sum - virtual) + (z - virtual);
  if (error === 0) return Math.fround(sum);
  f64[0] = sum;
  const low = words[LOW] as number;
  if ((low & 1) === 0) {
    if (error > 0 === sum > 0) {
      words[LOW] = low | 1;
    } else {
      words[LOW] = low - 1;
      if (low === 0) words[HIGH] = (words[HIGH] as number) - 1;
    }
  }
  return Math.fround(f64[0] as number);
}

/**
 * fma(x, y, z) of three float32 values, rounded to float32 once, as IEEE 754 and the GPU's FFMA do it.
 * Subnormals are kept.
 */
export function fma32(x: number, y: number, z: number): number {
  const product = x * y;
  const sum = product + z;
  f64[0] = sum;
  const tie = ((words[LOW] as number) & 0x1fffffff) === 0x10000000;
  const safe = sum >= MIN_NORMAL || sum <= -MIN_NORMAL || sum === 0;
  return safe && !tie ? Math.fround(sum) : roundOnce(product, z);
}

/**
 * For every column j: acc[j] = fma(x, row[start + j], acc[j]): one step of k for one row of C, the same arithmetic
 * as {@link fma32}, written out because this loop is where a reference spends its time.
 */
export function fmaRow(acc: Float32Array, x: number, row: Float32Array, start: number): void {
  for (let j = 0; j < acc.length; j++) {
    const product = x * (row[start + j] as number);
    const z = acc[j] as number;
    const sum = product + z;
    f64[0] = sum;
    const tie = ((words[LOW] as number) & 0x1fffffff) === 0x10000000;
    const safe = sum >= MIN_NORMAL || sum <= -MIN_NORMAL || sum === 0;
    acc[j] = safe && !tie ? sum : roundOnce(product, z);
  }
}
