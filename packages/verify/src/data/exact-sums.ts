import { bitsOf } from '../float/bits.js';

/**
 * Value of the lowest bit set in a float32: 1 for 3, 0.5 for 2.5, 4 for 12. Every product of it with an integer is
 * a multiple of this. Infinity for 0, which sets no bit; 0 for what is not finite.
 */
export function lastBit(value: number): number {
  if (value === 0) return Number.POSITIVE_INFINITY;
  if (!Number.isFinite(value)) return 0;
  const bits = bitsOf(value);
  const biased = (bits >>> 23) & 0xff;
  const significand = (bits & 0x7fffff) | (biased === 0 ? 0 : 0x800000);
  return (significand & -significand) * 2 ** (Math.max(biased, 1) - 150);
}

/**
 * Whether integers A, B and C0 give the same bits in every order of summation: all partial results are multiples
 * of the scalars' last bit, so they are exact in float32 up to 2^24 of it.
 *
 * @param largest the largest |α|·Σ|a||b| + |β||c| of all elements
 */
export function sumsAreExact(largest: number, alpha: number, beta: number): boolean {
  const unit = Math.min(lastBit(alpha), lastBit(beta));
  return largest <= 2 ** 24 * unit;
}
