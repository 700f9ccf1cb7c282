import {
  type Experiment,
  fakeMeasuredSize,
  gemmProblem,
  type MeasuredSize,
  rowsAt,
  toSizes,
} from '@ffma/core';
import { describe, expect, it, test } from 'vitest';
import { confirm } from '../experiments/confirm.js';
import { experiments } from '../experiments/index.js';
import { k14Large } from '../experiments/k14-large.js';
import { k14Switches } from '../experiments/k14-switches.js';
import { ladder } from '../experiments/ladder.js';
import { generic, specialised } from '../experiments/parts/finalists.js';
import { kernels } from './index.js';

/** Every row takes 100 µs but those that are given; the reference takes 80. */
function at(experiment: Experiment, us: Readonly<Record<string, number>>, size = 4096): MeasuredSize {
  const names = rowsAt(experiment, size).map(({ name }) => name);
  for (const name of Object.keys(us)) expect(names).toContain(name);
  const all = names.map((name) => [name, us[name] ?? (name === 'cuBLAS' ? 80 : 100)]);
  return fakeMeasuredSize(size, Object.fromEntries(all), 80);
}

const said = (experiment: Experiment, us: Readonly<Record<string, number>>, size?: number) =>
  experiment.conclude([at(experiment, us, size)]).join('\n');

describe.each(experiments.map((experiment) => ({ name: experiment.name, experiment })))(
  '$name',
  ({ experiment }) => {
    it('names what exists and takes its sizes, and the package that the rest comes from', () => {
      const foreign = experiment.rows.flatMap(({ kernel }) =>
        typeof kernel === 'object' && 'role' in kernel
          ? []
          : [kernel].flat().filter((selector) => {
              const [name, variant = 'default'] = selector.split('/');
              const own = kernels.find((one) => one.name === name);
              if (own === undefined) return true;
              const chosen = variant === '*' ? [...own.variants.values()] : [own.variants.get(variant)];
              for (const size of experiment.sizes) {
                const problem = gemmProblem(toSizes(size));
                for (const gemm of chosen) expect(gemm?.refusal(problem), selector).toBeUndefined();
                expect(chosen).not.toContain(undefined);
              }
              return false;
            }),
      );
      expect(experiment.packages ?? []).toEqual(foreign.length > 0 ? ['@ffma/kernels-cudacore'] : []);
    });

    it('says nothing of what was not measured', () => {
      expect(experiment.conclude([])).toEqual([]);
    });
  },
);

test('k14-switches judges each choice against k14 as it is', () => {
  const text = said(k14Switches, {
    'without whole tiles': 110,
    'sizes compiled in': 95,
    'fixed order of addition': 107,
  });
  expect(text).toMatch(/^Without whole tiles: 10\.0 % slower at 4096³/m);
  expect(text).toMatch(/^Sizes compiled in: 5\.0 % faster/m);
  expect(text).toMatch(/^Body inlined twice: as fast/m);
  expect(text).toMatch(/^Adding in a fixed order: 7\.0 % slower/m);
});

test('k14-large says whether Stream-K wins', () => {
  const row = 'best of k14';
  expect(said(k14Large, { [row]: 90 })).toMatch(/^Stream-K against the best without it: 10\.0 % faster/m);
  expect(said(k14Large, { [row]: 106 })).toMatch(/^Stream-K against the best without it: 6\.0 % slower/m);
  expect(said(k14Large, { [row]: 106 })).toMatch(/^The best of k14.*: 75\.5 % of the reference's speed/m);
});

describe('the ladder', () => {
  const falling = { k07: 95, k08: 90, k09: 85, k09s: 84, k10: 83, k11: 82, k12: 81, k13: 80.5, k14: 80 };

  it('names the fastest step, and those that were none', () => {
    const text = said(ladder, falling);
    expect(text).toMatch(/^The fastest step: k14 at 4096³ \(the slowest, k07, is 18\.8 % slower\)/m);
    expect(text).toMatch(/^Not faster than the step before: none\./m);
    const back = said(ladder, { ...falling, k10: 84, k14: 83 });
    expect(back).toMatch(/^The fastest step: k13/m);
    expect(back).toMatch(/^Not faster than the step before: k10 at 4096³, k14 at 4096³\./m);
  });

  it('says which published speeds are reached', () => {
    const text = said(ladder, falling);
    expect(text).toMatch(/figures of k08: 88\.9 % at 4096³ against 81\.0 % \(reached\)/);
    expect(said(ladder, { ...falling, k08: 110 })).toMatch(
      /figures of k08: 72\.7 % at 4096³ against 81\.0 % \(missed by 8\.3 points\)/,
    );
    expect(text).not.toMatch(/figures of (k09s|k07)/);
  });

  it('has every published row of the article’s chart', () => {
    const shares = ladder.rows.flatMap(({ name, published = [] }) =>
      published.length === 0 ? [] : [`${name} ${published.map(({ value }) => value).join('/')}`],
    );
    expect(shares).toEqual([
      ...['k07 65', 'k08 89/81/81', 'k09 97/83/82', 'k10 92/88/90', 'k11 98/94/95'],
      ...['k12 100/96/95', 'k13 98/96/96', 'k14 107/92/94'],
    ]);
  });
});

describe('confirm', () => {
  it('says what was published, and whether it is reached', () => {
    const won = said(confirm, { k14: 75 }, 1024);
    expect(won).toMatch(/^k14 \(Stream-K, one variant\), k14: 106\.7 % of .* ahead in 1 of 1 rounds/m);
    expect(won).toMatch(/figures of k14: 106\.7 % at 1024³ against 105\.3 % \(reached\)/);
    expect(said(confirm, { k14: 77 }, 1024)).toMatch(
      /103\.9 % at 1024³ against 105\.3 % \(missed by 1\.4 points\)/,
    );
    const large = said(confirm, { generic: 80, specialised: 84 });
    expect(large).toMatch(/figures of generic: 100\.0 % at 4096³ against 95\.2 % \(reached\)/);
    expect(large).toMatch(
      /figures of specialised: 95\.2 % at 4096³ against 96\.4 % \(missed by 1\.2 points\)/,
    );
  });

  it('times finalists of both kinds once each, in 15 rounds', () => {
    expect(confirm.rounds).toBe(15);
    const all = [...generic, ...specialised];
    expect(new Set(all).size).toBe(all.length);
    expect(generic).toContain('k14');
  });
});
