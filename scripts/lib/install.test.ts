import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { installDigest, isInstalled, packageManager } from './install.mjs';

let root: string;
const write = (path: string, text: string) => {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), text);
};

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ffma-install-'));
  write('pnpm-lock.yaml', 'lock');
  write('pnpm-workspace.yaml', 'workspace');
  write('package.json', '{ "packageManager": "pnpm@1.2.3", "devDependencies": { "a": "1" } }');
  write('packages/one/package.json', '{ "dependencies": { "@s/b": "1" } }');
  write('node_modules/a/package.json', '{}');
  write('packages/one/node_modules/@s/b/package.json', '{}');
  write('node_modules/.ffma-installed', installDigest(root));
});
afterEach(() => rmSync(root, { recursive: true }));

it('takes the package manager from package.json', () => {
  expect(packageManager(root)).toBe('pnpm@1.2.3');
});

it('is installed while nothing changed', () => {
  expect(isInstalled(root)).toBe(true);
});

it.each([
  ['the lockfile', 'pnpm-lock.yaml', 'other'],
  ['a package', 'packages/one/package.json', '{ "dependencies": {} }'],
  ['a new package', 'packages/two/package.json', '{}'],
])('is not installed after %s changed', (_what, path, text) => {
  write(path, text);
  expect(isInstalled(root)).toBe(false);
});

it.each(['node_modules', 'node_modules/a', 'packages/one/node_modules'])(
  'is not installed without %s',
  (path) => {
    rmSync(join(root, path), { recursive: true });
    expect(isInstalled(root)).toBe(false);
  },
);
