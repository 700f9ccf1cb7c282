import {
  type Experiment,
  fakeMeasuredSize,
  gemmProblem,
  type MeasuredSize,
  rowsAt,
  toSizes,
} from '@ffma/core';
import { describe, expect, it, test } from 'vitest';
import { experiments } from '../experiments/index.js';
import { rankCorrelation } from '../experiments/parts/rank-correlation.js';
import { togetherSentence } from '../experiments/parts/say.js';
import { studyRows } from '../experiments/parts/study-rows.js';
import { kernels, study } from './index.js';

function named(name: string): Experiment {
  const found = experiments.find((experiment) => experiment.name === name);
  if (found === undefined) throw new Error(`There is no experiment ${name}.`);
  return found;
}

/** Every row takes 100 µs but those that are given; the reference takes 80. */
function at(experiment: Experiment, us: Readonly<Record<string, number>>, size = 4096): MeasuredSize {
  const names = rowsAt(experiment, size).map(({ name }) => name);
  for (const name of Object.keys(us)) expect(names).toContain(name);
  const all = names.map((name) => [name, us[name] ?? (name === 'cuBLAS' ? 80 : 100)]);
  return fakeMeasuredSize(size, Object.fromEntries(all), 80);
}

/** What an experiment says of these times at 4096³. */
const said = (name: string, us: Readonly<Record<string, number>>) =>
  named(name)
    .conclude([at(named(name), us)])
    .join('\n');

describe.each(experiments.map((experiment) => ({ name: experiment.name, experiment })))(
  '$name',
  ({ experiment }) => {
    it('names variants of this package that take its sizes', () => {
      for (const { kernel, sizes = experiment.sizes } of experiment.rows) {
        if (typeof kernel !== 'string') continue;
        const [name, variant = 'default'] = kernel.split('/');
        const own = kernels.find((one) => one.name === name);
        const variants = [...(own?.variants ?? [])].filter(([each]) => variant === '*' || each === variant);
        expect(variants, kernel).not.toEqual([]);
        for (const size of sizes) {
          const problem = gemmProblem(toSizes(size));
          expect(variants.map(([, gemm]) => gemm.refusal(problem)).filter(Boolean)).toEqual([]);
        }
      }
    });

    it('measures cuBLAS too, and says nothing of what was not measured', () => {
      expect(
        experiment.rows.filter(({ kernel }) => typeof kernel === 'object' && 'role' in kernel),
      ).toHaveLength(1);
      expect(experiment.conclude([])).toEqual([]);
    });
  },
);

test('k07-search names the winner, whichever it is', () => {
  const best = 'best of k07';
  expect(said('k07-search', { [best]: 50, '64x64x16_16x32_4x4': 50 })).toMatch(
    /^The best of the 11 candidates.*: 160\.0 % .*\n.*64x64x16_16x32_4x4 at 4096³ \(the slowest, .*, is 100\.0 % slower\)/,
  );
  expect(said('k07-search', { [best]: 90, '128x128x16_64x32_8x8': 90 })).toMatch(
    /Fastest: 128x128x16_64x32_8x8 at 4096³ .*11\.1 % slower/,
  );
});

test('k08-stages says what three stages bring, and which count wins', () => {
  expect(said('k08-stages', { '128×64×8, 3 stages': 70, '128×64×8, 1 stage': 100 })).toMatch(
    /Three stages instead of one, at 128×64×8: 30\.0 % faster .*\nFastest: 128×64×8, 3 stages/,
  );
  expect(said('k08-stages', { '128×64×8, 3 stages': 110, '128×64×8, 5 stages': 90 })).toMatch(
    /at 128×64×8: 10\.0 % slower .*\nFastest: 128×64×8, 5 stages .*3 stages, is 22\.2 % slower/,
  );
});

test('k09-two-by-two tells two changes that help each other from two that do not', () => {
  const rows = (transposed: number, prefetch: number, both: number) =>
    said('k09-two-by-two', {
      'transposed, BK 16': transposed,
      'prefetch, BK 16': prefetch,
      'both, BK 16': both,
    });
  expect(rows(96, 101, 91)).toMatch(
    /Together, at BK 16: more than apart at 4096³ \(9\.0 % faster; 3\.0 % faster if/,
  );
  expect(rows(96, 101, 99)).toMatch(
    /Together, at BK 16: no more than apart at 4096³ \(1\.0 % faster; 3\.0 % faster/,
  );
  expect(rows(96, 101, 91)).toMatch(/Prefetching alone, at BK 16: 1\.0 % slower/);
  expect(togetherSentence([], { base: '', one: '', other: '', both: '' }, 'Together')).toEqual([]);
});

test.each([
  ['swizzle-times', '128×128, grouped', /^Grouping tiles of 128×128: (.*) at/m],
  ['k10-remap', '256×128, 16×8', /^Dealing out the columns of B, at 256×128, 16×8: (.*) at/m],
  ['k12-spread', '128×64, spread', /^Spreading the copies, at 128×64: (.*) at/m],
  ['k12-tagged', '128×256×8, tagged', /^The tagged symbol, at 128×256×8: (.*) at/m],
  ['k13-tests', '256×128, spread branch-free', /^Spreading copies without branches, at 256×128: (.*) at/m],
  ['k13-tests', '128×64, contiguous B', /^Giving a lane contiguous columns of B, at 128×64: (.*) at/m],
  ['k13-tests', '256×128, specialised', /^Compiling the sizes in, at 256×128: (.*) at/m],
])('%s says whether %s is faster', (name, row, sentence) => {
  expect(said(name, { [row]: 90 }).match(sentence)?.[1]).toBe('10.0 % faster');
  expect(said(name, { [row]: 110 }).match(sentence)?.[1]).toBe('10.0 % slower');
  expect(said(name, {}).match(sentence)?.[1]).toBe('as fast');
});

test('k12-ffma-order ranks the orders of each patch apart', () => {
  const text = said('k12-ffma-order', {
    '8×8 by rows': 60,
    '8×16 by snake columns': 50,
    '8×16 by columns': 75,
  });
  expect(text).toMatch(
    /^The fastest order: 8×8 by rows at 4096³ \(the slowest, 8×8 by .*, is 66\.7 % slower\)/m,
  );
  expect(text).toMatch(/^The fastest order: 8×16 by snake columns at 4096³ .*is 100\.0 % slower/m);
});

test('k13-tests reports what takes any size apart from what takes one', () => {
  const text = said('k13-tests', { 'best generic': 84, 'best specialised': 80 });
  expect(text).toMatch(/^The best of k13 for any size.*: 95\.2 % .*ahead in 0 of 1/m);
  expect(text).toMatch(/^The best of k13 for one size.*: 100\.0 % /m);
});

describe('rank correlation', () => {
  it.each([
    [[1, 2, 3, 4], [10, 20, 30, 1000], 1],
    [[1, 2, 3, 4], [4, 3, 2, -1], -1],
    // Worked by hand: differences of ranks 0, 1, -1, 0, so 1 - 6 * 2 / (4 * 15).
    [[1, 2, 3, 4], [1, 3, 2, 4], 0.8],
    // Two that are equal share rank 1.5; by Pearson on ranks 1.5, 1.5, 3 and 1, 2, 3.
    [[5, 5, 9], [1, 2, 3], Math.sqrt(3) / 2],
  ])('of %j and %j is %d', (one, other, expected) => {
    expect(rankCorrelation(one, other)).toBeCloseTo(expected, 12);
  });

  it('is no number where there is no order', () => {
    expect([rankCorrelation([], []), rankCorrelation([1], [1]), rankCorrelation([1, 1], [1, 2])]).toEqual([
      Number.NaN,
      Number.NaN,
      Number.NaN,
    ]);
  });
});

describe('study', () => {
  /** Times that keep the study's speeds, but for some. */
  const times = (changes: Readonly<Record<string, number>> = {}) => ({
    ...Object.fromEntries(studyRows.map(({ name, tflops }) => [name, (2 * 4096 ** 3) / (tflops * 1e6)])),
    ...changes,
  });

  it('has every variant of the family, but the test of v11', () => {
    const ids = study.flatMap(({ variants }) => [...variants.values()].map(({ id }) => id));
    const tested = 'warptiling_v11_128x128x8_32x64x8_tagged';
    expect(studyRows.map(({ name }) => name).sort()).toEqual(ids.filter((id) => id !== tested).sort());
  });

  it.each(studyRows.map((row) => ({ ...row })))('$name is selected by its own id', ({ name, kernel }) => {
    const [own, variant = 'default'] = kernel.split('/');
    expect(study.find((one) => one.name === own)?.variants.get(variant)?.id).toBe(name);
  });

  it('finds the order of the study where times are those of the study', () => {
    const text = said('study', times());
    expect(text).toMatch(/36 rows by speed is the study's with a rank correlation of 1\.00/);
    expect(text).toMatch(/35 steps by what they gain with 1\.00, at 4096³/);
    expect(text).toContain('No step goes the other way at 4096³.');
    expect(text).toMatch(/^The fastest of the study's kernels: warptiling_v7_vec4_128x128x8_32x64x8 at/m);
  });

  it('names the steps that go the other way, and loses correlation of the gains', () => {
    const { smem_tiling: base = Number.NaN } = times();
    const text = said('study', times({ blocktiling_1d_v0_64x64x8_8: 2 * base }));
    expect(text).toContain(
      'The other way at 4096³: blocktiling_1d_v0_64x64x8_8 (100.0 % slower than smem_tiling).',
    );
    // Of the 36 speeds two neighbours change places; of the 35 gains, one of the largest is the least.
    expect(text).toMatch(/that of the 35 steps by what they gain with 0\.7\d/);
  });
});

test.each([
  ['study-v10-symbol', 'warptiling_v10_128x128x8_32x64x8', /^The tagged symbol, on warptiling-v9: (.*) at/m],
  [
    'study-v11-symbol',
    'warptiling_v11_128x128x8_32x64x8_tagged',
    /^The tagged symbol, on warptiling-v11: (.*) at/m,
  ],
])('%s says whether %s is faster', (name, row, sentence) => {
  expect(said(name, { [row]: 90 }).match(sentence)?.[1]).toBe('10.0 % faster');
  expect(said(name, {}).match(sentence)?.[1]).toBe('as fast');
});
