import { describe, expect, it } from 'vitest';
import { gpuSlug, recordOptions, usage } from './options.mjs';
import { recipes } from './recipes.mjs';

describe('options of npm run record', () => {
  it('take all recipes, or those that are named, in the order of the list', () => {
    expect(recordOptions([])).toMatchObject({
      chosen: recipes,
      out: 'results',
      limit: Infinity,
      list: false,
    });
    const [first, second] = recipes.map(({ name }) => name) as [string, string];
    expect(recordOptions([second, first, '--limit', '90', '--out', '/tmp/x'])).toMatchObject({
      chosen: [{ name: first }, { name: second }],
      out: '/tmp/x',
      limit: 90,
    });
  });

  it.each([
    [['nothing'], /called 'nothing'; there is confirm/],
    [['--limit', 'soon'], /over 0, but is 'soon'/],
    [['--limit', '0'], /over 0, but is '0'/],
    [['--fast'], /Unknown option '--fast'/],
  ])('refuse %j and say what there is', (args, text) => {
    expect(recordOptions(args)).toEqual({ text: expect.stringMatching(text), code: 2 });
  });

  it('show every recipe, within 120 columns', () => {
    expect(recordOptions(['--help'])).toEqual({ text: usage, code: 0 });
    for (const { name } of recipes) expect(usage).toContain(`  ${name} `);
    expect(Math.max(...usage.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
  });
});

it.each([
  ['NVIDIA H200', 'h200'],
  ['NVIDIA GeForce RTX 4090', 'geforce-rtx-4090'],
  ['NVIDIA H100 80GB HBM3 (MIG 1g.10gb)', 'h100-80gb-hbm3-mig-1g-10gb'],
  ['Tesla T4', 'tesla-t4'],
])('the files of %s are named %s', (gpu, slug) => {
  expect(gpuSlug(gpu)).toBe(slug);
});
