import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { kernelModule, kernelPackageJson, temporaryFolder } from '../test-support/kernel-folders.js';
import { discoverKernels } from './discover-kernels.js';

const root = (more: object) => ({ name: 'root', type: 'module', ...more });

test('finds the kernels of dependencies of every kind, and no others', async () => {
  using folder = temporaryFolder({
    'package.json': root({
      dependencies: { '@x/ladder': '1', plain: '1' },
      devDependencies: { two: '1' },
      optionalDependencies: { three: '1', 'not-here': '1' },
    }),
    'node_modules/@x/ladder/package.json': kernelPackageJson('@x/ladder'),
    'node_modules/@x/ladder/kernels.js': kernelModule({ name: 'k01' }, { name: 'k02', basedOn: 'k01' }),
    'node_modules/plain/package.json': { name: 'plain' },
    'node_modules/two/package.json': kernelPackageJson('two'),
    'node_modules/two/kernels.js': kernelModule({ name: 'a1' }),
    'node_modules/three/package.json': kernelPackageJson('three'),
    'node_modules/three/kernels.js': kernelModule({ name: 'b1' }),
    'node_modules/undeclared/package.json': kernelPackageJson('undeclared'),
    'node_modules/undeclared/kernels.js': kernelModule({ name: 'c1' }),
  });
  const found = await discoverKernels(folder.path);
  expect(found.kernels.map((k) => k.name)).toEqual(['k01', 'k02', 'a1', 'b1']);
  expect(found.kernels[1]?.definition?.basedOn).toBe('k01');
  expect(found.kernels[0]?.package).toMatchObject({ name: '@x/ladder', version: '1.2.3' });
  expect(found.broken).toEqual([]);
  expect(found.missing).toEqual([]);
});

test('finds the kernels of the package itself, from a folder below its package.json', async () => {
  using folder = temporaryFolder({
    'package.json': kernelPackageJson('own'),
    'kernels.js': kernelModule({ name: 'k01' }),
    'deep/er/readme.txt': '',
  });
  const found = await discoverKernels(join(folder.path, 'deep', 'er'));
  expect(found.root).toBe(folder.path);
  expect(found.kernels.map((k) => k.name)).toEqual(['k01']);
});

test('follows links, and takes a package once', async () => {
  using folder = temporaryFolder({
    'packages/ladder/package.json': kernelPackageJson('ladder', { dependencies: { ladder: '1' } }),
    'packages/ladder/kernels.js': kernelModule({ name: 'k01' }),
  });
  const ladder = join(folder.path, 'packages', 'ladder');
  mkdirSync(join(folder.path, 'node_modules'));
  symlinkSync(ladder, join(folder.path, 'node_modules', 'ladder'));
  const found = await discoverKernels(ladder);
  expect(found.kernels.map((k) => k.package.folder)).toEqual([ladder]);
});

test.each([
  ['unbuilt', {}, /not built: \.\/kernels\.js does not exist\. Run the build script of bad/],
  [
    'throwing on import',
    { 'node_modules/bad/kernels.js': 'throw new Error("no such luck")' },
    /no such luck/,
  ],
  [
    'without an array',
    { 'node_modules/bad/kernels.js': 'export const kernel = 1' },
    /exports no array named kernels/,
  ],
  [
    'with a non-kernel',
    { 'node_modules/bad/kernels.js': 'export const kernels = [{ id: 1 }]' },
    /kernels\[0\].*id must be a string, but is number/,
  ],
  [
    'with twins',
    { 'node_modules/bad/kernels.js': kernelModule({ name: 'k01' }, { name: 'k01' }) },
    /kernel k01 twice/,
  ],
])('reports a package %s with the reason, and keeps the others', async (_, files, reason) => {
  using folder = temporaryFolder({
    'package.json': root({ dependencies: { bad: '1', good: '1' } }),
    'node_modules/bad/package.json': kernelPackageJson('bad'),
    'node_modules/good/package.json': kernelPackageJson('good'),
    'node_modules/good/kernels.js': kernelModule({ name: 'k01' }),
    ...files,
  });
  const found = await discoverKernels(folder.path);
  expect(found.kernels.map((k) => k.package.name)).toEqual(['good']);
  expect(found.broken).toEqual([
    { name: 'bad', folder: expect.any(String), reason: expect.stringMatching(reason) },
  ]);
});

test('names dependencies that are not installed, and survives a broken package.json', async () => {
  using folder = temporaryFolder({
    'package.json': root({ dependencies: { gone: '1', garbled: '1' } }),
    'node_modules/garbled/package.json': '{',
  });
  const found = await discoverKernels(folder.path);
  expect(found.missing).toEqual(['gone']);
  expect(found.broken[0]?.reason).toMatch(/garbled\/package\.json cannot be read: /);
});

test('a syntax error in the package.json of the folder itself is named', async () => {
  using folder = temporaryFolder({ 'package.json': '{ "name": }' });
  const path = join(folder.path, 'package.json');
  await expect(discoverKernels(folder.path)).rejects.toThrow(`${path} cannot be read: `);
});
