import { expect, test } from 'vitest';
import { comparePairs, compareResults } from '../compare/compare-results.js';
import { halvesOf, recorded } from '../test-support/recorded-halves.js';
import { renderComparison, renderComparisonMarkdown } from './compare.js';
import { plain } from './style.js';
import { widthOf } from './text.js';

const result = recorded('h200-confirm.json');
const { base, new: fresh } = halvesOf(result, 1, ({ kernel, problem }) =>
  kernel === 'k11' && problem.n === 2048 ? 1.06 : kernel === 'k14' && problem.n === 4096 ? 0.9 : 1,
);
const [dropped, wrong] = ['k13_f_128x64x16_tagged', 'k12_128x64x16_nospread_tagged'];
const changed = {
  ...fresh,
  rows: fresh.rows.flatMap((row) => {
    if (row.problem.n !== 1536) return [row];
    if (row.id === dropped) return [];
    if (row.id !== wrong) return [row];
    const failures = ['exact at 64³: <script>alert(1)</script> is *wrong*.'];
    return [{ ...row, correctness: { ...row.correctness, status: 'failed' as const, failures } }];
  }),
};
const comparison = compareResults(base, changed, { failOn: 0.03 });

const text = renderComparison(comparison, plain, 80);
const lines = text.join('\n');

test('it fits into 80 columns, and begins with what is compared and the counts', () => {
  expect(text.filter((line) => widthOf(line) > 80)).toEqual([]);
  expect(text[0]).toMatch(
    /^base {2}base \(experiment confirm, NVIDIA H200, driver 580\.159\.04, 2026-11-30,/,
  );
  expect(text).toContain('1 failed, 1 slower, 3 faster, 48 same');
  expect(lines.replaceAll('\n', ' ')).toContain('Compared: the speed relative to cublas of the same round.');
});

test('the most important rows come first, with the short name of a kernel of one variant', () => {
  const table = text.slice(text.findIndex((line) => line.startsWith('kernel ')) + 1);
  expect(table.map((line) => / {2}(failed|slower|faster|same)$/.exec(line)?.[1]).filter(Boolean)).toEqual([
    'failed',
    'slower',
    'faster',
    'faster',
    'faster',
    ...Array.from({ length: 48 }, () => 'same'),
  ]);
  expect(lines).toMatch(/^k11 +2048³ +89\.\d % +84\.\d % +\+6\.\d % +\+[56]\.\d…\+[67]\.\d {2}slower$/m);
  expect(lines).toMatch(/^k14_128x128x8_s3 +4096³ +\d+\.\d % +\d+\.\d % +−\d+\.\d % /m);
});

test('failures and missing rows are said below, and changes that the kernel cannot have made', () => {
  expect(lines).toMatch(/^✗ k12_128x64x16_nospread_tagged at 1536³ failed: exact at 64³:$/m);
  expect(lines).toMatch(/^✗ k11_128x256x8_8x16_s2 at 2048³ is 6\.\d % slower; up to 3\.0 % is allowed\.$/m);
  expect(lines).toContain(`→ Only in the base: ${dropped} at 1536³.`);
  expect(lines.replaceAll(/\n +/g, ' ')).toMatch(/→ Of k11, k14_128x128x8_s3, .* both ran the same bytes/);
});

test('Markdown is short: counts, failures and changes first, the same rows folded away', () => {
  const markdown = renderComparisonMarkdown(comparison);
  const whole = markdown.join('\n');
  const [above = '', below = ''] = whole.split('<details>\n<summary>48 the same</summary>');
  expect(markdown[0]).toBe('### ffma compare: 1 failed, 1 slower, 3 faster, 48 same');
  expect(above.split('\n').length).toBeLessThan(25);
  expect(above).toMatch(/^\| k11 \| 2048³ \| 89\.\d % \| 84\.\d % \| \+6\.\d % \| .* \| slower \|$/m);
  expect(above).not.toContain('| same |');
  expect(below.match(/\| same \|/g)).toHaveLength(48);
  expect(whole).not.toContain('<script>');
  expect(above).toContain('&lt;script\\>alert(1)&lt;/script\\> is \\*wrong\\*.');
  expect(whole.match(/<details>/g)).toHaveLength(whole.match(/<\/details>/g)?.length ?? 0);
});

test('of many failures a comment lists three', () => {
  const slow = halvesOf(result, 1, () => 1.2);
  const { failures, ...rest } = compareResults(slow.base, slow.new, { failOn: 0.03 });
  expect(failures.length).toBeGreaterThan(20);
  const listed = renderComparisonMarkdown({ ...rest, failures }).filter((line) => line.startsWith('- ❌'));
  expect(listed).toHaveLength(4);
  expect(listed[3]).toBe(`- ❌ and ${failures.length - 3} more`);
});

test('an unclear row says how many rounds would do, a moved reference that ratios hold it', () => {
  const noisy = {
    ...fresh,
    rows: fresh.rows.map((row) =>
      row.times === undefined || row.problem.n !== 512
        ? row
        : {
            ...row,
            times: {
              ...row.times,
              rounds: row.times.rounds.map((round, i) => ({
                ...round,
                medianUs: round.medianUs * (row.role === 'reference' ? 2 : 1 + (i % 3) * 0.2),
              })),
            },
          },
    ),
  };
  const shown = renderComparison(compareResults(base, noisy, { by: 'time' }), plain, 80)
    .join('\n')
    .replaceAll(/\n +/g, ' ');
  expect(shown).toMatch(/→ \d+ rows are unclear: .* tell: .* needs about \d+ \(--rounds \d+\)\./);
  expect(shown).toMatch(
    /→ The reference cublas itself took \d+\.\d µs at 512³ and now takes \d+\.\d µs \(\+1\d\d\.\d %\)/,
  );
});

test('of several pairs each is named, and the file of each row', () => {
  const pair = (from: string) => ({
    base: { from: `a/${from}`, result: base },
    new: { from: `b/${from}`, result: base },
  });
  const several = comparePairs([pair('x.json'), pair('y.json')]);
  const shown = renderComparison(several, plain, 80);
  expect(shown.filter((line) => /^(base|new) /.test(line)).map((line) => line.split(' (')[0])).toEqual([
    'base  a/x.json',
    'new   b/x.json',
    'base  a/y.json',
    'new   b/y.json',
  ]);
  expect(shown.filter((line) => widthOf(line) > 80)).toEqual([]);
  for (const file of ['x.json', 'y.json']) {
    expect(shown.filter((line) => line.startsWith(`${file} `))).toHaveLength(54);
    const cells = renderComparisonMarkdown(several).filter((line) => line.startsWith(`| ${file} | `));
    expect(cells).toHaveLength(54);
  }
});

test('a name that looks like a tag is text', () => {
  const odd = { ...base, rows: base.rows.map((row) => ({ ...row, id: `<details>|${row.id}` })) };
  const whole = renderComparisonMarkdown(compareResults(odd, odd)).join('\n');
  expect(whole.match(/<details>/g)).toHaveLength(2);
  expect(whole).toContain('| &lt;details>\\|k14_128x128x8_s3 |');
});

test('more rounds than anybody would run are no remedy', () => {
  const noisy = {
    ...fresh,
    rows: fresh.rows.map((row) => ({
      ...row,
      ...(row.times === undefined
        ? {}
        : {
            times: {
              ...row.times,
              rounds: row.times.rounds.map((round, i) => ({
                ...round,
                medianUs: round.medianUs * 4 ** (i % 3),
              })),
            },
          }),
    })),
  };
  const shown = renderComparison(compareResults(noisy, noisy, { by: 'time' }), plain, 80);
  expect(shown.join(' ')).toMatch(/ would need over 1000 rounds: look for what disturbs it\./);
});
