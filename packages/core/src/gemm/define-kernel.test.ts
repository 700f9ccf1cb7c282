import { describe, expect, it } from 'vitest';
import { limits } from '../../test/support/fake-device.js';
import { sampleKernel } from '../../test/support/sample-kernel.js';
import { ArgumentError } from '../errors.js';
import { defineKernel } from './define-kernel.js';
import { gemmProblem } from './problem.js';

const kernel = sampleKernel();
const device = { arch: 'sm_90', limits };
const resources = { main: { registers: 32, sharedBytes: 0, spillBytes: 0, estimated: true } };

describe('a defined kernel', () => {
  it('is its default variant', () => {
    expect(kernel.id).toBe('k90_bm32_s2_noprefetch');
    expect(kernel.variant('default')).toBe(kernel);
    expect(kernel.kernel).toBe('k90');
    expect(kernel.derived).toEqual({ threads: 64, sharedBytes: 256, dynamicSharedBytes: 0 });
  });

  it('has the declared variants, under made and given ids', () => {
    expect([...kernel.variants].map(([name, { id }]) => [name, id])).toEqual([
      ['default', 'k90_bm32_s2_noprefetch'],
      ['deep', 'k90_bm32_s4_noprefetch'],
      ['named', 'k90_by_hand'],
    ]);
    expect(kernel.variant('deep').params).toEqual({ BM: 32, STAGES: 4, PREFETCH: false });
  });

  it('names its variants to those who ask for another', () => {
    expect(() => kernel.variant('deeper')).toThrow(
      /k90 has no variant 'deeper'; it has default, deep, named/,
    );
  });

  it('makes variants that were not declared', () => {
    const own = kernel.with({ BM: 64, PREFETCH: true });
    expect(own.id).toBe('k90_bm64_s2_prefetch');
    expect(own.needs.multiples).toEqual({ m: 64 });
    expect(own.symbols).toEqual({ main: 'k90_bm64_s2_prefetch' });
  });

  it('is made for one size only where its definition says so', () => {
    expect(kernel.specialised).toBe(false);
    const own = defineKernel({ ...kernel.definition, specialised: ({ STAGES }) => STAGES === 4 });
    expect([...own.variants.values()].map(({ specialised }) => specialised)).toEqual([false, true, false]);
  });

  it('takes further figures from derive(), and a tag of its symbols from the parameters', () => {
    const own = defineKernel({
      ...kernel.definition,
      derive: (params) => ({ ...kernel.definition.derive(params), dynamicSharedBytes: 512, copies: 3 }),
      symbolTag: ({ PREFETCH }) => (PREFETCH ? 'cutlass' : ''),
    });
    expect(own.derived).toMatchObject({ dynamicSharedBytes: 512, copies: 3 });
    expect(own.symbols).toEqual({ main: 'k90_bm32_s2_noprefetch' });
    expect(own.with({ PREFETCH: true }).symbols).toEqual({ main: 'k90_bm32_s2_prefetch_cutlass' });
  });

  it('refuses broken rules, all of them by their sentences', () => {
    expect(() => kernel.with({ BM: 33 })).toThrow(/breaks a rule of k90: BM is a multiple of 32\./);
    expect(() => kernel.with({ BM: 1000 })).toThrow(
      /breaks rules of k90: BM is a multiple of 32; A block has at most 1024 threads\./,
    );
  });

  it('refuses unknown names and wrong types', () => {
    expect(() => kernel.with({ BX: 1 } as never)).toThrow(
      /k90 has no parameter BX; it has BM, STAGES, PREFETCH/,
    );
    expect(() => kernel.with({ BM: true } as never)).toThrow(
      /Parameter BM of k90 must be a number, but is true/,
    );
  });

  it('plans nothing where C is empty, and the reduced problem otherwise', () => {
    expect(kernel.plan(gemmProblem({ m: 0, n: 4, k: 4 }), device, resources).launches).toEqual([]);
    expect(kernel.plan(gemmProblem({ m: 4, n: 0, k: 4 }), device, resources).launches).toEqual([]);
    const [launch] = kernel.plan(
      gemmProblem({ m: 64, n: 4, k: 4, alpha: 0, beta: 2 }),
      device,
      resources,
    ).launches;
    expect(launch?.grid).toEqual([2, 1, 1]);
    expect(launch?.args.slice(5, 6)).toEqual([{ type: 'i32', value: 0 }]);
    expect(launch?.args.at(-2)).toEqual({ type: 'f32', value: -0 });
  });

  it('gives a default of its own to variants that declare one', () => {
    const { definition } = kernel;
    const other = defineKernel({
      ...definition,
      variants: { default: { BM: 64 } },
      ids: { default: 'mine' },
    });
    expect([other.id, other.params.BM]).toEqual(['mine', 64]);
  });
});

describe('defineKernel', () => {
  it('refuses names that cannot become symbols or folders', () => {
    const { definition } = kernel;
    expect(() => defineKernel({ ...definition, name: 'K-1' })).toThrow(
      /kernel's name must match .* but is 'K-1'/,
    );
    expect(() => defineKernel({ ...definition, slug: 'Shared Tiles' })).toThrow(/slug must match/);
  });

  it.each<[Record<string, unknown>, RegExp]>([
    [{ plan: undefined }, /plan of k90 must be a function, but is undefined/],
    [{ derive: 3 }, /derive of k90 must be a function, but is number/],
    [{ source: './kernel.cu' }, /source of k90 must be a URL, but is string.*import\.meta\.url/],
    [{ exactness: 'exact' }, /exactness of k90 must be k-order or reordered, but is exact/],
    [{ params: { BM: 1.5 } }, /BM of k90 must be a boolean or an integer of 32 bits, .* but is 1\.5/],
    [{ derive: () => ({ threads: 32.5, sharedBytes: 0 }) }, /integers from 0 on, but threads is 32\.5/],
    [{ derive: () => ({ threads: 0, sharedBytes: 0 }) }, /threads in 1\.\.1024, but gives 0/],
    [{ derive: () => ({ threads: 1025, sharedBytes: 0 }), rules: [] }, /in 1\.\.1024, but gives 1025/],
    [{ derive: () => ({ threads: 32 }) }, /must give sharedBytes/],
    [{ derive: () => ({ threads: 32, sharedBytes: 0, copies: 0.5 }) }, /from 0 on, but copies is 0\.5/],
    [
      { derive: () => ({ threads: 32, sharedBytes: 0, dynamicSharedBytes: -4 }) },
      /but dynamicSharedBytes is -4/,
    ],
    [{ derive: () => undefined, rules: [] }, /threads in 1\.\.1024, but gives undefined/],
    [{ variants: { default: { BX: 1 } } }, /k90 has no parameter BX/],
    [{ variants: { default: { BM: true } } }, /BM of k90 must be a number, but is true/],
    [{ variants: { other: { BM: 32 } } }, /default and other are both k90_bm32_s2_noprefetch/],
    [{ ids: { deep: 'same', named: 'same' } }, /deep and named are both same/],
  ])('refuses %o', (change, message) => {
    const build = () => defineKernel({ ...kernel.definition, ...change } as never);
    expect(build).toThrow(ArgumentError);
    expect(build).toThrow(message);
  });
});
