import { describe, expect, it } from 'vitest';
import { ArgumentError } from '../errors.js';
import { defineExperiment, type Experiment } from './experiment.js';
import { fakeMeasuredSize, MeasuredSize } from './measured-size.js';
import { figuresOn } from './published.js';
import { bestSentence, changeSentence, rankSentence } from './sentences.js';
import { rowsAt, sizeLabel } from './sizes.js';
import { asChange, asMicroseconds, asPercent } from './words.js';

const experiment: Experiment = {
  name: 'k09-two-by-two',
  question: 'Does prefetching help alone?',
  source: { title: 'An article', table: 'Two by two' },
  sizes: [1024, { m: 512, n: 256, k: 64 }],
  rows: [
    { name: 'neither', kernel: 'k09/neither' },
    {
      name: 'both',
      kernel: ['k09', 'k09/*'],
      sizes: [1024],
      published: [{ size: 1024, value: 67.6, unit: 'us', gpu: 'H100', kind: 'fixed configuration' }],
    },
    { name: 'cublas', kernel: { role: 'reference' } },
  ],
  pairs: [{ of: 'both', to: 'neither' }],
  conclude: ([at]) => (at === undefined ? [] : [`Both are ${asChange(at.change('both', 'neither'))}.`]),
};

describe('an experiment', () => {
  it('is what was declared, where that holds together', () => {
    expect(defineExperiment(experiment)).toBe(experiment);
    expect(rowsAt(experiment, 1024).map(({ name }) => name)).toEqual(['neither', 'both', 'cublas']);
    expect(rowsAt(experiment, { m: 512, n: 256, k: 64 }).map(({ name }) => name)).toEqual([
      'neither',
      'cublas',
    ]);
    expect(experiment.sizes.map(sizeLabel)).toEqual(['1024³', '512×256×64']);
  });

  const [neither, both] = experiment.rows as [Experiment['rows'][0], Experiment['rows'][0]];
  it.each<[Partial<Experiment>, RegExp]>([
    [{ name: 'K 9' }, /name must match .* but is 'K 9'/],
    [{ question: 'It helps.' }, /must be a sentence that ends in '\?'/],
    [{ conclude: undefined as never }, /conclude of experiment k09-two-by-two must be a function/],
    [{ sizes: [] }, /must have sizes and rows/],
    [{ sizes: [1024, 0.5] }, /extents from 1 on, but has 0\.5×0\.5×0\.5/],
    [{ rounds: 0 }, /rounds of .* but is 0/],
    [{ rows: [neither, { ...both, name: 'neither' }] }, /Two rows .* are called neither/],
    [{ rows: [neither, { ...both, kernel: [] }] }, /Row both .* must name a kernel/],
    [
      { rows: [neither, { ...both, sizes: [2048] }] },
      /has the size 2048³, which the experiment does not have/,
    ],
    [
      { rows: [neither, { ...both, published: [{ ...both.published?.[0], size: 2048 } as never] }] },
      /published figure at 2048³, where it is not measured/,
    ],
    [
      { rows: [neither, { ...both, published: [{ ...both.published?.[0], value: 0 } as never] }] },
      /published figure of 0 us/,
    ],
    [
      { rows: [neither, both, { name: 'cublas', kernel: { role: 'reference' }, specialised: true }] },
      /Row cublas .* is the reference, of which no variants are chosen/,
    ],
    [{ pairs: [{ of: 'both', to: 'none' }] }, /speaks of the row 'none', which it does not have/],
    [{ charts: [{ kind: 'pie' } as never] }, /must be one of steps, .* but is 'pie'/],
    [{ charts: [{ kind: 'stalls', rows: ['both', 'all'] }] }, /\(stalls\) .* speaks of the row 'all', which/],
    [
      { charts: [{ kind: 'steps', rows: ['both'], apart: ['else'] }] },
      /\(steps\) .* speaks of the row 'else', which/,
    ],
    [
      { charts: [{ kind: 'arrows', ends: ['off', 'on'], arrows: [{ about: 'x', from: 'both', to: 'on' }] }] },
      /\(arrows\) .* speaks of the row 'on', which/,
    ],
    [{ rows: [{ ...neither, sizes: [1024] }], pairs: [] }, /has no row at 512×256×64/],
  ])('is refused with %o', (change, message) => {
    const define = () => defineExperiment({ ...experiment, ...change });
    expect(define).toThrow(ArgumentError);
    expect(define).toThrow(message);
  });

  it('concludes from figures alone', () => {
    const at = fakeMeasuredSize(1024, { neither: 73.9, both: 67.6, cublas: 65.3 }, 65.3);
    expect(experiment.conclude([at])).toEqual(['Both are 8.5 % faster.']);
    expect(experiment.conclude([])).toEqual([]);
  });
});

describe('a measured size', () => {
  const figures = (row: string, perRoundUs: number[], us = perRoundUs[0] as number) => ({
    row,
    id: `id of ${row}`,
    us,
    ofReference: 60 / us,
    wins: 0,
    perRoundUs,
  });
  const at = new MeasuredSize(64, [figures('slow', [80, 160, 90], 90), figures('fast', [40, 100, 45], 45)]);

  it('gives a row by its name, and names those there are', () => {
    expect([at.us('slow'), at.ofReference('fast'), at.has('fast'), at.has('other')]).toEqual([
      90,
      60 / 45,
      true,
      false,
    ]);
    expect(() => at.us('other')).toThrow(/At 64³ there is no row 'other'; there are slow, fast/);
  });

  it('compares rows round by round', () => {
    expect(at.change('fast', 'slow')).toBe(-0.5);
    expect(at.change('slow', 'fast')).toBe(1);
    expect(new MeasuredSize(64, [figures('a', [], 30), figures('b', [20])]).change('a', 'b')).toBe(0.5);
  });

  it('counts the rounds in which one was ahead', () => {
    expect(at.roundsAhead('fast', 'slow')).toEqual({ ahead: 3, rounds: 3 });
    expect(at.roundsAhead('slow', 'fast')).toEqual({ ahead: 0, rounds: 3 });
  });

  it('ranks by time', () => {
    expect(at.ranking().map(({ row }) => row)).toEqual(['fast', 'slow']);
  });
});

describe('words', () => {
  it('say what a figure means', () => {
    expect([0.954, 1.053].map(asPercent)).toEqual(['95.4 %', '105.3 %']);
    expect([-0.043, 0.012, 0.0003].map(asChange)).toEqual(['4.3 % faster', '1.2 % slower', 'as fast']);
    expect([61.33, 2761.2].map(asMicroseconds)).toEqual(['61.3 µs', '2761 µs']);
  });
});

describe('published figures', () => {
  it('are made for a GPU, each kind by its own function', () => {
    const { fixed, best } = figuresOn('H100');
    expect(fixed('us', { 1024: 61.3, 2048: 357.9 })).toEqual([
      { size: 1024, value: 61.3, unit: 'us', gpu: 'H100', kind: 'fixed configuration' },
      { size: 2048, value: 357.9, unit: 'us', gpu: 'H100', kind: 'fixed configuration' },
    ]);
    expect(best('%', { 1024: 97 }, 'six tried')).toEqual([
      { size: 1024, value: 97, unit: '%', gpu: 'H100', kind: "sweep's best", note: 'six tried' },
    ]);
  });
});

describe('sentences', () => {
  const row = (name: string, perRoundUs: number[]) => ({
    row: name,
    id: `k_${name}`,
    us: perRoundUs[0] as number,
    ofReference: 0.954,
    wins: 2,
    perRoundUs,
  });
  const at = new MeasuredSize(64, [
    row('base', [100, 100, 100, 100]),
    row('faster', [90, 91, 90, 90]),
    row('slower', [103, 102, 102, 102]),
    row('either', [99, 101, 99, 101.2]),
    row('same', [99.99, 99.99, 99.99, 99.99]),
  ]);

  const later = new MeasuredSize(96, [row('base', [50, 50]), row('faster', [40, 40])]);

  it('say what a change did where the rounds agree, and that nothing is clear where they do not', () => {
    expect(changeSentence([at, later], 'faster', 'base', 'this change')).toEqual([
      'This change: 10.0 % faster at 64³ (all 4 rounds), 20.0 % faster at 96³ (all 2 rounds).',
    ]);
    expect(changeSentence([at, later], 'slower', 'base', 'k08')).toEqual([
      'k08: 2.0 % slower at 64³ (all 4 rounds).',
    ]);
    expect(changeSentence([at], 'either', 'base', 'it')[0]).toMatch(/ at 64³ \(2 of 4 rounds: not clear\)/);
    expect(changeSentence([at], 'same', 'base', 'it')[0]).toMatch(/^It: as fast .*: not clear/);
    expect(changeSentence([later], 'slower', 'base', 'it')).toEqual([]);
    const once = new MeasuredSize(32, [row('base', [50]), row('faster', [40])]);
    expect(changeSentence([once], 'faster', 'base', 'it')).toEqual(['It: 20.0 % faster at 32³ (one round).']);
  });

  it('name what stands for a row of several, once where it is the same at all sizes', () => {
    expect(bestSentence([at, later], 'faster', 'the best of k08')).toEqual([
      "The best of k08, k_faster: 95.4 % of the reference's speed at 64³ (90.0 µs, ahead in 2 of 4 rounds), " +
        '95.4 % at 96³ (40.0 µs, ahead in 2 of 2).',
    ]);
    const other = new MeasuredSize(96, [{ ...row('faster', [40]), id: 'k_other' }]);
    expect(bestSentence([at, other], 'faster', 'best')[0]).toMatch(
      /^Best: 95\.4 % .*\(k_faster, 90.* \(k_other, 40/,
    );
    expect(bestSentence([later], 'slower', 'the best of k08')).toEqual([]);
  });

  it('rank some rows', () => {
    expect(rankSentence([at, later], ['slower', 'faster', 'either'], 'fastest')).toEqual([
      'Fastest: faster at 64³ (the slowest, slower, is 13.3 % slower).',
    ]);
    expect(rankSentence([later], ['base'], 'fastest')).toEqual([]);
  });
});
