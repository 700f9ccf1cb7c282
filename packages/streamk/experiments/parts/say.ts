import { asPercent, type ExperimentRow, type MeasuredSize, sameSize } from '@ffma/core';

/**
 * Where a row stands beside the speed that was published of it: `The article’s figures of generic: 95.1 % at 2048³ against
 * 93.9 % (reached), 94.0 % at 4096³ against 95.2 % (missed by 1.2 points).` No sentence where none was published or
 * measured.
 */
export function besidePublished(
  measured: readonly MeasuredSize[],
  { name, published = [] }: ExperimentRow,
): readonly string[] {
  const parts = measured.flatMap((at) => {
    const figure = published.find(({ unit, size }) => unit === '%' && sameSize(size, at.size));
    if (figure === undefined || !at.has(name)) return [];
    const share = at.ofReference(name);
    const missing = figure.value - share * 100;
    const verdict = missing <= 0 ? 'reached' : `missed by ${missing.toFixed(1)} points`;
    return [`${asPercent(share)} at ${at.label} against ${asPercent(figure.value / 100)} (${verdict})`];
  });
  return parts.length === 0 ? [] : [`The article’s figures of ${name}: ${parts.join(', ')}.`];
}

/** Steps that are not faster than the one before, by their names: `Not faster than the step before: k10 at 1024³.` */
export function stepsWithoutGain(
  measured: readonly MeasuredSize[],
  steps: readonly string[],
): readonly string[] {
  if (measured.length === 0) return [];
  const idle = measured.flatMap((at) => {
    const here = steps.filter((step) => at.has(step));
    return here
      .filter((step, i) => i > 0 && at.change(step, here[i - 1] as string) >= 0)
      .map((step) => `${step} at ${at.label}`);
  });
  return [`Not faster than the step before: ${idle.length === 0 ? 'none' : idle.join(', ')}.`];
}
