import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../test-support/kernel-folders.js';
import { UsageError } from '../usage-error.js';
import { takeLock } from './lock.js';

const holder = (more: object) =>
  JSON.stringify({ pid: process.pid, host: hostname(), since: 'today', ...more });

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
