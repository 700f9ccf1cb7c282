import { readFileSync } from 'node:fs';
import { gemmProblem } from '@ffma/core';
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
const own = rows.filter((row) => row.package.name === '@ffma/kernels-cudacore' && row.specialised !== true);

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

test('every product is taken, also where rows start anywhere', () => {
  const shapes = [
    { m: 1, n: 1, k: 1 },
    { m: 1000, n: 1000, k: 1000 },
    { m: 1024, n: 1024, k: 1024, lda: 1025 },
    { m: 192, n: 64, k: 16 },
    { m: 0, n: 5, k: 7 },
  ];
  for (const shape of shapes) expect(fastestFor(shape).refusal(gemmProblem(shape))).toBeUndefined();
  expect(shapes.map((shape) => fastestFor(shape).kernel)).toEqual(['k05', 'k05', 'k05', 'k06', 'k05']);
});
