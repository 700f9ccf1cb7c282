/** Ranks from 1 on, the smallest first; equal values share the mean of theirs. */
function ranks(values: readonly number[]): readonly number[] {
  return values.map((value) => {
    const below = values.filter((other) => other < value).length;
    const equal = values.filter((other) => other === value).length;
    return below + (equal + 1) / 2;
  });
}

/**
 * Spearman's rank correlation of two lists of as many values: 1 where both have the same order, -1 where one has the
 * reverse of the other's. NaN where either has no order: fewer than two values, or all equal.
 */
export function rankCorrelation(one: readonly number[], other: readonly number[]): number {
  const [x, y] = [ranks(one), ranks(other)];
  const mean = (x.length + 1) / 2;
  const product = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, value, i) => sum + (value - mean) * ((b[i] as number) - mean), 0);
  return product(x, y) / Math.sqrt(product(x, x) * product(y, y));
}
