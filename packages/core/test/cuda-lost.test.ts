import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CudaDevice } from '../dist/cuda/index.js';
import { DeviceLostError, launch, ObjectCode, openDevice } from '../dist/index.js';
import { buildFakeCuda } from './support/fake-cuda.js';
import { Scratch } from './support/fake-tools.js';

const scratch = new Scratch();
let device: CudaDevice;

beforeAll(async () => {
  process.env.FFMA_LIBCUDA = buildFakeCuda(scratch);
  device = await openDevice('cuda');
});
afterAll(() => scratch[Symbol.dispose]());

it('a sticky error takes the device down for ever, names itself, and no data comes back', async () => {
  const config = { grid: [1, 1, 1], block: [1, 1, 1] } as const;
  const stream = device.createStream();
  const other = device.createStream();
  const buffer = await device.allocate(4 * 2 ** 20);
  using pinned = device.allocatePinned(16);
  const loaded = await device.load(ObjectCode.fromPtx('kernels crash: sleep:4'));
  await buffer.copyFrom(stream, new Float32Array(2 ** 20).fill(1));

  launch(stream, config, loaded.kernel('sleep'), { type: 'i32', value: 50 });
  launch(stream, config, loaded.kernel('crash'));
  const targets = [new Float32Array(4), new Float32Array(2 ** 20), new Float32Array(pinned.buffer).fill(0)];
  const inFlight = [
    ...targets.map((target) => buffer.copyTo(stream, target)),
    other.synchronize(),
    stream.synchronize(),
  ];
  const [small, large, direct, bystander, waiting] = await Promise.allSettled(inFlight);
  for (const result of [small, large, direct, waiting]) {
    expect(result).toMatchObject({
      status: 'rejected',
      reason: { code: 'FFMA_DEVICE_LOST', native: 'CUDA_ERROR_ILLEGAL_ADDRESS' },
    });
  }
  expect(bystander?.status).toBe('fulfilled');
  for (const target of targets) expect(target.every((value) => value === 0)).toBe(true);

  expect(device.lost).toBeInstanceOf(DeviceLostError);
  expect(device.lost?.message).toMatch(
    /^The GPU was lost: cuEventQuery failed with CUDA_ERROR_ILLEGAL_ADDRESS.*new one/,
  );
  expect(() => device.createStream()).toThrow(DeviceLostError);
  expect(() => device.memInfo()).toThrow(DeviceLostError);
  expect(() => launch(stream, config, loaded.kernel('crash'))).toThrow(DeviceLostError);
  await expect(device.allocate(4)).rejects.toThrow(DeviceLostError);
  await expect(buffer.copyTo(other, new Float32Array(4))).rejects.toThrow(DeviceLostError);
  await expect(device.synchronize()).rejects.toThrow(DeviceLostError);
  await expect(device.load(ObjectCode.fromPtx('kernels x:4'))).rejects.toThrow(DeviceLostError);
  await expect(openDevice('cuda')).rejects.toThrow(DeviceLostError);
  buffer.close();
  stream.close();
  await device[Symbol.asyncDispose]();
  expect(device.lost).toBeInstanceOf(DeviceLostError);
});
