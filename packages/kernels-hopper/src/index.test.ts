import { describe, expect, it } from 'vitest';
import { copiedRingFigures, copiedRingRules } from '../kernels/parts/copied-ring.js';
import { tiledRingFigures, tiledRingRules } from '../kernels/parts/k-major.js';
import { h00, h01, h02, h03, kernels } from './index.js';

const device = { arch: 'sm_90', limits: { smCount: 132 } } as never;
const resources = { main: { registers: 255, sharedBytes: 0, spillBytes: 0, estimated: true } };
const aligned = { a: 16, b: 16, c: 16 };
const problem = (own: object) => ({
  ...{ m: 300, n: 200, k: 70, lda: 72, ldb: 200, ldc: 200, alpha: 1, beta: 0, alignment: aligned },
  ...own,
});

describe.each(kernels.map((kernel) => ({ id: kernel.id, kernel })))('$id', ({ kernel }) => {
  it('gives every variant an id of its own, and the word that ptxas looks for to those that are tagged', () => {
    const variants = [...kernel.variants.values()];
    expect(new Set(variants.map(({ id }) => id)).size).toBe(variants.length);
    for (const { params, symbols } of variants) {
      expect(symbols.main?.includes('cutlass')).toBe(params.TAGGED);
    }
  });
});

describe('h00', () => {
  it('has a block for each tile of C, whatever the sizes, and a ring that sm_80 has room for', () => {
    expect(h00.plan(problem({}), device, resources).launches).toMatchObject([
      { entry: 'main', grid: [4, 1, 1], block: [256, 1, 1], sharedBytes: 6 * (256 + 128) * 16 * 4 },
    ]);
  });

  it('takes any sizes, but rows at multiples of 16 bytes, on sm_80 and newer', () => {
    const ampere = { ...(device as object), arch: 'sm_80' } as never;
    expect(h00.refusal(problem({}), ampere)).toBeUndefined();
    expect(h00.refusal(problem({ alignment: { ...aligned, a: 4 } }), ampere)).toMatch(/Every row of A/);
  });

  it.each([
    [{ STEPS: 32, BM: 128 }, /WM divides BM/],
    [{ BN: 96, WN: 48, TN: 12 }, /Every thread copies as many pieces/],
    [{ BM: 64, WN: 128, TN: 32, STEPS: 32 }, /eight rows of A/],
    [{ STAGES: 5 }, /at least 2·LOCKSTEP/],
    [{ LOCKSTEP: 0 }, /LOCKSTEP 1/],
    [{ STAGES: 7 }, /163 KiB/],
    [{ ORDER: 2 }, /even_turns/],
  ])('refuses %j', (change, sentence) => {
    const params = { ...h00.params, ...change };
    const broken = copiedRingRules.filter((rule) => !rule.holds(params, copiedRingFigures(params)));
    expect(broken.map((rule) => rule.sentence).join()).toMatch(sentence);
  });

  it('has variants for which its rules hold', () => {
    for (const { params } of h00.variants.values()) {
      expect(copiedRingRules.filter((rule) => !rule.holds(params, copiedRingFigures(params)))).toEqual([]);
    }
  });
});

describe('h01', () => {
  it('has a block for each tile of C, whatever the sizes, and maps of A along k and of B as it lies', () => {
    const { launches } = h01.plan(problem({}), device, resources);
    expect(launches).toHaveLength(1);
    expect(launches[0]).toMatchObject({
      entry: 'main',
      grid: [4, 1, 1],
      block: [256, 1, 1],
      sharedBytes: 4 * ((256 + 128) * 128 + 8) + 8 * 8 * 80 * 4,
    });
    expect(launches[0]?.args.slice(0, 2)).toEqual([
      {
        type: 'tensorMap',
        tiles: { operand: 'a', rows: 300, cols: 70, ld: 72, tile: [256, 32], swizzle: '128B' },
      },
      { type: 'tensorMap', tiles: { operand: 'b', rows: 70, cols: 200, ld: 200, tile: [32, 128] } },
    ]);
  });

  it('scales C where there are no products, as there is no map of an empty matrix', () => {
    const { launches } = h01.plan(problem({ k: 0, beta: 2 }), device, resources);
    expect(launches).toMatchObject([{ entry: 'scale', grid: [300, 1, 1], block: [256, 1, 1] }]);
  });

  it('takes any sizes, but rows at multiples of 16 bytes, on sm_90 and newer', () => {
    expect(h01.refusal(problem({}), device)).toBeUndefined();
    expect(h01.refusal(problem({ alignment: { ...aligned, b: 4 } }), device)).toMatch(/Every row of B/);
    expect(h01.refusal(problem({}), { ...(device as object), arch: 'sm_80' } as never)).toMatch(
      /needs sm_90/,
    );
  });
});

describe('h02', () => {
  it('has tiles of fewer steps under the narrower swizzle, a thread for each group, and as many sums', () => {
    const [launch] = h02.plan(problem({}), device, resources).launches;
    expect(launch).toMatchObject({ grid: [3 * 4, 1, 1], block: [256, 1, 1] });
    expect(launch?.args.slice(0, 2)).toMatchObject([
      { tiles: { tile: [128, 16], swizzle: '64B' } },
      { tiles: { tile: [16, 64] } },
    ]);
    expect(h02.partialSums(problem({}), device, resources)).toBe(4);
  });
});

describe('rules', () => {
  const own = h01.params;
  it.each([
    [{ WM: 32 }, /8 down and 4 across/],
    [{ TN: 6, WN: 24, BN: 24 }, /multiple of 4/],
    [{ BM: 512 }, /at most 256/],
    [{ STAGES: 3 }, /Two stages more than LOCKSTEP/],
    [{ LOCKSTEP: 0 }, /Two stages more than LOCKSTEP/],
    [{ STAGES: 5 }, /227 KiB/],
    [{ ORDER: 2 }, /0 \(snake\), 1 \(even_turns\)/],
    [{ BN: 96 }, /WN divides BN/],
    [{ STEPS: 8 }, /STEPS is 16 or 32/],
    [{ K_GROUPS: 3 }, /K_GROUPS divides TM/],
    [{ K_GROUPS: 4, STEPS: 16, STAGES: 3, LOCKSTEP: 1, BM: 256, BN: 256 }, /Sums of several groups fit/],
  ])('refuse %j', (change, sentence) => {
    const params = { ...own, ...change };
    const broken = tiledRingRules.filter((rule) => !rule.holds(params, tiledRingFigures(params)));
    expect(broken.some((rule) => sentence.test(rule.sentence))).toBe(true);
  });

  it('hold for every variant', () => {
    for (const { params } of [...h01.variants.values(), ...h02.variants.values(), ...h03.variants.values()]) {
      const broken = tiledRingRules.filter((rule) => !rule.holds(params, tiledRingFigures(params)));
      expect(broken).toEqual([]);
    }
  });
});
