import { ArgumentError } from '@ffma/core';
import { type BoundInput, boundedError, share, u } from './bounded-error.js';
import { counted, type GateResult } from './gate.js';

/**
 * γ(n) = n·u / (1 − n·u): n roundings in a row are off by no more than this, relatively.
 * Source: N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., lemma 3.1.
 *
 * @throws ArgumentError where n·u reaches 1 and the bound says nothing
 */
export function gamma(n: number): number {
  if (!(n * u < 1)) throw new ArgumentError(`γ(n) is a bound for fewer than 2^24 roundings, but n is ${n}.`);
  return (n * u) / (1 - n * u);
}

export interface HardBoundInput extends BoundInput {
  /** Sums that an element's products were split into. Default 1, right for every order that adds products only. */
  readonly partialSums?: number;
  /** They were added in memory by atomics, which take subnormals for zero. Default false. */
  readonly atomicSums?: boolean;
}

/** Over this, a partial sum may or may not overflow, depending on its order. */
const OVERFLOWS = 2 ** 127;

/**
 * Gate 2: |C − Cref| ≤ γ(k+S+2)·(|α||A||B| + |β||C0|) + η for every element, true of every order of summation, fused
 * or not. A product passes through at most k roundings of products and sums and S−1 of partial sums, then through
 * one of α, one of β and one of the last sum; the place left over covers the float64 reference's own error.
 *
 * η is for results under 2^-126, whose error is absolute, at most 2^-150 a rounding: 2^-149 for each of the k
 * products (scaled by α), and 2·2^-149 for the epilogue's three roundings where it has any. An addition by a float
 * atomic in global memory takes subnormals for zero, both operands and the result: 3·2^-126 for each of S.
 *
 * Where the reference is NaN or infinite, the result must be the same. Where magnitudes add up to 2^127, order
 * decides whether a sum overflows: those elements are left out, and counted.
 */
export function hardBoundGate(input: HardBoundInput): GateResult {
  const { got, reference, k, alpha, beta, partialSums = 1, atomicSums = false } = input;
  const { values, magnitudes, products } = reference;
  const size = Math.abs(alpha);
  const roundings = k + partialSums + 2;
  const relative = gamma(roundings);
  const epilogue = alpha === 1 && beta === 0 ? 0 : 2;
  const flushed = atomicSums ? 3 * partialSums * 2 ** -126 : 0;
  const absolute = (size * k + epilogue) * 2 ** -149 + flushed;
  const scale = Math.max(1, size);
  let left = 0;
  const result = boundedError('hard-bound', input, `γ(${roundings}) of the sum of magnitudes`, (i) => {
    const want = values[i] as number;
    const value = got[i] as number;
    if (Number.isNaN(want)) return Number.isNaN(value) ? 0 : Number.POSITIVE_INFINITY;
    const product = (products[i] as number) * scale;
    const magnitude = magnitudes[i] as number;
    if (inOverflowRange(product) || inOverflowRange(magnitude)) {
      left++;
      return 0;
    }
    if (!Number.isFinite(want)) return value === want ? 0 : Number.POSITIVE_INFINITY;
    return share(value, want, relative * magnitude + absolute);
  });
  if (left === 0) return result;
  return {
    ...result,
    sentence: `${result.sentence} ${counted(left, 'element')} may overflow in some order and were left out.`,
  };
}

/** Infinite magnitudes come from infinite inputs, which every order carries to the end. */
function inOverflowRange(magnitude: number): boolean {
  return magnitude >= OVERFLOWS && Number.isFinite(magnitude);
}
