import { createHash } from 'node:crypto';
import { type Device, type Gemm, multiply, openDevice } from '@ffma/core';
import { streamkDeterministic } from '@ffma/streamk';
import { afterEach, expect, test } from 'vitest';
import { smallDevice } from '../../../scripts/emulator/small-device.js';

const shape = { m: 256, n: 384, k: 200 };

/** Values whose sums round, so that another order of additions gives other bits. */
function values(count: number, seed: number): Float32Array {
  let state = seed;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  });
}

const a = values(shape.m * shape.k, 1);
const b = values(shape.k * shape.n, 2);

let devices: Device[] = [];
afterEach(async () => {
  for (const device of devices) await device[Symbol.asyncDispose]();
  devices = [];
});

async function bits(device: Device, kernel: Gemm = streamkDeterministic): Promise<string> {
  if (!devices.includes(device)) devices.push(device);
  const c = await multiply(device, kernel, a, b, { ...shape, compile: true });
  return createHash('sha256').update(new Uint8Array(c.buffer)).digest('hex');
}

test('the same bits in every run, on one device', async () => {
  const device = await openDevice('emulator');
  const first = await bits(device);
  for (let run = 0; run < 3; run++) expect(await bits(device)).toBe(first);
});

test('the same bits however many blocks run at a time', async () => {
  const [one, two, three] = [1, 2, 3].map((workers) => openDevice('emulator', { workers }));
  const first = await bits((await one) as Device);
  expect(await bits((await two) as Device)).toBe(first);
  expect(await bits((await three) as Device)).toBe(first);
});

test('the same bits from a product that is prepared once and enqueued again and again', async () => {
  const device = await openDevice('emulator');
  const first = await bits(device);
  using loaded = await streamkDeterministic.load(device);
  using stream = device.createStream();
  using inA = await device.allocate(a.byteLength);
  using inB = await device.allocate(b.byteLength);
  using outC = await device.allocate(4 * shape.m * shape.n);
  await Promise.all([inA.copyFrom(stream, a), inB.copyFrom(stream, b)]);
  using product = loaded.prepare(shape, { a: inA, b: inB, c: outC });
  const c = new Float32Array(shape.m * shape.n);
  for (let run = 0; run < 3; run++) {
    outC.fill(stream, 0x7fc00000);
    product.enqueue(stream);
    await outC.copyTo(stream, c);
    expect(createHash('sha256').update(new Uint8Array(c.buffer)).digest('hex')).toBe(first);
  }
});

test('a fix-up in a launch of its own adds in the same order: the same bits', async () => {
  const apart = streamkDeterministic.variant('128x128x8_s3_apart');
  const device = await openDevice('emulator');
  expect(await bits(device, apart)).toBe(await bits(device));
  expect(await bits(device, apart)).toBe(await bits(device, apart));
  const small = await smallDevice(2);
  expect(await bits(small, apart)).toBe(await bits(small));
});

test('another number of blocks cuts elsewhere: other bits, of the same sums', async () => {
  expect(await bits(await smallDevice(2))).not.toBe(await bits(await openDevice('emulator')));
});
