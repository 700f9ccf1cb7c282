import { expect, test } from 'vitest';
import { FakeDevice } from '../test-support/fake-device.js';
import { discoveryOf, fakeKernel, selected } from '../test-support/fake-kernel.js';
import { UsageError } from '../usage-error.js';
import { checkOperandMemory, operandBytes } from './operand-memory.js';
import { runBench } from './run-bench.js';
import { parseSizes } from './sizes.js';

test('operands are A, B and C in float32', () => {
  expect(operandBytes({ m: 2, n: 3, k: 5 })).toBe(4 * (10 + 15 + 6));
});

test.each(['65536x65536x65536', '2147483647x1x1', '1000000000', '256,1000000000'])(
  '%s is refused',
  (text) => {
    expect(() => checkOperandMemory(parseSizes(text))).toThrow(UsageError);
    expect(() => checkOperandMemory(parseSizes(text))).toThrow(
      /^The operands of \d+(×\d+×\d+|³) take .+, but of host memory .+ is the most .+ Choose a smaller size\.$/,
    );
  },
);

test('what the machines measure is not refused', () => {
  expect(() => checkOperandMemory(parseSizes('16384,1,1024x512x64'))).not.toThrow();
});

test('a size that the device has no room for is refused before anything is allocated there', async () => {
  const device = new FakeDevice();
  device.memInfo = () => ({ free: 1000, total: 2000 });
  device.allocate = () => Promise.reject(new Error('nothing may be allocated'));
  const k01 = fakeKernel('k01');
  const options = { sizes: parseSizes('16'), discovery: discoveryOf(k01) };
  await expect(runBench(device, [selected(k01)], options)).rejects.toThrow(
    /16.* but fake device has .* free/,
  );
});
