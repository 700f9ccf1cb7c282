/** JSON with the fields of every object sorted: equal for equal values. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([x], [y]) => (x < y ? -1 : 1)))
      : one,
  );
}

/** Values without those that equal an earlier one, sorted by their canonical text. */
export function united<T>(values: readonly T[]): T[] {
  const all = new Map(values.map((value) => [canonical(value), value]));
  return [...all].sort(([x], [y]) => (x < y ? -1 : 1)).map(([, value]) => value);
}
