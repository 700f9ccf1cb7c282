import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fastest, fastestFor } from './fastest.js';
import { kernels } from './index.js';

interface Row {
  readonly id: string;
  readonly package: { readonly name: string };
  readonly problem: { readonly m: number; readonly n: number; readonly k: number };
  readonly specialised?: boolean;
  readonly times?: { readonly medianUs: number };
}

const { rows } = JSON.parse(
  readFileSync(new URL('../../../results/h200-confirm.json', import.meta.url), 'utf8'),
) as { readonly rows: readonly Row[] };
const own = rows.filter((row) => row.package.name === '@ffma/streamk' && row.specialised !== true);

test('the table has what was the fastest of this package in the committed result, at every size there', () => {
  const sizes = [...new Set(own.map(({ problem }) => problem.n))];
  const winners = sizes.map((size) => {
    const timed = own.filter(({ problem, times }) => problem.n === size && times !== undefined);
    const [first] = timed.sort((x, y) => Number(x.times?.medianUs) - Number(y.times?.medianUs));
    return { size, id: first?.id };
  });
  expect(winners.length).toBeGreaterThan(3);
  expect(fastest.map(({ size, variant }) => ({ size, id: variant.id }))).toEqual(winners);
});

test('what is the fastest somewhere ships', () => {
  const shipped = kernels.flatMap((kernel) => kernel.shipped.map(({ id }) => id));
  for (const { variant, size } of fastest) {
    expect(shipped).toContain(variant.id);
    expect(fastestFor({ m: size, n: size, k: size })).toBe(variant);
  }
});

test('a product that no tile divides is refused, with the reason', () => {
  expect(() => fastestFor({ m: 100, n: 128, k: 64 })).toThrow(
    /No kernel here takes 100×128×64; k14_64x128x8_s2, for one: m must be a multiple of 64/,
  );
});
