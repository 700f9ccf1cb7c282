import { launch, ObjectCode } from '@ffma/core';
import { EmulatorDevice } from '@ffma/emulator';
import { describe, expect, test } from 'vitest';
import { address } from './support/faults.js';
import { kernel } from './support/run-ptx.js';

const bad = kernel('u64 p', `${address(4)}\nst.global.f32 [%rd3], 0f3F800000;`);
const config = { grid: [1, 1, 1], block: [8, 1, 1] } as const;

/** A device of which a stream has been given a store out of bounds. */
async function faulty() {
  const device = new EmulatorDevice({ cache: false, workers: 1 });
  const object = await device.load(ObjectCode.fromPtx(bad));
  const buffer = device.allocateSync(16);
  const stream = device.createStream();
  launch(stream, config, object.kernel('k'), { type: 'pointer', buffer });
  return { device, stream };
}

describe('a fault that its stream has not delivered', () => {
  test('is delivered by the asynchronous disposal of the stream, once', async () => {
    const { device, stream } = await faulty();
    await expect(stream[Symbol.asyncDispose]()).rejects.toThrow('Out-of-bounds store');
    expect(stream.closed).toBe(true);
    await device.synchronize();
    device.close();
  });

  test('is delivered by the device, when the stream was closed', async () => {
    const { device, stream } = await faulty();
    stream.close();
    await expect(device.synchronize()).rejects.toThrow('Out-of-bounds store');
    await device.synchronize();
    await device[Symbol.asyncDispose]();
  });

  test('is delivered by the asynchronous disposal of the device', async () => {
    const { device, stream } = await faulty();
    stream.close();
    await stream.drained;
    await expect(device[Symbol.asyncDispose]()).rejects.toThrow('Out-of-bounds store');
    expect(device.closed).toBe(true);
  });
});

test('a closed device keeps nobody waiting for a launch that would never end', async () => {
  const device = new EmulatorDevice({ cache: false, workers: 1 });
  const object = await device.load(ObjectCode.fromPtx(kernel('', 'LOOP: bra LOOP;')));
  const [first, second] = [device.createStream(), device.createStream()];
  launch(first, config, object.kernel('k'));
  launch(second, config, object.kernel('k'));
  const waiting = [first[Symbol.asyncDispose](), device[Symbol.asyncDispose]()];
  device.close();
  await Promise.all([...waiting, second[Symbol.asyncDispose](), device[Symbol.asyncDispose]()]);
  expect([first.closed, second.closed]).toEqual([true, true]);
});
