import { gemmProblem } from '@ffma/core';
import { describe, expect, test } from 'vitest';
import { makeProblemData } from '../data/problem-data.js';
import { caseName, type VerifyCase } from '../run/case.js';
import { JsGemm } from '../test-support/js-gemm.js';
import { kernel } from '../test-support/js-kernels.js';
import { conformanceCases } from './conformance-cases.js';

const any = new JsGemm(kernel());
const tiled = new JsGemm(kernel(), {
  needs: { multiples: { m: 16, n: 8, k: 4 }, alignment: 16 },
  params: { BM: 16, BN: 8, BK: 4 },
});

const has = (cases: VerifyCase[], found: (testCase: VerifyCase) => boolean) => cases.some(found);

describe('a kernel that takes everything', () => {
  const cases = conformanceCases(any);

  test.each([
    [1, 1, 1],
    [33, 17, 65],
    [128, 128, 128],
    [127, 129, 63],
    [2, 300, 5],
  ])('gets %i×%i×%i', (m, n, k) => {
    expect(has(cases, ({ shape }) => shape.m === m && shape.n === n && shape.k === k)).toBe(true);
  });

  test('gets every rule of the semantics', () => {
    const shapes = cases.map(({ shape }) => shape);
    expect(shapes.some((s) => s.m === 0 && s.n > 0)).toBe(true);
    expect(shapes.some((s) => s.n === 0 && s.m > 0)).toBe(true);
    expect(shapes.some((s) => s.k === 0 && (s.beta ?? 0) === 0)).toBe(true);
    expect(shapes.some((s) => s.k === 0 && (s.beta ?? 0) !== 0)).toBe(true);
    expect(shapes.some((s) => (s.alpha ?? 1) !== 1 && (s.beta ?? 0) !== 0)).toBe(true);
    expect(shapes.some((s) => s.lda !== undefined && s.ldb !== undefined && s.ldc !== undefined)).toBe(true);
    expect(has(cases, ({ shape, data }) => shape.alpha === 0 && data === 'unread')).toBe(true);
    expect(has(cases, ({ offsets }) => offsets?.a === 1)).toBe(true);
    expect(has(cases, ({ guards }) => guards === 'none')).toBe(true);
    for (const data of ['integers', 'canary', 'uniform', 'normal', 'special'] as const) {
      expect(has(cases, (testCase) => testCase.data === data)).toBe(true);
    }
  });

  test('has nothing to refuse', () => {
    expect(has(cases, ({ expect: wanted }) => wanted !== 'run')).toBe(false);
  });

  test('quick is a part of full, with each gate’s data', () => {
    const quick = conformanceCases(any, { level: 'quick' });
    const names = new Set(cases.map(caseName));
    expect(quick.every((testCase) => names.has(caseName(testCase)))).toBe(true);
    expect(quick.length).toBeLessThan(cases.length / 3);
    expect(new Set(quick.map(({ data }) => data))).toEqual(
      new Set(['integers', 'canary', 'uniform', 'special', 'unread']),
    );
  });
});

describe('a kernel that needs multiples and alignment', () => {
  const cases = conformanceCases(tiled);
  const problemOf = (testCase: VerifyCase) => {
    const { a, b, c } = makeProblemData(testCase.shape, testCase);
    const aligned = (start: number, ld: number, rows: number) =>
      start % 4 === 0 && (rows <= 1 || ld % 4 === 0) ? 16 : 4;
    const { m, k, lda, ldb, ldc } = gemmProblem(testCase.shape);
    return gemmProblem(testCase.shape, {
      a: aligned(a.layout.start, lda, m),
      b: aligned(b.layout.start, ldb, k),
      c: aligned(c.layout.start, ldc, m),
    });
  };

  test('gets what it declares to take, and what it excludes as refusals', () => {
    for (const testCase of cases) {
      const refused = tiled.refusal(problemOf(testCase)) !== undefined;
      expect(refused, caseName(testCase)).toBe(testCase.expect === 'refusal');
    }
  });

  test('each exclusion breaks one rule', () => {
    const abouts = cases.filter((c) => c.expect === 'refusal').map((c) => c.about);
    expect(abouts).toEqual([
      'm is not a multiple of 16',
      'n is not a multiple of 8',
      'k is not a multiple of 4',
      'A is not aligned',
      'lda is not aligned',
      'B is not aligned',
      'ldb is not aligned',
      'C is not aligned',
      'ldc is not aligned',
    ]);
  });

  test('still starts operands at the least alignment that it takes', () => {
    expect(has(cases, ({ offsets, expect: wanted }) => wanted === 'run' && offsets?.a === 4)).toBe(true);
  });
});

test('a tile puts sizes around it before a kernel', () => {
  const cases = conformanceCases(new JsGemm(kernel(), { params: { BM: 64, BN: 96, BK: 8 } }));
  const sizes = cases.map(({ shape: { m, n, k } }) => `${m}×${n}×${k}`);
  expect(sizes).toEqual(expect.arrayContaining(['128×192×24', '65×95×9', '63×97×15']));
});

describe('a kernel of large tiles', () => {
  const large = new JsGemm(kernel(), {
    needs: { multiples: { m: 256, n: 128, k: 16 }, alignment: 16 },
    params: { BM: 256, BN: 128, BK: 16 },
  });
  const run = conformanceCases(large).filter((one) => one.expect === 'run');
  const sizes = new Set(run.map(({ shape: { m, n, k } }) => `${m}×${n}×${k}`));

  test('gets at least 12 sizes that do something, with even and odd numbers of tiles each way', () => {
    const whole = [...sizes].filter((size) => !/\b0\b/.test(size));
    expect(whole.length).toBeGreaterThanOrEqual(12);
    expect(whole).toEqual(expect.arrayContaining(['512×256×48', '768×128×80', '256×384×112', '256×128×16']));
  });

  test('gets leading dimensions of whole alignments, alpha and beta', () => {
    const padded = run.filter(({ shape }) => shape.lda !== undefined && shape.lda % 16 !== 0);
    expect(padded.some(({ shape: { alpha, beta } }) => alpha !== undefined && beta !== undefined)).toBe(true);
    expect(
      padded.every(({ shape }) => [shape.lda, shape.ldb, shape.ldc].every((ld) => (ld ?? 0) % 4 === 0)),
    ).toBe(true);
  });

  test('gets nothing that takes long without a GPU', () => {
    for (const { shape } of run) expect(shape.m * shape.n * shape.k).toBeLessThanOrEqual(2 ** 24);
    expect(run.some(({ shape }) => shape.k >= 32 * 16)).toBe(true);
  });

  test('gets problems that fill a GPU more than once where that is asked for', () => {
    const wide = conformanceCases(large, { level: 'wide' });
    const blocks = wide.map(({ shape: { m, n } }) => (m / 256) * (n / 128));
    expect(Math.max(...blocks)).toBeGreaterThan(132);
    expect(wide.length).toBeGreaterThan(run.length);
  });
});

describe('a kernel that has sizes compiled in', () => {
  const sized = new JsGemm(kernel(), {
    sized: true,
    needs: { multiples: { m: 64, n: 32, k: 8 }, alignment: 16 },
    params: { BM: 64, BN: 32, BK: 8 },
  });
  const sizesAt = (level: 'quick' | 'full' | 'wide') => {
    const taken = conformanceCases(sized, { level }).filter(
      (one) => sized.refusal(gemmProblem(one.shape)) === undefined,
    );
    return new Set(taken.map(({ shape: { m, n, k } }) => `${m}×${n}×${k}`)).size;
  };

  test('gets few sizes, each of which is a compilation, unless many are asked for', () => {
    expect([sizesAt('quick'), sizesAt('full')]).toEqual([2, 3]);
    expect(sizesAt('wide')).toBeGreaterThanOrEqual(12);
  });

  test('is expected to refuse what cannot be compiled in', () => {
    const abouts = conformanceCases(sized)
      .filter((c) => c.expect === 'refusal')
      .map((c) => c.about);
    expect(abouts).toEqual(
      expect.arrayContaining(['k = 0 cannot be compiled in', 'm is not a multiple of 64']),
    );
  });

  test('gets every rule at one size', () => {
    const cases = conformanceCases(sized);
    for (const data of ['canary', 'special', 'unread', 'integers', 'uniform', 'normal'] as const) {
      expect(has(cases, (one) => one.data === data)).toBe(true);
    }
    expect(has(cases, ({ guards }) => guards === 'none')).toBe(true);
    expect(has(cases, ({ offsets, expect: wanted }) => wanted === 'run' && offsets !== undefined)).toBe(true);
    expect(has(cases, ({ shape }) => shape.ldc !== undefined && shape.alpha !== undefined)).toBe(true);
  });
});

test('names are unique', () => {
  for (const gemm of [any, tiled]) {
    const names = conformanceCases(gemm).map(caseName);
    expect(new Set(names).size).toBe(names.length);
  }
});
