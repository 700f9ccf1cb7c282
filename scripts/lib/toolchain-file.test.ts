import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { toolchainText, writeIfChanged } from './toolchain-file.mjs';

const clang = { name: 'clang', path: '/usr/bin/clang-19', version: '19.1.7' };

it('holds the versions that a build depends on', () => {
  const text = toolchainText({ node: '20.19.0', nvcc: undefined, clang });
  expect(JSON.parse(text)).toEqual({
    platform: `${process.platform}-${process.arch}`,
    node: '20.19.0',
    clang: { path: '/usr/bin/clang-19', version: '19.1.7' },
  });
  expect(toolchainText({ node: '20.19.0', clang: { ...clang, version: '20.1.0' } })).not.toBe(text);
});

it('leaves a file untouched whose text is the same', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ffma-toolchain-'));
  const path = join(folder, 'file.json');
  expect(writeIfChanged(path, 'one')).toBe(true);
  utimesSync(path, 1000, 1000);
  expect(writeIfChanged(path, 'one')).toBe(false);
  expect(statSync(path).mtimeMs).toBe(1_000_000);
  expect(writeIfChanged(path, 'two')).toBe(true);
  expect(readFileSync(path, 'utf8')).toBe('two');
  rmSync(folder, { recursive: true });
});
