import { asChange, type MeasuredSize } from '@ffma/core';

/** Names of rows: without either of two changes, with one, with the other, with both. */
export type TwoByTwo = Readonly<Record<'base' | 'one' | 'other' | 'both', string>>;

/**
 * Whether two changes together gain more than each alone, one after the other: factors of time multiply where changes do
 * not help each other. No sentence where nothing was measured.
 */
export function togetherSentence(
  measured: readonly MeasuredSize[],
  { base, one, other, both }: TwoByTwo,
  what: string,
): readonly string[] {
  const parts = measured.map((at) => {
    const factor = (row: string) => 1 + at.change(row, base);
    const expected = factor(one) * factor(other) - 1;
    const together = at.change(both, base);
    const word = together < expected ? 'more than apart' : 'no more than apart';
    return `${word} at ${at.label} (${asChange(together)}; ${asChange(expected)} if neither helped the other)`;
  });
  return parts.length === 0 ? [] : [`${what}: ${parts.join(', ')}.`];
}
