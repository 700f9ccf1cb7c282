import { type Buffer, launch, ObjectCode } from '@ffma/core';
import { EmulatorDevice } from '@ffma/emulator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kernel } from './support/run-ptx.js';

let device: EmulatorDevice;
beforeAll(() => {
  device = new EmulatorDevice({ cache: false });
});
afterAll(() => device.close());

const bytes = (length: number, seed = 1) => Uint8Array.from({ length }, (_, i) => (i * 7 + seed) & 255);

async function read(buffer: Buffer, byteLength = buffer.byteLength, offset = 0): Promise<Uint8Array> {
  using stream = device.createStream();
  const target = new Uint8Array(byteLength);
  await buffer.copyTo(stream, target, offset);
  return target;
}

/** A kernel that spins for a while, then adds 1 to each of the block's words. */
const SLOW = kernel(
  'u64 p',
  `ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2; mov.u32 %r3, 0;
LOOP: add.s32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 3000000; @%p1 bra LOOP;
ld.global.u32 %r2, [%rd3]; add.s32 %r2, %r2, 1; st.global.u32 [%rd3], %r2;`,
);

describe('buffers', () => {
  test('addresses are aligned, apart, and far above 4 GiB', () => {
    const buffers = [1, 100, 256, 4096, 3].map((length) => device.allocateSync(length));
    const spans = buffers.map(({ address, byteLength }) => [address, address + BigInt(byteLength)] as const);
    for (const [start] of spans) {
      expect(start % 256n).toBe(0n);
      expect(start).toBeGreaterThan(2n ** 32n);
    }
    spans.sort(([x], [y]) => (x < y ? -1 : 1));
    for (const [i, [, end]] of spans.entries()) {
      if (i + 1 < spans.length) expect(spans[i + 1]![0] - end).toBeGreaterThanOrEqual(256n);
    }
    for (const buffer of buffers) buffer.close();
  });

  test('copies in and out, at offsets, in and between buffers', async () => {
    using stream = device.createStream();
    using x = device.allocateSync(100);
    using y = device.allocateSync(64);
    await x.copyFrom(stream, bytes(100));
    await y.copyFrom(stream, bytes(64, 9));
    expect(await read(x)).toEqual(bytes(100));
    // A view into the middle of a larger array.
    await x.copyFrom(stream, bytes(50, 3).subarray(10, 15), 7);
    const expected = bytes(100);
    expected.set(bytes(50, 3).subarray(10, 15), 7);
    expect(await read(x)).toEqual(expected);
    await x.copyFrom(stream, y, 36);
    expected.set(bytes(64, 9), 36);
    expect(await read(x)).toEqual(expected);
    expect(await read(x, 5, 60)).toEqual(expected.subarray(60, 65));
    const floats = Float32Array.of(1.5, -2);
    await y.copyFrom(stream, floats, 8);
    const back = new Float32Array(2);
    await y.copyTo(stream, back, 8);
    expect(back).toEqual(floats);
  });

  test('fill: all of it, from an offset, a part, and any 32-bit word', async () => {
    using stream = device.createStream();
    using buffer = device.allocateSync(32);
    buffer.fill(stream, 0x01020304);
    buffer.fill(stream, -1, 16);
    buffer.fill(stream, 0xfff00000, 24, 4);
    buffer.fill(stream, 7, 32, 0);
    const words = new Uint32Array(8);
    await buffer.copyTo(stream, words);
    expect([...words]).toEqual([
      ...Array(4).fill(0x01020304),
      0xffffffff,
      0xffffffff,
      0xfff00000,
      0xffffffff,
    ]);
  });

  test('spans that do not fit are refused before anything is enqueued', async () => {
    using stream = device.createStream();
    using buffer = device.allocateSync(16);
    const refused = { code: 'FFMA_ARGUMENT' };
    const attempt = async (work: () => unknown) => work();
    await expect(attempt(() => buffer.copyFrom(stream, new Uint8Array(17)))).rejects.toMatchObject(refused);
    await expect(attempt(() => buffer.copyFrom(stream, new Uint8Array(4), 13))).rejects.toMatchObject(
      refused,
    );
    await expect(attempt(() => buffer.copyFrom(stream, new Uint8Array(4), -1))).rejects.toMatchObject(
      refused,
    );
    await expect(attempt(() => buffer.copyTo(stream, new Uint8Array(4), 0.5))).rejects.toMatchObject(refused);
    await expect(attempt(() => buffer.copyTo(stream, new Uint8Array(17)))).rejects.toMatchObject(refused);
    await expect(attempt(() => buffer.fill(stream, 0, 20))).rejects.toMatchObject(refused);
    await expect(attempt(() => buffer.fill(stream, 0, 8, -8))).rejects.toMatchObject(refused);
    await expect(attempt(() => buffer.fill(stream, 0, 2, 4))).rejects.toMatchObject(refused);
    await expect(attempt(() => buffer.fill(stream, 0.5))).rejects.toMatchObject(refused);
    using other = new EmulatorDevice({ cache: false, workers: 1 });
    using foreign = other.createStream();
    await expect(attempt(() => buffer.copyFrom(foreign, new Uint8Array(4)))).rejects.toMatchObject(refused);
    using abroad = other.allocateSync(4);
    await expect(attempt(() => buffer.copyFrom(stream, abroad))).rejects.toMatchObject(refused);
    await stream.synchronize();
  });

  test('none of zero bytes has an address, and all that can be done with it is nothing', async () => {
    using stream = device.createStream();
    using buffer = device.allocateSync(0);
    expect(buffer.address).toBe(0n);
    await buffer.copyFrom(stream, new Uint8Array(0));
    await buffer.copyTo(stream, new Uint8Array(0));
    buffer.fill(stream, 5);
    await stream.synchronize();
  });

  test.each([-1, 1.5, Number.NaN, 2 ** 53])('a size of %d is no size', (length) => {
    expect(() => device.allocateSync(length)).toThrow(expect.objectContaining({ code: 'FFMA_ARGUMENT' }));
  });

  test('more than there is: an error that says how much is left, and nothing is lost', async () => {
    const { free, total } = device.memInfo();
    expect(() => device.allocateSync(total + 1)).toThrow(
      expect.objectContaining({ code: 'FFMA_OUT_OF_MEMORY' }),
    );
    await expect(device.allocate(2 ** 40)).rejects.toMatchObject({
      code: 'FFMA_OUT_OF_MEMORY',
      message: expect.stringContaining(`${free} of ${total}`),
    });
    expect(device.memInfo()).toEqual({ free, total });
  });

  test('memory that grows while views and other buffers exist', async () => {
    using growing = new EmulatorDevice({ cache: false, workers: 1 });
    using stream = growing.createStream();
    const small = growing.allocateSync(1000);
    await small.copyFrom(stream, bytes(1000));
    const copy = small.copyTo(stream, new Uint8Array(1000));
    const large = growing.allocateSync(200 * 2 ** 20);
    await copy;
    large.fill(stream, 0x11111111, 199 * 2 ** 20, 4096);
    const tail = new Uint32Array(1);
    await large.copyTo(stream, tail, 199 * 2 ** 20 + 4092);
    expect(tail[0]).toBe(0x11111111);
    const back = new Uint8Array(1000);
    await small.copyTo(stream, back);
    expect(back).toEqual(bytes(1000));
  });

  test('arrays whose memory went elsewhere', async () => {
    using stream = device.createStream();
    using buffer = device.allocateSync(16);
    buffer.fill(stream, 0);
    const gone = new Uint8Array(16);
    structuredClone(gone.buffer, { transfer: [gone.buffer] });
    const attempt = async (work: () => unknown) => work();
    await expect(attempt(() => buffer.copyFrom(stream, gone))).rejects.toThrow(TypeError);
    await expect(attempt(() => buffer.copyTo(stream, gone))).rejects.toThrow(TypeError);
    // While the copy waits its turn.
    const source = new Uint8Array(16);
    const copy = buffer.copyFrom(stream, source);
    structuredClone(source.buffer, { transfer: [source.buffer] });
    await expect(copy).rejects.toThrow(TypeError);
    await stream.synchronize();
  });

  test('closing while work that uses it is under way lets the work finish first', async () => {
    using object = await device.load(ObjectCode.fromPtx(SLOW));
    using stream = device.createStream();
    const { free } = device.memInfo();
    const buffer = device.allocateSync(256);
    const { address } = buffer;
    buffer.fill(stream, 41);
    const back = new Uint32Array(64);
    launch(stream, { grid: [1, 1, 1], block: [64, 1, 1] }, object.kernel('k'), { type: 'pointer', buffer });
    const copied = buffer.copyTo(stream, back);
    buffer.close();
    expect(device.memInfo().free).toBeLessThan(free);
    const next = device.allocateSync(256);
    expect(next.address).not.toBe(address);
    await copied;
    expect([...new Set(back)]).toEqual([42]);
    await stream.synchronize();
    next.close();
    expect(device.memInfo().free).toBe(free);
  });

  test('after closing nothing can be done with it', async () => {
    using stream = device.createStream();
    using object = await device.load(ObjectCode.fromPtx(SLOW));
    const buffer = device.allocateSync(256);
    buffer.close();
    buffer.close();
    const attempt = async (work: () => unknown) => work();
    const closed = { code: 'FFMA_CLOSED' };
    expect(buffer.closed).toBe(true);
    await expect(attempt(() => buffer.copyFrom(stream, new Uint8Array(1)))).rejects.toMatchObject(closed);
    await expect(attempt(() => buffer.copyTo(stream, new Uint8Array(1)))).rejects.toMatchObject(closed);
    await expect(attempt(() => buffer.fill(stream, 1))).rejects.toMatchObject(closed);
    using other = device.allocateSync(256);
    await expect(attempt(() => other.copyFrom(stream, buffer))).rejects.toMatchObject(closed);
    const config = { grid: [1, 1, 1], block: [64, 1, 1] } as const;
    expect(() => launch(stream, config, object.kernel('k'), { type: 'pointer', buffer })).toThrow(
      expect.objectContaining(closed),
    );
  });
});

test('a thousand buffers, streams, events and objects later as much memory is free as before', async () => {
  const ptx = kernel('u64 p', '', '.global .align 4 .b8 table[100];');
  const { free } = device.memInfo();
  for (let i = 0; i < 1000; i++) {
    using stream = device.createStream();
    using event = device.createEvent();
    using buffer = device.allocateSync((i * 37) % 5000);
    buffer.fill(stream, i, 0, buffer.byteLength & ~3);
    stream.record(event);
    if (i % 10 === 0) {
      using object = await device.load(ObjectCode.fromPtx(ptx));
      expect(object.kernelNames).toEqual(['k']);
    }
  }
  await device.synchronize();
  // Memory of buffers that were closed with work in flight is free when that work is done.
  await new Promise((resolve) => setImmediate(resolve));
  expect(device.memInfo().free).toBe(free);
});

test('variables of a module are freed with it, and stand where each load puts them', async () => {
  const { free } = device.memInfo();
  const ptx = kernel(
    'u64 p',
    'ld.param.u64 %rd1, [p]; mov.u64 %rd2, table; st.global.u64 [%rd1], %rd2;',
    '.global .align 4 .b8 table[100000];',
  );
  const one = await device.load(ObjectCode.fromPtx(ptx));
  const two = await device.load(ObjectCode.fromPtx(ptx));
  using stream = device.createStream();
  const buffer = device.allocateSync(8);
  const addresses: bigint[] = [];
  for (const object of [one, two]) {
    launch(stream, { grid: [1, 1, 1], block: [1, 1, 1] }, object.kernel('k'), { type: 'pointer', buffer });
    const out = new BigUint64Array(1);
    await buffer.copyTo(stream, out);
    addresses.push(out[0]!);
  }
  expect(addresses[0]).not.toBe(addresses[1]);
  const kept = one.kernel('k');
  buffer.close();
  one.close();
  two.close();
  await stream.synchronize();
  expect(device.memInfo().free).toBe(free);
  expect(() => one.kernel('k')).toThrow(expect.objectContaining({ code: 'FFMA_CLOSED' }));
  using again = device.allocateSync(8);
  const config = { grid: [1, 1, 1], block: [1, 1, 1] } as const;
  expect(() => launch(stream, config, kept, { type: 'pointer', buffer: again })).toThrow(
    expect.objectContaining({ code: 'FFMA_CLOSED' }),
  );
});

test('addresses beyond 2 GiB of memory, in every kind of access', async () => {
  using large = new EmulatorDevice({ cache: false, workers: 1 });
  using stream = large.createStream();
  using filler = large.allocateSync(2 ** 31 + 2 ** 20);
  using buffer = large.allocateSync(4096);
  buffer.fill(stream, 7);
  expect(buffer.address - filler.address).toBeGreaterThan(2n ** 31n);
  const ptx = kernel(
    'u64 p, u64 q',
    `ld.param.u64 %rd1, [p]; ld.param.u64 %rd9, [q]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;
ld.global.u32 %r2, [%rd3]; add.s32 %r2, %r2, %r1; st.global.u32 [%rd3], %r2;
mul.wide.u32 %rd4, %r1, 16; add.s64 %rd5, %rd1, %rd4; st.global.u32 [%rd5+1024], %r1; st.u32 [%rd3+2048], %r1; atom.global.add.u32 %r3, [%rd1+3072], 2;
setp.ne.s32 %p1, %r1, 0; @%p1 ret; ld.global.u32 %r4, [%rd9]; add.s32 %r4, %r4, 1; st.global.u32 [%rd9], %r4;`,
  );
  using object = await large.load(ObjectCode.fromPtx(ptx));
  const end = filler.byteLength - 4;
  await filler.copyFrom(stream, Uint32Array.of(30), end);
  const args = [
    { type: 'pointer', buffer },
    { type: 'pointer', buffer: filler, offset: end },
  ] as const;
  launch(stream, { grid: [1, 1, 1], block: [64, 1, 1] }, object.kernel('k'), ...args);
  const words = new Uint32Array(1024);
  await buffer.copyTo(stream, words);
  expect([...words.subarray(0, 64)]).toEqual(Array.from({ length: 64 }, (_, t) => 7 + t));
  expect(words[256 + 4 * 63]).toBe(63);
  expect([...words.subarray(512, 576)]).toEqual([...Array(64).keys()]);
  expect(words[768]).toBe(7 + 128);
  const last = new Uint32Array(1);
  await filler.copyTo(stream, last, end);
  expect(last[0]).toBe(31);
});
