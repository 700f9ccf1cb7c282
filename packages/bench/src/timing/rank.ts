import type { MathMode } from '@ffma/core';
import type { Entrant } from './entrant.js';
import type { Peak } from './peak.js';
import { tflopsOf } from './peak.js';
import { median, pairedRatio } from './statistics.js';

const mediansOf = ({ us }: Entrant) => us.map(median);

/** Pedantic or not, float32 is float32; products of rounded inputs are another thing. */
const precisionOf = (mode: MathMode) => (mode === 'tf32' ? 'tf32' : 'fp32');

const samePrecision = (x: Entrant, y: Entrant) => precisionOf(x.mathMode) === precisionOf(y.mathMode);

const fastestOf = (us: readonly (readonly number[])[]) =>
  Math.min(...us.map((launches) => Math.min(...launches)));

const overPeak = (us: readonly (readonly number[])[], flops: number, peak: Peak) =>
  tflopsOf(flops, fastestOf(us)) > peak.tflops;

/**
 * Whether {@link rank} would set an entrant beside the reference, by its times so far.
 * @param us times of its launches in each round, in µs
 */
export function canRank(
  entrant: Entrant,
  us: readonly (readonly number[])[],
  rules: { flops: number; peak: Peak | undefined; reference: Entrant | undefined },
): boolean {
  const { flops, peak, reference } = rules;
  if (peak !== undefined && overPeak(us, flops, peak)) return false;
  return reference === undefined || samePrecision(entrant, reference);
}

/** A figure over the physical peak is an error of measurement, whatever it says; its times are dropped. */
function refuseImpossible(entrant: Entrant, flops: number, peak: Peak): void {
  if (!overPeak(entrant.us, flops, peak)) return;
  const fastest = fastestOf(entrant.us);
  const tflops = tflopsOf(flops, fastest);
  const { smCount, lanesPerSm, clockMHz } = peak;
  entrant.us = [];
  entrant.unranked =
    `A launch of ${fastest.toPrecision(4)} µs is ${tflops.toPrecision(3)} TFLOP/s, over the FP32 peak of ` +
    `${peak.tflops.toPrecision(3)} (${smCount} SMs × ${lanesPerSm} lanes × 2 × ${clockMHz} MHz): ` +
    'it did less work than it is counted for, or its clock is wrong.';
}

/**
 * Sets each entrant beside the reference, round by round. Not set beside it: what is faster than the device can be,
 * and what computes in another math mode.
 */
export function rank(
  entrants: readonly Entrant[],
  reference: Entrant | undefined,
  flops: number,
  peak: Peak | undefined,
): void {
  if (peak !== undefined) for (const entrant of entrants) refuseImpossible(entrant, flops, peak);
  if (reference === undefined || reference.us.length === 0) return;
  for (const entrant of entrants) {
    if (entrant === reference || entrant.us.length === 0) continue;
    if (samePrecision(entrant, reference)) {
      entrant.ratio = pairedRatio(mediansOf(reference), mediansOf(entrant));
    } else {
      entrant.unranked =
        `It computes in math mode ${entrant.mathMode}, but the reference ${reference.id} in ` +
        `${reference.mathMode}; figures of unequal modes are not set side by side.`;
    }
  }
}
