import { f32, f32Bits } from './scalar-values.js';

/** A finite float32 as integer × 2^exponent. */
function parts(value: number): { significand: bigint; exponent: number } {
  const bits = f32Bits(value);
  const biased = Number((bits >> 23n) & 0xffn);
  const fraction = bits & 0x7fffffn;
  const magnitude = biased === 0 ? fraction : fraction | 0x800000n;
  return { significand: bits >> 31n ? -magnitude : magnitude, exponent: Math.max(biased, 1) - 150 };
}

/** Rounds magnitude · 2^unit to a float32, ties to even, in whole numbers. */
function rounded(magnitude: bigint, unit: number): number {
  const length = magnitude.toString(2).length;
  const lastPlace = Math.max(length + unit - 24, -149);
  const drop = BigInt(lastPlace - unit);
  if (drop <= 0n) return f32(f32Bits(Number(magnitude) * 2 ** unit));
  let kept = magnitude >> drop;
  const rest = magnitude - (kept << drop);
  const half = 1n << (drop - 1n);
  if (rest > half || (rest === half && kept & 1n)) kept += 1n;
  // At most 2^24 times a power of two: exact here; past the largest float32 it becomes infinite below.
  return f32(f32Bits(Number(kept) * 2 ** lastPlace));
}

/** a·b + c of float32 values, rounded once to float32: in whole numbers, slow, and plainly right. */
export function exactFma(a: number, b: number, c: number): number {
  // Not finite, or a zero product: float64 arithmetic is exact, and its rule for the sign of a zero is the same.
  if (![a, b, c].every(Number.isFinite) || a * b === 0) return Math.fround(a * b + c);
  const [x, y, z] = [parts(a), parts(b), parts(c)];
  const unit = Math.min(x.exponent + y.exponent, z.exponent);
  const sum =
    ((x.significand * y.significand) << BigInt(x.exponent + y.exponent - unit)) +
    (z.significand << BigInt(z.exponent - unit));
  // Opposite values cancel to +0 when rounding to nearest.
  if (sum === 0n) return c === 0 ? a * b + c : 0;
  return sum < 0n ? -rounded(-sum, unit) : rounded(sum, unit);
}
