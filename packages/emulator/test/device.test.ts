import { launch, ObjectCode, openDevice } from '@ffma/core';
import { EmulatorDevice, type EmulatorOptions, profiles } from '@ffma/emulator';
import { afterAll, describe, expect, test } from 'vitest';
import { kernel, runPtx } from './support/run-ptx.js';

const device = new EmulatorDevice({ cache: false, workers: 2 });
afterAll(() => device.close());

const ENDLESS = kernel(
  'u64 p',
  'ld.param.u64 %rd1, [p]; LOOP: ld.volatile.global.u32 %r1, [%rd1]; setp.eq.s32 %p1, %r1, 0; @%p1 bra LOOP;',
);
const ADD = kernel(
  'u64 p, u32 n',
  'ld.param.u64 %rd1, [p]; ld.param.u32 %r3, [n]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2; ld.global.u32 %r2, [%rd3]; add.s32 %r2, %r2, %r3; st.global.u32 [%rd3], %r2;',
);
const ONE = { grid: [1, 1, 1], block: [32, 1, 1] } as const;

describe('options', () => {
  test('what it is, and what it was opened with', async () => {
    await using opened = (await openDevice('emulator', {
      workers: 3,
      counters: true,
      fma: 'f64',
    })) as EmulatorDevice;
    expect(opened).toMatchObject({
      kind: 'emulator',
      arch: 'sm_90',
      formats: ['ptx'],
      workers: 3,
      counters: true,
      checks: true,
      fma: 'f64',
      profile: 'h200',
      closed: false,
    });
    expect(opened.name).toContain('3 workers');
    expect(opened.limits).toEqual(profiles.h200.limits);
    const out = new Uint32Array(32);
    await runPtx(opened, ADD, { block: 32, args: [out, 5] });
    expect([...new Set(out)]).toEqual([5]);
  });

  test.each([
    { workers: 0 },
    { workers: 257 },
    { workers: 1.5 },
    { profile: 'h100' },
    { profile: 'toString' },
    { checks: 'yes' },
    { counters: 1 },
    { fma: 'fast' },
    { cache: null },
    { speed: 11 },
  ])('refused: %o', async (options) => {
    const [name] = Object.keys(options);
    expect(() => new EmulatorDevice(options as EmulatorOptions)).toThrow(
      expect.objectContaining({ code: 'FFMA_ARGUMENT', message: expect.stringContaining(name!) }),
    );
  });
});

describe('streams and events', () => {
  test('work of a stream is done in order, whatever it is', async () => {
    using object = await device.load(ObjectCode.fromPtx(ADD));
    using stream = device.createStream();
    using buffer = device.allocateSync(128);
    buffer.fill(stream, 1);
    const seen: number[] = [];
    const copies: Promise<void>[] = [];
    for (let i = 1; i <= 4; i++) {
      launch(stream, ONE, object.kernel('k'), { type: 'pointer', buffer }, { type: 'u32', value: 10 ** i });
      const word = new Uint32Array(1);
      copies.push(buffer.copyTo(stream, word, 4 * i).then(() => void seen.push(word[0]!)));
    }
    await stream.synchronize();
    await Promise.all(copies);
    expect(seen).toEqual([11, 111, 1111, 11111]);
  });

  test('an event that another stream waits for', async () => {
    using object = await device.load(ObjectCode.fromPtx(ADD));
    using first = device.createStream();
    using second = device.createStream();
    using buffer = device.allocateSync(128);
    buffer.fill(first, 0);
    launch(first, ONE, object.kernel('k'), { type: 'pointer', buffer }, { type: 'u32', value: 6 });
    using event = device.createEvent();
    first.record(event);
    second.wait(event);
    const words = new Uint32Array(32);
    await buffer.copyTo(second, words);
    expect([...new Set(words)]).toEqual([6]);
    expect(event.query()).toBe(true);
  });

  test("time between events is the host's, and known only when both have happened", async () => {
    using object = await device.load(ObjectCode.fromPtx(ADD));
    using stream = device.createStream();
    using buffer = device.allocateSync(128);
    buffer.fill(stream, 0);
    const [start, end, untimed] = [
      device.createEvent(),
      device.createEvent(),
      device.createEvent({ timing: false }),
    ];
    expect(() => end.elapsedMs(start)).toThrow(expect.objectContaining({ code: 'FFMA_ARGUMENT' }));
    stream.record(start);
    launch(stream, ONE, object.kernel('k'), { type: 'pointer', buffer }, { type: 'u32', value: 6 });
    stream.record(end);
    expect(end.query()).toBe(false);
    expect(() => end.elapsedMs(start)).toThrow(expect.objectContaining({ code: 'FFMA_ARGUMENT' }));
    await end.synchronize();
    expect(end.elapsedMs(start)).toBeGreaterThan(0);
    stream.record(untimed);
    await untimed.synchronize();
    expect(() => untimed.elapsedMs(start)).toThrow(expect.objectContaining({ code: 'FFMA_ARGUMENT' }));
    for (const event of [start, end, untimed]) event.close();
    expect(() => end.query()).toThrow(expect.objectContaining({ code: 'FFMA_CLOSED' }));
    await expect(end.synchronize()).rejects.toMatchObject({ code: 'FFMA_CLOSED' });
    expect(() => stream.record(end)).toThrow(expect.objectContaining({ code: 'FFMA_CLOSED' }));
  });

  test('an event that is recorded again stands for the later point', async () => {
    using object = await device.load(ObjectCode.fromPtx(ENDLESS));
    using stream = device.createStream();
    using other = device.createStream();
    using flag = device.allocateSync(4);
    flag.fill(stream, 0);
    using event = device.createEvent();
    stream.record(event);
    const first = event.synchronize();
    launch(stream, ONE, object.kernel('k'), { type: 'pointer', buffer: flag });
    stream.record(event);
    await first;
    expect(event.query()).toBe(false);
    await flag.copyFrom(other, Uint32Array.of(1));
    await event.synchronize();
    expect(event.query()).toBe(true);
  });

  test('a stream that waits for an event of a failed one fails too', async () => {
    using object = await device.load(ObjectCode.fromPtx(ADD));
    using first = device.createStream();
    using second = device.createStream();
    using buffer = device.allocateSync(64);
    buffer.fill(first, 0);
    launch(first, ONE, object.kernel('k'), { type: 'pointer', buffer }, { type: 'u32', value: 6 });
    using event = device.createEvent();
    first.record(event);
    second.wait(event);
    await expect(second.synchronize()).rejects.toMatchObject({ code: 'FFMA_KERNEL_FAULT' });
    await expect(device.synchronize()).rejects.toMatchObject({ code: 'FFMA_KERNEL_FAULT' });
    await device.synchronize();
  });

  test('a closed stream takes nothing, but finishes what it has', async () => {
    const stream = device.createStream();
    using buffer = device.allocateSync(4);
    const copied = buffer.copyFrom(stream, Uint32Array.of(9));
    stream.close();
    await copied;
    expect(() => buffer.fill(stream, 0)).toThrow(expect.objectContaining({ code: 'FFMA_CLOSED' }));
    await expect(stream.synchronize()).rejects.toMatchObject({ code: 'FFMA_CLOSED' });
    using event = device.createEvent();
    expect(() => stream.record(event)).toThrow(expect.objectContaining({ code: 'FFMA_CLOSED' }));
    // The failed record has left nothing to wait for.
    await event.synchronize();
  });
});

describe('launches', () => {
  test('clusters are refused', async () => {
    using object = await device.load(ObjectCode.fromPtx(ADD));
    using stream = device.createStream();
    using buffer = device.allocateSync(128);
    const args = [
      { type: 'pointer', buffer },
      { type: 'u32', value: 1 },
    ] as const;
    expect(() =>
      launch(stream, { ...ONE, grid: [2, 1, 1], cluster: [2, 1, 1] }, object.kernel('k'), ...args),
    ).toThrow(
      expect.objectContaining({ code: 'FFMA_UNSUPPORTED', message: expect.stringContaining('2×1×1') }),
    );
    buffer.fill(stream, 0);
    launch(stream, { ...ONE, cluster: [1, 1, 1] }, object.kernel('k'), ...args);
    await stream.synchronize();
  });

  test('the limits of the profile, and those of the kernel', async () => {
    const bounded = kernel('u64 p', '').replace(') {', ')\n.maxntid 64, 2, 1\n{');
    using object = await device.load(ObjectCode.fromPtx(bounded));
    expect(object.kernel('k').attributes.maxThreadsPerBlock).toBe(128);
    using stream = device.createStream();
    using buffer = device.allocateSync(4);
    const arg = { type: 'pointer', buffer } as const;
    const refused = expect.objectContaining({ code: 'FFMA_ARGUMENT' });
    for (const config of [
      { grid: [1, 1, 1], block: [129, 1, 1] },
      { grid: [1, 65536, 1], block: [1, 1, 1] },
      { grid: [0, 1, 1], block: [1, 1, 1] },
      { grid: [1, 1, 1], block: [1, 1, 1], sharedBytes: 2 ** 18 },
    ] as const) {
      expect(() => launch(stream, config, object.kernel('k'), arg)).toThrow(refused);
    }
    expect(() => launch(stream, ONE, object.kernel('k'))).toThrow(refused);
    expect(() => object.kernel('other')).toThrow(
      expect.objectContaining({ code: 'FFMA_ARGUMENT', message: expect.stringContaining('k') }),
    );
  });

  test('more local memory than all resident threads can have', async () => {
    const ptx = kernel('', '.local .align 8 .b8 own[524288]; st.local.u32 [own+524284], 1;');
    await runPtx(device, ptx, { block: 32 });
    await expect(runPtx(device, ptx, { block: 1024 })).rejects.toMatchObject({ code: 'FFMA_OUT_OF_MEMORY' });
    await runPtx(device, ptx, { block: 32 });
  });
});

describe('closing', () => {
  test('in the middle of a launch that would never end', async () => {
    const closing = new EmulatorDevice({ cache: false, workers: 2 });
    const stream = closing.createStream();
    const buffer = closing.allocateSync(4);
    buffer.fill(stream, 0);
    const object = await closing.load(ObjectCode.fromPtx(ENDLESS));
    launch(stream, { grid: [4, 1, 1], block: [32, 1, 1] }, object.kernel('k'), { type: 'pointer', buffer });
    const copied = buffer.copyTo(stream, new Uint32Array(1));
    const finished = stream.synchronize();
    await new Promise((resolve) => setTimeout(resolve, 50));
    closing.close();
    await expect(finished).rejects.toMatchObject({ code: 'FFMA_CLOSED' });
    await expect(copied).rejects.toMatchObject({ code: 'FFMA_CLOSED' });
    const closed = expect.objectContaining({ code: 'FFMA_CLOSED' });
    expect(closing.closed).toBe(true);
    expect(() => closing.allocateSync(4)).toThrow(closed);
    expect(() => closing.createStream()).toThrow(closed);
    expect(() => closing.createEvent()).toThrow(closed);
    await expect(closing.load(object.object)).rejects.toEqual(closed);
    await expect(closing.synchronize()).rejects.toEqual(closed);
    // What it handed out can still be closed.
    buffer.close();
    object.close();
    stream.close();
    closing.close();
  });

  test('asynchronous disposal waits for work in flight', async () => {
    const words = new Uint32Array(32);
    let copied: Promise<void>;
    {
      await using closing = new EmulatorDevice({ cache: false, workers: 1 });
      const stream = closing.createStream();
      const buffer = closing.allocateSync(128);
      buffer.fill(stream, 1);
      const object = await closing.load(ObjectCode.fromPtx(ADD));
      launch(stream, ONE, object.kernel('k'), { type: 'pointer', buffer }, { type: 'u32', value: 2 });
      copied = buffer.copyTo(stream, words);
    }
    await copied;
    expect([...new Set(words)]).toEqual([3]);
  });
});

test('two devices at once do not know of each other', async () => {
  const [x, y] = [
    new EmulatorDevice({ cache: false, workers: 1 }),
    new EmulatorDevice({ cache: false, workers: 2, checks: false }),
  ];
  const arrays = [1, 2, 3, 4].map((value) => new Uint32Array(32).fill(value));
  await Promise.all(arrays.map((array, i) => runPtx(i % 2 ? x : y, ADD, { block: 32, args: [array, 10] })));
  expect(arrays.map((array) => [...new Set(array)])).toEqual([[11], [12], [13], [14]]);
  x.close();
  const more = new Uint32Array(32);
  await runPtx(y, ADD, { block: 32, args: [more, 1] });
  expect([...new Set(more)]).toEqual([1]);
  y.close();
});
