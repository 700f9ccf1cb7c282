import { registerProvider } from '@ffma/core';
import { expect, test } from 'vitest';
import { type FakeKernelOptions, fakeKernel, selected } from '../test-support/fake-kernel.js';
import { FakeTimingDevice } from '../test-support/fake-timing-device.js';
import { lostBits, reportDevice } from './device-report.js';

async function report(kernels: Readonly<Record<string, FakeKernelOptions>>) {
  registerProvider({ kind: 'cuda', open: async () => new FakeTimingDevice() });
  const found = Object.entries(kernels).map(([name, parts]) => selected(fakeKernel(name, parts)));
  const device = await reportDevice('cuda', found);
  return device.available ? device : expect.unreachable();
}

test('a kernel runs the canary, and so does every library that loads there', async () => {
  const device = await report({
    lib: { role: 'reference' },
    gone: { role: 'reference', failsToLoad: 'not found' },
    k01: {},
  });
  expect(device.canary).toMatchObject({ passed: true, kernel: 'k01_bm32' });
  expect(device.references).toMatchObject([{ passed: true, kernel: 'lib_bm32' }]);
  expect(device.facts.details).toMatchObject({ uuid: 'GPU-0123', driver: '580.1' });
  expect(lostBits(device)).toBe(false);
});

test('a library that loses bits is reported, however right the kernels are', async () => {
  const device = await report({ lib: { role: 'reference', error: 1 }, k01: {} });
  expect(device.canary.passed).toBe(true);
  expect(device.references[0]).toMatchObject({ passed: false });
  expect(lostBits(device)).toBe(true);
});

test('what cannot be opened is a reason, and loses no bits', async () => {
  registerProvider({ kind: 'cuda', open: () => Promise.reject(new Error('No GPU.')) });
  const device = await reportDevice('cuda', []);
  expect(device).toEqual({ kind: 'cuda', available: false, reason: 'No GPU.' });
  expect(lostBits(device)).toBe(false);
});
