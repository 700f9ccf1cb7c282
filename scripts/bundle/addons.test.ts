import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { addonComplaint, tryAddons } from './addons.mjs';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ffma-addons-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function file(path: string, text = '') {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

it('misses the addon of a package that has sources of one, and of no other', () => {
  file('core/CMakeLists.txt');
  file('plain/index.js');
  const packages = ['core', 'plain'].map((name) => ({ place: `packages/${name}`, folder: join(root, name) }));
  const built = ['dist/native/ffma.node', 'dist/index.js'];
  const complaint = addonComplaint(
    packages,
    () => true,
    () => ['dist/index.js'],
  );
  expect(complaint).toMatch(/packages\/core has no addon.*apt-get install -y cmake/);
  expect(complaint).not.toContain('plain');
  expect(
    addonComplaint(
      packages,
      () => true,
      () => built,
    ),
  ).toBeUndefined();
  expect(
    addonComplaint(
      packages,
      (path) => !path.endsWith('.node'),
      () => built,
    ),
  ).toMatch(/packages\/core/);
});

it('tells an addon that does not load, by the loader’s words', async () => {
  mkdirSync(join(root, 'bin'));
  file('bin/node', `#!/bin/sh\nexec ${process.execPath} "$@"\n`);
  chmodSync(join(root, 'bin/node'), 0o755);
  file('packages/core/dist/native/ffma.node', 'no library');
  const { code, output } = await tryAddons(root, {});
  expect(code).not.toBe(0);
  expect(output).toMatch(/^Its addons do not load\.[\s\S]*(file too short|invalid ELF header)/);
});
