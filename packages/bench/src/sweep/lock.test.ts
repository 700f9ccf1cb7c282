import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../test-support/kernel-folders.js';
import { UsageError } from '../usage-error.js';
import { takeLock } from './lock.js';

const holder = (more: object) =>
  JSON.stringify({ pid: process.pid, host: hostname(), since: 'today', run: '', ...more });

test('a lock is had by one at a time, and given back', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'x.lock');
  {
    using _ = takeLock(path);
    expect(() => takeLock(path)).toThrow(UsageError);
  }
  using _ = takeLock(path);
  expect(existsSync(path)).toBe(true);
});

test('what a process that died left behind is taken over, without a trace', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'x.lock');
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  writeFileSync(path, holder({ pid }));
  {
    using _ = takeLock(path);
    expect(readdirSync(folder.path)).toEqual(['x.lock']);
  }
  expect(readdirSync(folder.path)).toEqual([]);
});

test('a process that has the number of another one, which is gone, does not keep its lock', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'x.lock');
  writeFileSync(path, holder({ run: 'another-boot 1' }));
  using _ = takeLock(path);
  expect(() => takeLock(path)).toThrow(/works on this sweep/);
});

test('a process that ends by itself gives its lock back', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'x.lock');
  const before = process.listeners('exit');
  using _ = takeLock(path);
  const [ended] = process.listeners('exit').filter((listener) => !before.includes(listener));
  ended?.(0);
  expect(existsSync(path)).toBe(false);
});

test.each([
  [holder({ pid: 1 }), /process 1 on .*, since today, works on this sweep.*delete .*x\.lock/],
  [holder({ host: 'elsewhere', pid: 999_999_999 }), /process 999999999 on elsewhere/],
  ['{', /another process works on this sweep/],
])('%s is somebody whom nobody knows to be gone', (text, message) => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'x.lock');
  writeFileSync(path, text);
  expect(() => takeLock(path)).toThrow(message);
  expect(existsSync(path)).toBe(true);
});
