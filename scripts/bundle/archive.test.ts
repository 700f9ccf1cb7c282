import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { compressors, filesByPart, pack } from './archive.mjs';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ffma-archive-'));
  for (const name of ['box/a', 'box/b/c']) mkdirSync(join(root, name), { recursive: true });
  writeFileSync(join(root, 'box', 'a', 'one.txt'), 'one');
  writeFileSync(join(root, 'box', 'b', 'c', 'run'), '#!/bin/sh\n', { mode: 0o755 });
  symlinkSync('../b/c', join(root, 'box', 'a', 'link'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const path = (name: string) => join(root, name);
const parts = () => filesByPart(path('box'), (file) => (file.startsWith('a/') ? 'letters' : 'programs'));
const packTo = (name: string, cache = 'cache') =>
  pack(path('box'), parts(), path(name), path(cache), compressors.gzip);

it('unpacks to the same files, modes and links, from parts that were compressed one by one', async () => {
  const sizes = await packTo('box.tar.gz');
  expect(sizes.map(({ name, files }) => [name, files])).toEqual([
    ['letters', 2],
    ['programs', 1],
  ]);
  expect(sizes.reduce((sum, { packed }) => sum + packed, 0)).toBe(statSync(path('box.tar.gz')).size);
  mkdirSync(path('out'));
  execFileSync('tar', ['-xf', path('box.tar.gz'), '-C', path('out')]);
  expect(readFileSync(path('out/box/a/one.txt'), 'utf8')).toBe('one');
  expect(statSync(path('out/box/b/c/run')).mode & 0o777).toBe(0o755);
  expect(readlinkSync(path('out/box/a/link'))).toBe('../b/c');
});

it('gives the same bytes for the same contents, whenever they were written', async () => {
  await packTo('first.tar.gz');
  utimesSync(path('box/a/one.txt'), 1, 1);
  await packTo('second.tar.gz', 'another-cache');
  expect(readFileSync(path('first.tar.gz')).equals(readFileSync(path('second.tar.gz')))).toBe(true);
});

it('compresses again only what changed, and keeps no old part', async () => {
  await packTo('box.tar.gz');
  const before = readdirSync(path('cache'));
  writeFileSync(path('box/a/one.txt'), 'two');
  await packTo('box.tar.gz');
  const after = readdirSync(path('cache'));
  expect(after).toHaveLength(2);
  expect(after.filter((name) => before.includes(name))).toHaveLength(1);
});

it('leaves no archive where packing fails', async () => {
  await packTo('box.tar.gz');
  const wrong = new Map([['letters', ['a/absent.txt']]]);
  await expect(pack(path('box'), wrong, path('box.tar.gz'), path('cache'), compressors.gzip)).rejects.toThrow(
    /absent\.txt/,
  );
  expect(existsSync(path('box.tar.gz'))).toBe(false);
});
