import { readFileSync } from 'node:fs';
import type { DefinedKernel, FastestAt, GemmShape, Variant } from '@ffma/core';
import { expect, test } from 'vitest';

interface Row {
  readonly id: string;
  readonly package: { readonly name: string };
  readonly problem: { readonly m: number; readonly n: number; readonly k: number };
  readonly specialised?: boolean;
  readonly times?: { readonly medianUs: number };
}

/** What a package says of its fastest variants. */
export interface SaidFastest {
  readonly package: string;
  readonly kernels: readonly DefinedKernel[];
  readonly fastest: readonly FastestAt[];
  fastestFor(shape: GemmShape): Variant;
}

/** Registers tests that hold what a package calls its fastest to the committed result, and to what it ships. */
export function fastestIsMeasured({ package: name, kernels, fastest, fastestFor }: SaidFastest): void {
  const { rows } = JSON.parse(
    readFileSync(new URL('../../results/h200-confirm.json', import.meta.url), 'utf8'),
  ) as { readonly rows: readonly Row[] };
  const own = rows.filter((row) => row.package.name === name && row.specialised !== true);

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
}
