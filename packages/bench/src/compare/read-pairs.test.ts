import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { BenchResult } from '../result/schema.js';
import { stringifyResult } from '../result/store.js';
import { temporaryFolder } from '../test-support/kernel-folders.js';
import { recorded } from '../test-support/recorded-halves.js';
import { UsageError } from '../usage-error.js';
import { compareResults } from './compare-results.js';
import { readPairs, readRevisions } from './read-pairs.js';

const result = recorded('h200-2026-11-30.json');
const small: BenchResult = { ...result, rows: result.rows.slice(0, 2) };
/** The same, told apart by when it was made. */
const made = (day: number): string =>
  stringifyResult({ ...small, createdAt: `2026-12-0${day}T00:00:00.000Z` });

const days = (pairs: Awaited<ReturnType<typeof readPairs>>['pairs']) =>
  pairs.map(({ base, new: fresh }) => [base, fresh].map(({ result: { createdAt } }) => Number(createdAt[9])));

test('two files are a pair, under their paths', async () => {
  using folder = temporaryFolder({ 'a.json': made(1), 'b.json': made(2) });
  const [a, b] = [join(folder.path, 'a.json'), join(folder.path, 'b.json')];
  const { pairs, notes } = await readPairs(a, b);
  expect(days(pairs)).toEqual([[1, 2]]);
  expect(pairs[0]?.base.from).toBe(a);
  expect(pairs[0]?.new.from).toBe(b);
  expect(notes).toEqual([]);
});

test('of two folders, files of the same name are pairs, and the others are named', async () => {
  using base = temporaryFolder({ 'x.json': made(1), 'y.json': made(2), 'old.json': made(3), 'notes.md': '' });
  using fresh = temporaryFolder({ 'x.json': made(4), 'y.json': made(5), 'new.json': made(6) });
  writeFileSync(join(fresh.path, 'c.json'), stringifyResult(compareResults(small, small)));
  const { pairs, notes } = await readPairs(base.path, fresh.path);
  expect(days(pairs)).toEqual([
    [1, 4],
    [2, 5],
  ]);
  expect(notes).toEqual([
    expect.stringMatching(/c\.json is a comparison result, and was not compared\.$/),
    `old.json is not in ${fresh.path}, and was not compared.`,
    `new.json is not in ${base.path}, and was not compared.`,
  ]);
});

test('what cannot be paired is wrong usage', async () => {
  using one = temporaryFolder({ 'x.json': made(1) });
  using other = temporaryFolder({ 'y.json': made(1) });
  using broken = temporaryFolder({ 'x.json': made(1).slice(0, 500) });
  const file = join(one.path, 'x.json');
  const cases: [string, string, RegExp][] = [
    [one.path, file, /is a folder and .*x\.json a file\. Name two files, or two folders\.$/],
    [file, one.path, /is a folder and .* a file/],
    [one.path, other.path, /have no result of ffma bench of the same file name/],
    [one.path, broken.path, /x\.json is no JSON: it ends in the middle/],
    [file, join(one.path, 'gone.json'), /gone\.json cannot be read/],
  ];
  for (const [base, fresh, reason] of cases) {
    await expect(readPairs(base, fresh)).rejects.toThrow(reason);
    await expect(readPairs(base, fresh)).rejects.toBeInstanceOf(UsageError);
  }
});

test('a file is compared with what it was at a revision, or at two', async () => {
  using folder = temporaryFolder({ 'sub/x.json': '{}' });
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', folder.path, '-c', 'user.name=x', '-c', 'user.email=x@y', ...args], {
      stdio: 'pipe',
    });
  const file = join(folder.path, 'r.json');
  const commit = (day: number) => {
    writeFileSync(file, made(day));
    git('add', '.');
    git('commit', '-qm', `day ${day}`);
    git('tag', `day${day}`);
  };
  git('init', '-q');
  commit(1);
  commit(2);
  writeFileSync(file, made(3));

  const now = await readRevisions(['HEAD', file]);
  expect(days(now.pairs)).toEqual([[2, 3]]);
  expect(now.pairs[0]?.base.from).toBe(`HEAD:${file}`);
  expect(days((await readRevisions(['day1', 'day2', file])).pairs)).toEqual([[1, 2]]);
  expect(days((await readRevisions(['day1..day2', file])).pairs)).toEqual([[1, 2]]);
  expect(days((await readRevisions(['day2', 'HEAD~1', file, file])).pairs)).toEqual([
    [2, 1],
    [2, 1],
  ]);
  rmSync(file);
  expect(days((await readRevisions(['day1', 'day2', file])).pairs)).toEqual([[1, 2]]);

  const cases: [string[], RegExp][] = [
    [['nowhere', file], /^nowhere is no revision of the repository of .*r\.json\.$/],
    [['--output=x', file], /^--output=x is no revision/],
    [
      ['day1', 'day2', join(folder.path, 'gone.json')],
      /gone\.json cannot be read at day1: path .* does not exist/,
    ],
    [['day1', file], /r\.json cannot be read: there is no such file/],
    [['day1', 'day2', join(folder.path, 'sub')], /sub cannot be read at day1: /],
    [['day1...day2', file], /^day1\.\.\.day2 is no revision/],
    [['day1..day2'], /--git compares/],
    [['day1'], /--git compares a revision, or two, of at least one file/],
    [[], /--git compares/],
  ];
  for (const [given, reason] of cases) {
    await expect(readRevisions(given)).rejects.toThrow(reason);
    await expect(readRevisions(given)).rejects.toBeInstanceOf(UsageError);
  }
});

test('outside of a repository --git says so', async () => {
  using folder = temporaryFolder({ 'r.json': made(1) });
  await expect(readRevisions(['main', join(folder.path, 'r.json')])).rejects.toThrow(
    /r\.json is in no git repository: not a git repository/,
  );
});
