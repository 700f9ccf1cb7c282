import { compileVariant, findToolchains } from '@ffma/core/compile';
import { kernels, study } from '@ffma/kernels-cudacore';
import { describe, expect, it } from 'vitest';

const compilers = (await findToolchains()).filter((status) => status.available);

it('has a compiler to test with', () => {
  expect(compilers.length).toBeGreaterThan(0);
});

// What a package does not ship is compiled for the newest architecture alone, as all of the study, much of which is alike;
// and of the study, compilers but the first compile the default variants.
const ofStudy = new Set(study.flatMap(({ variants }) => [...variants.values()].map(({ id }) => id)));
const defaults = new Set(kernels.map(({ id }) => id));
const shipped = new Set(kernels.flatMap((kernel) => kernel.shipped.map(({ id }) => id)));
const archsOf = (id: string) =>
  ofStudy.has(id) || !shipped.has(id) ? ['compute_90'] : ['compute_80', 'compute_90'];

const variants = kernels
  .flatMap((kernel) => [...kernel.variants.values()])
  // Those that wait for the sizes of a problem are compiled where they are tested.
  .filter(({ open }) => !open)
  .map((variant) => ({ id: variant.id, variant }));

describe.each(compilers)('$name $version', ({ name }) => {
  const tested = variants.filter(
    ({ id }) => name === compilers[0]?.name || !ofStudy.has(id) || defaults.has(id),
  );
  describe.each(tested)('$id', ({ variant }) => {
    it.each(archsOf(variant.id))('compiles for %s, and keeps to its declaration', async (arch) => {
      const { object, resources } = await compileVariant(variant, { arch, format: 'ptx', compiler: name });
      for (const symbol of Object.values(variant.symbols)) {
        expect(object.text).toContain(`.visible .entry ${symbol}(`);
      }
      if (resources === undefined) return;
      const each = Object.entries(variant.entries).map(([entry]) => resources[entry]);
      expect(Math.max(...each.map((own) => own?.sharedBytes ?? Number.NaN))).toBe(
        variant.derived.sharedBytes,
      );
      // What clang makes is for machines without ptxas, where nobody counts registers.
      if (name === 'clang') return;
      expect(each.map((own) => own?.spillBytes)).toEqual(each.map(() => 0));
    });

    it('fuses nothing but the FMAs of the source', async () => {
      const { object } = await compileVariant(variant, { arch: 'compute_90', format: 'ptx', compiler: name });
      const arithmetic = new Set(object.text.match(/\b(fma|mad|mul|add|sub)\S*\.f32/g));
      expect([...arithmetic].sort()).toEqual(['fma.rn.f32', 'mul.rn.f32']);
    });
  });
});
