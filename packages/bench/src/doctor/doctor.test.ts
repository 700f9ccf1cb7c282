import { expect, test } from 'vitest';
import { discoverKernels } from '../discover/discover-kernels.js';
import { fakePackage } from '../test-support/fake-kernel.js';
import { kernelModule, kernelPackageJson, temporaryFolder } from '../test-support/kernel-folders.js';
import { sectionsOf } from './sections.js';

test('a kernel package speaks for itself, by what its module exports as doctor', async () => {
  using folder = temporaryFolder({
    'package.json': kernelPackageJson('own'),
    'kernels.js': `${kernelModule({ name: 'k01' })}
export async function doctor() { return [{ title: 'libfast', lines: ['13.1, /opt/libfast.so', 'TF32 is off'] }]; }`,
  });
  const { packages } = await discoverKernels(folder.path);
  expect(await sectionsOf(packages)).toEqual([
    { title: 'libfast', lines: ['13.1, /opt/libfast.so', 'TF32 is off'] },
  ]);
});

test('one that has nothing to say, and one that fails, do no harm', async () => {
  const failing = { ...fakePackage, name: '@x/bad', doctor: () => Promise.reject(new Error('no such luck')) };
  expect(await sectionsOf([fakePackage, failing])).toEqual([
    { title: '@x/bad', lines: ['Its doctor failed: no such luck'] },
  ]);
});
