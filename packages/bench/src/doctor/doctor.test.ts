import { expect, test } from 'vitest';
import { discoverKernels } from '../discover/discover-kernels.js';
import { fakePackage } from '../test-support/fake-kernel.js';
import { kernelModule, kernelPackageJson, temporaryFolder } from '../test-support/kernel-folders.js';
import { steeringVariables } from './doctor.js';
import { sectionsOf } from './sections.js';

test('variables that steer are told where they are set, two of them always', () => {
  const env = {
    PATH: '/bin',
    FFMA_LIBNVRTC: '/mine',
    CUDA_VISIBLE_DEVICES: '1',
    NVCC: '',
    LD_LIBRARY_PATH: '/lib',
  };
  expect(steeringVariables(env)).toEqual({
    NVIDIA_TF32_OVERRIDE: null,
    CUDA_VISIBLE_DEVICES: '1',
    FFMA_LIBNVRTC: '/mine',
    LD_LIBRARY_PATH: '/lib',
  });
});

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
