import { compile, compileVariant, entryPoints, findToolchains } from '@ffma/core/compile';
import { k14, kernels } from '@ffma/streamk';
import { afterEach, describe, expect, it, vi } from 'vitest';

const compilers = (await findToolchains()).filter((status) => status.available);

afterEach(() => {
  vi.unstubAllEnvs();
});

it('has a compiler to test with', () => {
  expect(compilers.length).toBeGreaterThan(0);
});

const variants = kernels
  .flatMap((kernel) => [...kernel.variants.values()])
  // Those that wait for the sizes of a problem are compiled where they are tested.
  .filter(({ open }) => !open)
  .map((variant) => ({ id: variant.id, variant }));

describe.each(compilers)('$name $version', ({ name }) => {
  const ptxOf = async (variant: (typeof variants)[number]['variant'], arch: string) =>
    await compileVariant(variant, { arch, format: 'ptx', compiler: name });

  describe.each(variants)('$id', ({ variant }) => {
    it.each(['compute_80', 'compute_90'])('compiles for %s, and keeps to its declaration', async (arch) => {
      const { object, resources } = await ptxOf(variant, arch);
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
      const { object } = await ptxOf(variant, 'compute_90');
      const arithmetic = new Set(object.text.match(/(?<!\.)\b(fma|mad|mul|add|sub)\.\S*f32/g));
      const sums = variant.kernel === k14.name ? [] : ['add.rn.f32'];
      expect([...arithmetic].sort()).toEqual([...sums, 'fma.rn.f32', 'mul.rn.f32']);
    });
  });

  it('makes the same bytes five times, in environments of any size', async () => {
    const { definition, params, derived } = k14;
    const digests = new Set<string>();
    for (const length of [0, 1, 700, 1900, 3300]) {
      vi.stubEnv('FFMA_TEST_PADDING', 'x'.repeat(length));
      const entries = entryPoints(k14 as never);
      const unit = { source: definition.source, entries, params, derived: { ...derived } };
      const made = await compile({
        ...unit,
        arch: 'compute_90',
        format: 'ptx',
        compiler: name,
        cache: false,
      });
      // Without fixed addresses, nvcc makes one of two, and says so: see docs/architecture.md.
      if (!made.reproducible) return;
      digests.add(made.object.sha256);
    }
    expect(digests.size).toBe(1);
  });

  it('adds four floats at a time from compute_90 on, and one by one before', async () => {
    const reductions = async (arch: string) =>
      new Set((await ptxOf(k14 as never, arch)).object.text.match(/\bred\.\S+/g));
    expect([...(await reductions('compute_90'))]).toEqual(['red.global.add.v4.f32']);
    expect([...(await reductions('compute_80'))]).toEqual(['red.global.add.f32']);
  });
});
