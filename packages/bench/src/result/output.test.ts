import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../test-support/kernel-folders.js';
import { UsageError } from '../usage-error.js';
import { checkWritable, writeAtomically } from './output.js';

const onLinux = test.skipIf(process.platform !== 'linux');

test('a file is made, and replaced with the permissions that it had; nothing is left beside it', async () => {
  using folder = temporaryFolder({});
  const path = join(folder.path, 'r.json');
  expect(await checkWritable(path)).toEqual({ regular: true });
  expect(existsSync(path)).toBe(false);
  await writeAtomically(path, 'one');
  chmodSync(path, 0o640);
  await writeAtomically(path, 'two');
  expect(readFileSync(path, 'utf8')).toBe('two');
  expect(statSync(path).mode & 0o777).toBe(0o640);
  expect(readdirSync(folder.path)).toEqual(['r.json']);
});

test.skipIf(process.platform === 'win32')('what a link leads to is written, and the link stays', async () => {
  using folder = temporaryFolder({ 'there/old.json': 'old' });
  const link = join(folder.path, 'link');
  symlinkSync('there/old.json', link);
  symlinkSync('link', join(folder.path, 'again'));
  symlinkSync('there/new.json', join(folder.path, 'dangling'));
  symlinkSync('loop', join(folder.path, 'loop'));
  for (const [name, target] of [
    ['again', 'old'],
    ['dangling', 'new'],
  ] as const) {
    const path = join(folder.path, name);
    expect(await checkWritable(path)).toEqual({ regular: true });
    await writeAtomically(path, name);
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder.path, `there/${target}.json`), 'utf8')).toBe(name);
  }
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readdirSync(join(folder.path, 'there')).sort()).toEqual(['new.json', 'old.json']);
  await expect(checkWritable(join(folder.path, 'loop'))).rejects.toThrow(/over more than 40 links/);
});

test.skipIf(process.platform === 'win32')('a pipe is written to, not replaced', async () => {
  using folder = temporaryFolder({});
  const path = join(folder.path, 'pipe');
  execFileSync('mkfifo', [path]);
  expect(await checkWritable(path)).toEqual({ regular: false });
  const [text] = await Promise.all([readFile(path, 'utf8'), writeAtomically(path, 'through')]);
  expect(text).toBe('through');
  expect(lstatSync(path).isFIFO()).toBe(true);
});

onLinux('a device stays one, and says what it does not take', async () => {
  // A link to it, so that a fault of this code costs a link and no device.
  using folder = temporaryFolder({});
  const path = join(folder.path, 'full');
  symlinkSync('/dev/full', path);
  expect(await checkWritable(path)).toEqual({ regular: false });
  await expect(writeAtomically(path, 'x')).rejects.toThrow(/full cannot be written: ENOSPC/);
  expect(lstatSync('/dev/full').isCharacterDevice()).toBe(true);
});

test('what cannot be written is told before, with the reason', async () => {
  using folder = temporaryFolder({ file: 'x' });
  mkdirSync(join(folder.path, 'folder'));
  for (const [path, reason] of [
    ['', /'' cannot be written: its name is empty/],
    [join(folder.path, 'folder'), /it is a folder/],
    [join(folder.path, 'missing', 'r.json'), /ENOENT/],
    [join(folder.path, 'file', 'r.json'), /ENOTDIR/],
    ...(process.platform === 'linux'
      ? [['/proc/x.json', /\/proc\/x\.json cannot be written: E/] as const]
      : []),
  ] as const) {
    await expect(checkWritable(path), path).rejects.toThrow(UsageError);
    await expect(checkWritable(path), path).rejects.toThrow(reason);
  }
});
