import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { launch, ObjectCode } from '@ffma/core';
import { EmulatorDevice } from '@ffma/emulator';
import { afterAll, describe, expect, test } from 'vitest';
import { kernel } from './support/run-ptx.js';

const device = new EmulatorDevice({ cache: false, workers: 1 });
afterAll(() => device.close());

type Resizable = ArrayBuffer & { resize(byteLength: number): void };
const resizable = (byteLength: number, maxByteLength: number): Resizable =>
  new (ArrayBuffer as unknown as new (byteLength: number, options: { maxByteLength: number }) => Resizable)(
    byteLength,
    { maxByteLength },
  );

test.each([8, 32])('a copy of an array that has %i bytes by then, not 16, touches nothing', async (later) => {
  using stream = device.createStream();
  using buffer = device.allocateSync(16);
  using neighbour = device.allocateSync(16);
  await buffer.copyFrom(stream, new Uint8Array(16).fill(1));
  await neighbour.copyFrom(stream, new Uint8Array(16).fill(2));
  const memory = resizable(16, 64);
  const copy = buffer.copyFrom(stream, new Uint8Array(memory));
  memory.resize(later);
  await expect(copy).rejects.toThrow('had 16 bytes');
  await stream.synchronize();
  const [kept, other] = [new Uint8Array(16), new Uint8Array(16)];
  await buffer.copyTo(stream, kept);
  await neighbour.copyTo(stream, other);
  expect([...kept, ...other]).toEqual([...new Array(16).fill(1), ...new Array(16).fill(2)]);
});

test('an event that a closed stream refuses is as it was', async () => {
  const stream = device.createStream();
  using event = device.createEvent();
  stream.close();
  expect(() => stream.record(event)).toThrow('closed');
  expect(event.query()).toBe(true);
  await event.synchronize();
});

test('a fill outside its buffer is refused at the call', () => {
  using stream = device.createStream();
  using buffer = device.allocateSync(64);
  expect(() => buffer.fill(stream, 1, 100)).toThrow('do not fit');
  expect(() => buffer.fill(stream, 1, 32, 36)).toThrow('do not fit');
});

test('a dropped buffer keeps its memory while work that uses it is queued', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  using stream = device.createStream();
  using gate = device.createStream();
  let open!: () => void;
  void gate.enqueue(
    () =>
      new Promise<void>((resolve) => {
        open = resolve;
      }),
  );
  using event = device.createEvent();
  gate.record(event);
  stream.wait(event);
  const before = device.memInfo().free;
  (() => device.allocateSync(4096).fill(stream, 7))();
  for (let i = 0; i < 5; i++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(device.memInfo().free).toBeLessThan(before);
  open();
  await stream.synchronize();
  for (let i = 0; i < 50 && device.memInfo().free < before; i++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(device.memInfo().free).toBe(before);
});

describe('what PTX says of itself', () => {
  test('blocks are of the extent that .reqntid names', async () => {
    const ptx = kernel('', '').replace('.entry k()', '.entry k() .reqntid 64, 2');
    using object = await device.load(ObjectCode.fromPtx(ptx));
    using stream = device.createStream();
    const run = (x: number, y: number) =>
      launch(stream, { grid: [1, 1, 1], block: [x, y, 1] }, object.kernel('k'));
    expect(() => run(128, 1)).toThrow('requires blocks of 64×2×1 threads');
    run(64, 2);
    await stream.synchronize();
  });

  test.each(['foo', 'compute_80'])('the target %s is refused', async (target) => {
    const ptx = kernel('', '').replace('sm_80', target);
    await expect(device.load(ObjectCode.fromPtx(ptx))).rejects.toThrow(`unknown target '${target}'`);
  });
});
