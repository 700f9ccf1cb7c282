import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { admits, findPackage, type Package, placePackages } from './closure.mjs';

let root = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'ffma-closure-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Writes a package. */
function put(folder: string, name: string, json: object = {}): void {
  mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, folder, 'package.json'), JSON.stringify({ name, ...json }));
}

/** Links `from` to `to`, as pnpm does. */
function link(from: string, to: string): void {
  mkdirSync(dirname(join(root, from)), { recursive: true });
  symlinkSync(join(root, to), join(root, from));
}

const found = (name: string) => findPackage(name, root) as Package;
const places = (placed: Map<string, Package>) =>
  Object.fromEntries([...placed].map(([place, { folder }]) => [place, folder.slice(root.length + 1)]));

it('follows dependencies through links, with a place of their own for packages of the workspace', () => {
  put('packages/app', '@ours/app', { dependencies: { left: '1', '@ours/lib': '1' } });
  put('packages/lib', '@ours/lib', { dependencies: { left: '1' } });
  put('store/left', 'left');
  link('node_modules/@ours/app', 'packages/app');
  link('packages/app/node_modules/@ours/lib', 'packages/lib');
  for (const name of ['app', 'lib']) link(`packages/${name}/node_modules/left`, 'store/left');
  const placeOf = ({ name }: Package) => /^@ours\/(.*)$/.exec(name)?.[1];
  expect(places(placePackages([found('@ours/app')], { placeOf }))).toEqual({
    app: 'packages/app',
    lib: 'packages/lib',
    'node_modules/left': 'store/left',
  });
});

it('puts a second version below the package that needs it, and only there', () => {
  put('node_modules/a', 'a', { dependencies: { deep: '1' } });
  put('node_modules/b', 'b', { dependencies: { deep: '2' } });
  put('node_modules/deep', 'deep', { version: '1.0.0' });
  put('node_modules/b/node_modules/deep', 'deep', { version: '2.0.0', dependencies: { a: '1' } });
  expect(Object.keys(places(placePackages(['a', 'b'].map(found))))).toEqual([
    'node_modules/a',
    'node_modules/b',
    'node_modules/deep',
    'node_modules/b/node_modules/deep',
  ]);
});

it('takes of optional dependencies those that are installed and made for this platform', () => {
  put('node_modules/a', 'a', { optionalDependencies: { absent: '1', here: '1', there: '1' } });
  put('node_modules/here', 'here', { os: [process.platform], cpu: [process.arch] });
  put('node_modules/there', 'there', { os: [`!${process.platform}`] });
  expect(Object.keys(places(placePackages([found('a')])))).toEqual(['node_modules/a', 'node_modules/here']);
});

it('leaves out what it is told to, with what only that needs', () => {
  put('node_modules/a', 'a', { dependencies: { css: '1' } });
  put('node_modules/css', 'css', { dependencies: { parser: '1' } });
  put('node_modules/parser', 'parser');
  const placed = placePackages([found('a')], { without: new Set(['css']) });
  expect(Object.keys(places(placed))).toEqual(['node_modules/a']);
});

it('says which package needs what is not installed', () => {
  put('node_modules/a', 'a', { dependencies: { gone: '1' } });
  expect(() => placePackages([found('a')])).toThrow('a needs gone, which is not installed');
});

it.each([
  [undefined, true],
  [['linux'], true],
  [['darwin', 'win32'], false],
  [['!linux'], false],
  [['!win32'], true],
])('a field %j admits linux: %s', (field, expected) => {
  expect(admits(field, 'linux')).toBe(expected);
});
