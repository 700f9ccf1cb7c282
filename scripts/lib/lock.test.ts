import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFolder, takeLock } from './lock.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ffma-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a lock', () => {
  it('is had by one at a time, and leaves nothing', () => {
    const path = join(folder, 'a', 'work.lock');
    const first = takeLock(path);
    expect(takeLock(path)).toEqual({ heldBy: process.pid });
    if (!('release' in first)) return expect.unreachable();
    first.release();
    expect(readdirSync(join(folder, 'a'))).toEqual([]);
    const second = takeLock(path);
    expect(second).toHaveProperty('release');
    if ('release' in second) second.release();
  });

  it('of a process that has ended, and one that is no lock, are taken over', () => {
    const path = join(folder, 'work.lock');
    const { pid } = spawnSync(process.execPath, ['-e', '0']);
    for (const content of [String(pid), 'nonsense']) {
      writeFileSync(path, content);
      const taken = takeLock(path);
      expect(taken).toHaveProperty('release');
      if ('release' in taken) taken.release();
      expect(existsSync(path)).toBe(false);
    }
  });
});

describe('a folder', () => {
  it('is made with those above it', () => {
    makeFolder(join(folder, 'a', 'b', 'c'));
    makeFolder(join(folder, 'a', 'b', 'c'));
    expect(existsSync(join(folder, 'a', 'b', 'c'))).toBe(true);
  });

  it.runIf(existsSync('/proc/self'))('that the system refuses is an error at once', () => {
    expect(() => makeFolder('/proc/ffma-nonesuch/x')).toThrow(/ENOENT|EACCES|EPERM/);
  });
});
