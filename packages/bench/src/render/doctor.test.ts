import { expect, test } from 'vitest';
import { tf32Canary } from '../doctor/canary.js';
import type { DoctorReport } from '../doctor/doctor.js';
import { deviceFacts, hostFacts } from '../result/provenance.js';
import { FakeDevice } from '../test-support/fake-device.js';
import { fakeKernel, selected } from '../test-support/fake-kernel.js';
import { FakeTimingDevice } from '../test-support/fake-timing-device.js';
import { renderDoctor } from './doctor.js';
import { plain } from './style.js';
import { widthOf } from './text.js';

const report = async (): Promise<DoctorReport> => ({
  tool: { '@ffma/bench': '0.1.0', '@ffma/core': '0.1.0' },
  host: hostFacts(),
  devices: [
    { kind: 'cuda', available: false, reason: 'No NVIDIA driver is installed.' },
    {
      kind: 'emulator',
      available: true,
      facts: deviceFacts(new FakeDevice()),
      canary: await tf32Canary(new FakeDevice(), [selected(fakeKernel('k01'))]),
      references: [{ passed: true, kernel: 'lib', sentence: 'passed: lib keeps every bit' }],
    },
  ],
  cuda: {
    addon: { available: true, version: 'interface 1', path: '/addon.node' },
    driver: { available: false, reason: 'No NVIDIA driver is installed.' },
    nvrtc: { available: false, reason: 'no NVRTC' },
    nvml: { available: false, reason: 'no NVML' },
    devices: [],
  },
  environment: { NVIDIA_TF32_OVERRIDE: '1', CUDA_VISIBLE_DEVICES: null },
  sections: [{ title: 'libfast', lines: ['13.1, /opt/libfast.so', 'no override'] }],
  relaxedSimd: false,
  compilers: [
    { name: 'nvcc', available: true, path: '/usr/bin/nvcc', version: '13.0.88', formats: ['cubin', 'ptx'] },
    { name: 'clang', available: false, reason: 'There is no clang++.', remedy: 'apt-get install clang-19' },
  ],
  cacheFolder: '/cache',
  packages: [
    {
      name: '@x/ladder',
      version: '1.2.3',
      kernels: [{ id: 'k01_bm32', library: false, ptx: ['80', '90'], cubin: [] }],
    },
    { name: '@x/lib', version: '1.0.0', kernels: [{ id: 'lib', library: true, ptx: [], cubin: [] }] },
  ],
  broken: [{ name: 'bad', folder: '/bad', reason: 'It is not built.' }],
  missing: ['gone'],
});

test('the block names everything, with a reason for what is not there', async () => {
  const lines = renderDoctor(await report(), plain, 80);
  expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(80);
  const text = lines.join('\n');
  for (const part of [
    'ffma      bench 0.1.0, core 0.1.0',
    'cuda      not available. No NVIDIA driver is installed.',
    'emulator  fake device (sm_90), 132 SMs, fma f64',
    'TF32 canary passed: k01_bm32 keeps every bit that TF32 would drop',
    'TF32 canary passed: lib keeps every bit',
    'addon interface 1, /addon.node',
    'libfast   13.1, /opt/libfast.so\n          no override',
    'variables NVIDIA_TF32_OVERRIDE=1\n          CUDA_VISIBLE_DEVICES is not set',
    'relaxed SIMD not available: exact FMAs take f64 arithmetic',
    'nvcc      13.0.88, /usr/bin/nvcc (cubin, ptx)',
    'clang     not available. There is no clang++. apt-get install clang-19',
    '@x/ladder 1.2.3: 1 kernel, built ptx 80 90',
    '@x/lib 1.0.0: 1 kernel, of a library',
    'not usable: bad: It is not built.',
    'not installed: gone',
  ]) {
    expect(text).toContain(part);
  }
});

test('with a driver, its libraries and all GPUs are listed', async () => {
  const { attributes: _, ...gpu } = {
    ...new FakeTimingDevice().properties,
    name: 'NVIDIA H200',
    totalBytes: 139 * 2 ** 30,
  };
  const found = await report();
  const devices = [0, 1].map((index) => ({
    ...gpu,
    index,
    computeCapability: [9, 0] as const,
    attributes: {} as never,
  }));
  const cuda = {
    ...found.cuda,
    driver: { available: true, version: 'CUDA 13.0', path: '/lib/libcuda.so.1' } as const,
    devices,
  };
  const text = renderDoctor({ ...found, cuda }, plain, 80).join('\n');
  expect(text).toContain('libcuda CUDA 13.0, /lib/libcuda.so.1');
  expect(text).toContain('NVML not available. no NVML');
  expect(text).toContain('GPU 1: NVIDIA H200, sm_90, 139 GiB, GPU-0123');
  expect(renderDoctor(found, plain, 80).join('\n')).not.toContain('no NVML');
});

test('the canary fails where bits are lost, and says why where nothing ran', async () => {
  const device = new FakeDevice();
  expect(await tf32Canary(device, [selected(fakeKernel('k01', { error: 1 }))])).toMatchObject({
    passed: false,
  });
  const unloadable = selected(fakeKernel('k02', { failsToLoad: 'no artefact' }));
  expect(await tf32Canary(device, [unloadable, selected(fakeKernel('k01'))])).toMatchObject({ passed: true });
  expect(await tf32Canary(device, [unloadable])).toMatchObject({
    passed: undefined,
    sentence: expect.stringMatching(/no artefact/),
  });
  expect((await tf32Canary(device, [])).sentence).toBe('not run: no kernel package was found');
});
