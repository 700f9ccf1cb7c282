import { launch, ObjectCode } from '@ffma/core';
import { EmulatorDevice } from '@ffma/emulator';
import { afterAll, expect, test } from 'vitest';
import { address } from './support/faults.js';
import { kernel } from './support/run-ptx.js';

const device = new EmulatorDevice({ cache: false });
afterAll(() => device.close());

test('after a fault the stream rejects until synchronize has delivered it, then works again', async () => {
  const bad = kernel('u64 p', `${address(4)}\nst.global.f32 [%rd3], 0f3F800000;`);
  using object = await device.load(ObjectCode.fromPtx(bad));
  using stream = device.createStream();
  using other = device.createStream();
  using buffer = device.allocateSync(16);
  const config = { grid: [1, 1, 1], block: [8, 1, 1] } as const;
  launch(stream, config, object.kernel('k'), { type: 'pointer', buffer });
  launch(stream, config, object.kernel('k'), { type: 'pointer', buffer });
  const event = device.createEvent();
  stream.record(event);
  const copy = buffer.copyTo(stream, new Float32Array(4));
  await expect(copy).rejects.toThrow('Out-of-bounds store');
  await expect(event.synchronize()).rejects.toThrow('Out-of-bounds store');
  await expect(buffer.copyFrom(stream, new Float32Array(4))).rejects.toThrow('Out-of-bounds store');
  // Another stream is none the worse.
  await buffer.copyFrom(other, Float32Array.of(1, 2, 3, 4));
  await expect(stream.synchronize()).rejects.toMatchObject({
    code: 'FFMA_KERNEL_FAULT',
    kind: 'out-of-bounds',
  });
  await stream.synchronize();
  const back = new Float32Array(4);
  await buffer.copyTo(stream, back);
  expect([...back]).toEqual([1, 2, 3, 4]);
  launch(stream, { grid: [1, 1, 1], block: [4, 1, 1] }, object.kernel('k'), { type: 'pointer', buffer });
  await device.synchronize();
});
