import { bitsOf, floatOf } from '../float/bits.js';

/** A finite float32 as integer × 2^exponent. */
function parts(value: number): { significand: bigint; exponent: number } {
  const bits = bitsOf(value);
  const biased = (bits >>> 23) & 0xff;
  const fraction = bits & 0x7fffff;
  const magnitude = BigInt(biased === 0 ? fraction : fraction | 0x800000);
  return { significand: bits >>> 31 === 1 ? -magnitude : magnitude, exponent: Math.max(biased, 1) - 150 };
}

function bitLength(value: bigint): number {
  return value === 0n ? 0 : value.toString(2).length;
}

/** fma of finite float32 values in whole numbers, rounded to nearest even once: slow, and plainly right. */
export function exactFma(x: number, y: number, z: number): number {
  const [a, b, c] = [parts(x), parts(y), parts(z)];
  const productExponent = a.exponent + b.exponent;
  const unit = Math.min(productExponent, c.exponent);
  const sum =
    ((a.significand * b.significand) << BigInt(productExponent - unit)) +
    (c.significand << BigInt(c.exponent - unit));
  if (sum === 0n) return x * y + z;
  const magnitude = sum < 0n ? -sum : sum;
  const lastPlace = Math.max(bitLength(magnitude) + unit - 24, -149);
  const drop = lastPlace - unit;
  let kept = drop > 0 ? magnitude >> BigInt(drop) : magnitude << BigInt(-drop);
  if (drop > 0) {
    const rest = magnitude - (kept << BigInt(drop));
    const half = 1n << BigInt(drop - 1);
    if (rest > half || (rest === half && (kept & 1n) === 1n)) kept += 1n;
  }
  // Both factors are exact in float64, and so is their product; only an overflow is left to the conversion.
  const value = Number(kept) * 2 ** lastPlace;
  return floatOf(bitsOf(sum < 0n ? -value : value));
}
