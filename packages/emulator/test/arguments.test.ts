import { type KernelArg, type LaunchConfig, launch, ObjectCode, openDevice } from '@ffma/core';
import { EmulatorDevice } from '@ffma/emulator';
import { afterAll, describe, expect, test } from 'vitest';
import { kernel } from './support/run-ptx.js';

const device = new EmulatorDevice({ cache: false, workers: 1 });
const other = new EmulatorDevice({ cache: false, workers: 1 });
afterAll(() => {
  device.close();
  other.close();
});

const refused = (call: () => unknown, message: RegExp, code = 'FFMA_ARGUMENT') =>
  expect(call).toThrow(expect.objectContaining({ code, message: expect.stringMatching(message) }));
// What TypeScript would not let through.
const any = (value: unknown) => value as never;
const bytes = new Uint8Array(4);

/** Takes the memory of an array away. */
function detach({ buffer }: Uint8Array): void {
  structuredClone(buffer, { transfer: [buffer as ArrayBuffer] });
}

describe('a copy whose memory was taken away', () => {
  test('fails alone: what follows on its stream is done, as on a GPU', async () => {
    using stream = device.createStream();
    using buffer = device.allocateSync(4);
    for (const way of ['copyFrom', 'copyTo'] as const) {
      const array = new Uint8Array(4);
      const copy = buffer[way](stream, array);
      detach(array);
      await expect(copy).rejects.toThrow(/detached/);
      await buffer.copyFrom(stream, Uint8Array.of(1, 2, 3, 4));
      await buffer.copyTo(stream, bytes);
      expect([...bytes]).toEqual([1, 2, 3, 4]);
      await stream.synchronize();
    }
  });

  test('is not kept from whoever does not look at its promise', async () => {
    using stream = device.createStream();
    using buffer = device.allocateSync(4);
    const heard: unknown[] = [];
    const others = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection');
    process.on('unhandledRejection', (error) => heard.push(error));
    try {
      const array = new Uint8Array(4);
      void buffer.copyTo(stream, array);
      detach(array);
      await stream.synchronize();
      await new Promise((resolve) => setTimeout(resolve, 5));
    } finally {
      process.removeAllListeners('unhandledRejection');
      for (const one of others) process.on('unhandledRejection', one);
    }
    expect(heard).toEqual([expect.objectContaining({ message: expect.stringMatching(/detached/) })]);
  });
});

test('time is measured between events of one device', async () => {
  const [events, streams] = [
    [device, other].map((on) => on.createEvent()),
    [device, other].map((on) => on.createStream()),
  ];
  for (const [i, event] of events.entries()) {
    streams[i]!.record(event);
    await event.synchronize();
  }
  const [own, foreign] = events as [(typeof events)[0], (typeof events)[0]];
  refused(() => own.elapsedMs(foreign), /start event belongs to another device/);
  refused(() => own.elapsedMs(any(null)), /A start event .* is needed, but got null/);
  refused(() => own.elapsedMs(any({ device })), /A start event .* is needed, but got an object/);
  using closed = device.createEvent();
  closed.close();
  refused(() => own.elapsedMs(closed), /event is closed/, 'FFMA_CLOSED');
});

test.each([undefined, null, 5, {}, 'x'])(
  '%o is neither stream, memory, event, code nor options',
  async (value) => {
    using stream = device.createStream();
    using buffer = device.allocateSync(16);
    refused(
      () => buffer.copyFrom(any(value), bytes),
      /A stream of the device of the buffer is needed, but got/,
    );
    refused(() => buffer.fill(any(value), 0), /A stream of the device of the buffer is needed, but got/);
    refused(
      () => buffer.copyFrom(stream, any(value)),
      /source of a copy, .* typed array or a DataView, but is/,
    );
    refused(() => buffer.copyTo(stream, any(value)), /target of a copy must be a typed array or a DataView/);
    refused(() => stream.record(any(value)), /An event of the device of the stream is needed, but got/);
    await expect(device.load(any(value))).rejects.toMatchObject({ code: 'FFMA_ARGUMENT' });
    if (value === undefined || typeof value === 'object') return;
    refused(() => device.createEvent(any(value)), /options of createEvent must be an object/);
    refused(() => new EmulatorDevice(any(value)), /options of an emulator must be an object/);
    await expect(openDevice('emulator', any(value))).rejects.toMatchObject({ code: 'FFMA_ARGUMENT' });
  },
);

test('bare memory is not taken for a foreign buffer, and a closed buffer has no address', () => {
  using stream = device.createStream();
  const buffer = device.allocateSync(16);
  refused(() => buffer.copyFrom(stream, any(new ArrayBuffer(4))), /is an ArrayBuffer.*new Uint8Array/);
  refused(() => buffer.copyFrom(stream, other.allocateSync(4)), /source buffer belongs to another device/);
  buffer.close();
  refused(() => buffer.address, /buffer is closed/, 'FFMA_CLOSED');
  refused(() => device.allocateSync(any(Symbol('x'))), /whole number of bytes, at least 0, but is Symbol/);
});

describe('a launch', () => {
  const config: LaunchConfig = { grid: [2, 1, 1], block: [1, 1, 1] };
  const ptx = kernel(
    'u64 out, u32 n',
    'ld.param.u64 %rd1, [out]; ld.param.u32 %r1, [n]; st.global.u32 [%rd1], %r1;',
  );

  test.each<[KernelArg, RegExp]>([
    [{ type: 'i32', value: Number.NaN }, /Argument 1 of kernel k is i32, .* is NaN/],
    [{ type: 'i32', value: any('4') }, /is i32, .* '4'/],
    [{ type: 'u32', value: -1 }, /is u32, .* is -1/],
    [{ type: 'f32', value: any(undefined) }, /is f32, .* is undefined/],
  ])('refuses %o as CUDA does', async (arg, message) => {
    using stream = device.createStream();
    using loaded = await device.load(ObjectCode.fromPtx(ptx));
    using out = device.allocateSync(4);
    const args: KernelArg[] = [{ type: 'pointer', buffer: out }, arg];
    refused(() => launch(stream, config, loaded.kernel('k'), ...args), message);
    refused(() => stream.enqueueLaunch(config, loaded.kernel('k'), args), message);
    const fake = { ...loaded.kernel('k'), device, name: 'k', paramSizes: [], attributes: {} };
    refused(
      () => stream.enqueueLaunch(config, any(fake), []),
      /A kernel of the device of the stream is needed/,
    );
  });

  test('that is enqueued uses its buffers, though they are closed before it runs', async () => {
    using stream = device.createStream();
    using loaded = await device.load(ObjectCode.fromPtx(ptx));
    const out = device.allocateSync(4);
    launch(
      stream,
      config,
      loaded.kernel('k'),
      { type: 'pointer', buffer: out },
      { type: 'u32', value: 2 ** 32 - 1 },
    );
    const copy = out.copyTo(stream, bytes);
    out.close();
    await copy;
    expect([...bytes]).toEqual([255, 255, 255, 255]);
  });
});
