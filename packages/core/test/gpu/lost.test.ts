import { expect } from 'vitest';
import { DeviceLostError, launch, openDevice } from '../../dist/index.js';
import { gpuTest } from './support/gpu.js';
import { block, kernels } from './support/kernels.js';

gpuTest('a write to a bad address takes the device down for ever, and no data comes back', async (device) => {
  const stream = device.createStream();
  const buffer = await device.allocate(8 * 2 ** 20);
  using pinned = device.allocatePinned(16);
  const loaded = await device.load(kernels);
  await buffer.copyFrom(stream, new Float32Array(2 * 2 ** 20).fill(1));

  launch(stream, block(1), loaded.kernel('crash'));
  const targets = [new Float32Array(4), new Float32Array(2 ** 20), new Float32Array(pinned.buffer).fill(0)];
  const results = await Promise.allSettled(targets.map((target) => buffer.copyTo(stream, target)));
  for (const result of results) {
    expect(result).toMatchObject({
      status: 'rejected',
      reason: { code: 'FFMA_DEVICE_LOST', native: 'CUDA_ERROR_ILLEGAL_ADDRESS' },
    });
  }
  for (const target of targets) expect(target.every((value) => value === 0)).toBe(true);

  expect(device.lost).toBeInstanceOf(DeviceLostError);
  expect(device.lost?.message).toMatch(/^The GPU was lost: .*CUDA_ERROR_ILLEGAL_ADDRESS.*start a new one/);
  for (const attempt of [
    () => device.createStream(),
    () => device.memInfo(),
    () => device.allocateSync(16),
    () => launch(stream, block(1), loaded.kernel('nothing')),
  ]) {
    expect(attempt).toThrow(DeviceLostError);
  }
  await expect(buffer.copyTo(stream, new Float32Array(4))).rejects.toThrow(DeviceLostError);
  await expect(stream.synchronize()).rejects.toThrow(DeviceLostError);
  await expect(device.synchronize()).rejects.toThrow(DeviceLostError);
  await expect(device.load(kernels)).rejects.toThrow(DeviceLostError);
  await expect(openDevice('cuda')).rejects.toThrow(DeviceLostError);
  buffer.close();
  loaded.close();
  stream.close();
});
