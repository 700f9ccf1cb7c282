import { type Buffer, type KernelArg, launch, ObjectCode } from '@ffma/core';
import { EmulatorDevice } from '@ffma/emulator';
import { expect, test } from 'vitest';
import { kernel } from './support/run-ptx.js';

const config = { grid: [1, 1, 1], block: [1, 1, 1] } as const;
const ptx = kernel('u64 out', 'ld.param.u64 %rd1, [out]; mov.u32 %r1, 7; st.global.u32 [%rd1], %r1;');

test('arguments that lead elsewhere are refused, by whatever way they come, and nothing is launched', async () => {
  await using device = new EmulatorDevice({ cache: false, workers: 1 });
  await using other = new EmulatorDevice({ cache: false, workers: 1 });
  using stream = device.createStream();
  using loaded = await device.load(ObjectCode.fromPtx(ptx));
  using own = device.allocateSync(4);
  own.fill(stream, 0);
  const closed = device.allocateSync(4);
  closed.close();
  const pointer = (buffer: Buffer): KernelArg => ({ type: 'pointer', buffer });
  const refused = [
    [pointer(other.allocateSync(4)), 'FFMA_ARGUMENT', /buffer of another device/],
    [pointer(closed), 'FFMA_CLOSED', /buffer of argument 0 of kernel k is closed/],
    [{ type: 'i32', value: 1 }, 'FFMA_ARGUMENT', /must be 8 bytes, but i32 is 4/],
    [
      { type: 'tensorMap', map: { buffer: own, bytes: new Uint8Array(128) } },
      'FFMA_ARGUMENT',
      /Argument 0 of kernel k must be 8 bytes, but tensorMap is 128/,
    ],
  ] as const;
  for (const [arg, code, message] of refused) {
    const error = expect.objectContaining({ code, message: expect.stringMatching(message) });
    expect(() => launch(stream, config, loaded.kernel('k'), arg)).toThrow(error);
    expect(() => stream.enqueueLaunch(config, loaded.kernel('k'), [arg])).toThrow(error);
  }
  const value = new Uint32Array(1);
  await own.copyTo(stream, value);
  expect(value[0]).toBe(0);
  stream.enqueueLaunch(config, loaded.kernel('k'), [pointer(own)]);
  await own.copyTo(stream, value);
  expect(value[0]).toBe(7);
});
