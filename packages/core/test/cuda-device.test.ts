import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CudaDevice } from '../dist/cuda/index.js';
import { launch, ObjectCode, openDevice } from '../dist/index.js';
import { buildFakeCuda } from './support/fake-cuda.js';
import { Scratch } from './support/fake-tools.js';

const scratch = new Scratch();
let device: CudaDevice;

beforeAll(async () => {
  process.env.FFMA_LIBCUDA = buildFakeCuda(scratch);
  device = await openDevice('cuda');
});
afterAll(() => {
  device.close();
  scratch[Symbol.dispose]();
});

const kernels = ObjectCode.fromPtx('kernels add:8,4,4 sleep:4 crash: nothing:', { name: 'fake kernels' });
const config = { grid: [1, 1, 1], block: [32, 1, 1] } as const;
const numbers = (count: number) => Float32Array.from({ length: count }, (_, i) => i % 1000);
const mebi = 2 ** 20;

describe('a CUDA device', () => {
  it('says what it is', () => {
    expect(device).toBeInstanceOf(CudaDevice);
    expect(device).toMatchObject({ kind: 'cuda', name: 'Fake H200', arch: 'sm_90', lost: undefined });
    expect(device.limits).toMatchObject({ smCount: 132, maxBlockDim: [1024, 1024, 64], l2Bytes: mebi });
    expect(device.properties).toMatchObject({
      index: 0,
      uuid: 'GPU-00010203-0405-0607-0809-0a0b0c0d0e0f',
      cudaVersion: '13.0',
    });
  });

  it.each([
    ['little', 1000],
    ['one staging block', mebi / 4],
    ['many chunks', (11 * mebi) / 4 + 3],
  ])('copies %s pageable memory there and back', async (_, count) => {
    using stream = device.createStream();
    using buffer = await device.allocate(count * 4);
    const source = numbers(count);
    const target = new Float32Array(count);
    await Promise.all([buffer.copyFrom(stream, source), buffer.copyTo(stream, target)]);
    expect(Buffer.compare(Buffer.from(target.buffer), Buffer.from(source.buffer))).toBe(0);
  });

  it('copies pinned memory, parts of buffers and views with offsets', async () => {
    using stream = device.createStream();
    using buffer = await device.allocate(4096);
    using other = await device.allocate(1024);
    using pinned = device.allocatePinned(2048);
    const source = new Float32Array(pinned.buffer, 1024, 256).fill(7);
    buffer.fill(stream, 0);
    await buffer.copyFrom(stream, source, 512);
    await other.copyFrom(stream, new Uint16Array(512).fill(5));
    await buffer.copyFrom(stream, other, 2048);
    const back = new Float32Array(1024);
    await buffer.copyTo(stream, back);
    expect([back[127], back[128], back[383], back[384]]).toEqual([0, 7, 7, 0]);
    expect(new Uint16Array(back.buffer).subarray(1023, 1025)).toEqual(Uint16Array.of(0, 5));
    await buffer.copyTo(stream, new Uint8Array(pinned.buffer, 0, 4), 512);
    expect(new Float32Array(pinned.buffer)[0]).toBe(7);
  });

  it('copies nothing where there is nothing', async () => {
    using stream = device.createStream();
    using buffer = await device.allocate(0);
    expect(buffer.address).toBe(0n);
    await buffer.copyFrom(stream, new Float32Array(0));
    await buffer.copyTo(stream, new Float32Array(0));
    buffer.fill(stream, 1);
  });

  it('keeps the order of a stream, launches and copies of every size', async () => {
    using stream = device.createStream();
    using loaded = await device.load(kernels);
    const count = (5 * mebi) / 4;
    using buffer = await device.allocate(count * 4);
    const results = Array.from({ length: 4 }, () => new Float32Array(count));
    const copies = [buffer.copyFrom(stream, new Float32Array(count).fill(1))];
    for (const [i, result] of results.entries()) {
      launch(stream, config, loaded.kernel('sleep'), { type: 'i32', value: 20 });
      launch(
        stream,
        config,
        loaded.kernel('add'),
        { type: 'pointer', buffer },
        { type: 'f32', value: i + 1 },
        { type: 'i32', value: count },
      );
      copies.push(buffer.copyTo(stream, result));
    }
    await Promise.all(copies);
    expect(results.map((result) => [result[0], result.at(-1)])).toEqual([2, 4, 7, 11].map((v) => [v, v]));
  });

  it('settles promises in any order, without blocking the event loop', async () => {
    using slow = device.createStream();
    using fast = device.createStream();
    using loaded = await device.load(kernels);
    const order: string[] = [];
    launch(slow, config, loaded.kernel('sleep'), { type: 'i32', value: 200 });
    const waits = [
      slow.synchronize().then(() => order.push('slow')),
      fast.synchronize().then(() => order.push('fast')),
      new Promise((resolve) => setTimeout(resolve, 50)).then(() => order.push('timer')),
    ];
    await Promise.all(waits);
    expect(order).toEqual(['fast', 'timer', 'slow']);
  });

  it('measures time between events, and makes streams wait for them', async () => {
    using first = device.createStream();
    using second = device.createStream();
    using start = device.createEvent();
    using end = device.createEvent();
    using loaded = await device.load(kernels);
    first.record(start);
    launch(first, config, loaded.kernel('sleep'), { type: 'i32', value: 60 });
    first.record(end);
    second.wait(end);
    expect(end.query()).toBe(false);
    expect(() => end.elapsedMs(start)).toThrow(/must have happened/);
    await second.synchronize();
    expect(end.query()).toBe(true);
    expect(end.elapsedMs(start)).toBeGreaterThanOrEqual(55);
    await end.synchronize();
    using untimed = device.createEvent({ timing: false });
    expect(() => untimed.elapsedMs(start)).toThrow(/without timing/);
  });

  it('frees memory after the work that was enqueued before', async () => {
    using stream = device.createStream();
    using loaded = await device.load(kernels);
    await device.synchronize();
    const { free } = device.memInfo();
    const buffer = await device.allocate(mebi);
    launch(stream, config, loaded.kernel('sleep'), { type: 'i32', value: 100 });
    const target = new Float32Array(mebi / 4);
    buffer.fill(stream, 0x3f800000);
    const copied = buffer.copyTo(stream, target);
    buffer.close();
    expect(device.memInfo().free).toBe(free - mebi);
    await copied;
    expect(target.every((value) => value === 1)).toBe(true);
    await device.synchronize();
    expect(device.memInfo().free).toBe(free);
  });

  it('refuses detached and resizable arrays, before and after', async () => {
    using stream = device.createStream();
    using buffer = await device.allocate(64);
    const gone = new Float32Array(4);
    structuredClone(gone.buffer, { transfer: [gone.buffer] });
    expect(() => buffer.copyFrom(stream, gone)).toThrow(TypeError);
    const resizable = new Float32Array(
      new (ArrayBuffer as unknown as new (n: number, o: object) => ArrayBuffer)(16, { maxByteLength: 64 }),
    );
    expect(() => buffer.copyTo(stream, resizable)).toThrow(TypeError);
    const going = new Float32Array(4);
    const copied = buffer.copyTo(stream, going);
    structuredClone(going.buffer, { transfer: [going.buffer] });
    await expect(copied).rejects.toThrow(/detached/);
    using pinned = device.allocatePinned(16);
    pinned.close();
    expect(pinned.buffer.byteLength).toBe(0);
  });

  it('refuses what does not fit, and what is closed', async () => {
    using stream = device.createStream();
    using buffer = await device.allocate(64);
    expect(() => buffer.copyFrom(stream, new Float32Array(17))).toThrow(/68 bytes at byte 0 do not fit/);
    expect(() => buffer.copyTo(stream, new Float32Array(1), 61)).toThrow(/4 bytes at byte 61 do not fit/);
    expect(() => buffer.fill(stream, 0, 2)).toThrow(/whole 4-byte words/);
    expect(() => device.allocateSync(-1)).toThrow(/whole number of bytes/);
    expect(() => device.allocateSync(2 ** 40)).toThrow(/was asked for, but the GPU has .* bytes free/);
    const loaded = await device.load(kernels);
    const kernel = loaded.kernel('sleep');
    expect(() => loaded.kernel('none')).toThrow(/has no kernel 'none'; it has add, sleep, crash/);
    loaded.close();
    expect(() => launch(stream, config, kernel, { type: 'i32', value: 1 })).toThrow(/closed/);
    const closed = await device.allocate(4);
    closed.close();
    expect(() => closed.fill(stream, 0)).toThrow(/buffer is closed/);
    stream.close();
    expect(() => stream.record(device.createEvent())).toThrow(/stream is closed/);
  });

  it.each([false, true])('enqueues prepared launches again and again, graph: %s', async (graph) => {
    using stream = device.createStream();
    using loaded = await device.load(kernels);
    const buffer = await device.allocate(16);
    buffer.fill(stream, 0);
    const args = [
      { type: 'pointer', buffer, offset: 4 },
      { type: 'f32', value: 2 },
      { type: 'i32', value: 2 },
    ] as const;
    const add = { config, kernel: loaded.kernel('add'), args };
    const both = [add, { ...add, config: { ...config, cluster: [2, 1, 1] } }] as const;
    const batch = device.prepareLaunches(both, { graph });
    expect(batch.graph).toBe(graph);
    batch.enqueue(stream);
    using other = device.createStream();
    using there = device.createEvent();
    using back = device.createEvent();
    stream.record(there);
    other.wait(there);
    batch.enqueue(other);
    other.record(back);
    stream.wait(back);
    const result = new Float32Array(4);
    await buffer.copyTo(stream, result);
    expect([...result]).toEqual([0, 8, 8, 0]);
    buffer.close();
    expect(() => batch.enqueue(stream)).toThrow(/buffer is closed/);
    batch.close();
    batch.close();
    expect(() => batch.enqueue(stream)).toThrow(/prepared launches is closed/);
  });

  it('prepares graphs of nothing, of what is unloaded later, and not of what has no graph', async () => {
    using stream = device.createStream();
    device.prepareLaunches([], { graph: true }).enqueue(stream);
    const loaded = await device.load(kernels);
    const batch = device.prepareLaunches([{ config, kernel: loaded.kernel('nothing'), args: [] }], {
      graph: true,
    });
    batch.enqueue(stream);
    loaded.close();
    expect(() => batch.enqueue(stream)).toThrow(/module is closed/);
    expect(() => device.prepareLaunches([], { graph: 1 as never })).toThrow(
      /graph .* true or false, but is 1/,
    );
    await stream.synchronize();
  });

  it("gives the log of code that the driver's JIT refuses", async () => {
    await expect(device.load(ObjectCode.fromPtx('nonsense'))).rejects.toMatchObject({
      code: 'FFMA_COMPILE',
      native: 'CUDA_ERROR_INVALID_PTX',
      call: 'cuModuleLoadDataEx',
      details: { log: expect.stringContaining('not what was hoped for') },
    });
  });

  it('tells attributes, parameters and occupancy of a kernel', async () => {
    using loaded = await device.load(kernels);
    expect(loaded.ranAs).toBe('jit');
    const kernel = loaded.kernel('add');
    expect(kernel).toMatchObject({
      paramSizes: [8, 4, 4],
      attributes: { numRegs: 40, maxThreadsPerBlock: 1024 },
    });
    expect(device.occupancy(kernel, 256)).toBe(8);
    expect(() => device.occupancy(kernel, 1025)).toThrow(/1\.\.1024, but is 1025/);
    expect(() => device.occupancy(kernel, 32, 2 ** 40)).toThrow(/at most \d+ bytes of shared memory/);
  });

  it('closes with everything that came from it; what is in flight still settles', async () => {
    const own = await openDevice('cuda');
    const stream = own.createStream();
    const buffer = await own.allocate(mebi);
    const loaded = await own.load(kernels);
    launch(stream, config, loaded.kernel('sleep'), { type: 'i32', value: 50 });
    const target = new Float32Array(mebi / 4).fill(-1);
    buffer.fill(stream, 0);
    const copied = buffer.copyTo(stream, target);
    own.close();
    expect([stream.closed, buffer.closed, loaded.closed]).toEqual([true, true, true]);
    expect(() => own.createStream()).toThrow(/CUDA device is closed/);
    await copied;
    expect(target.every((value) => value === 0)).toBe(true);
  });

  it('tells libraries that it is about to be closed, once and while it is open', async () => {
    const own = await openDevice('cuda');
    const told: string[] = [];
    own.onClose(() => told.push(`open: ${!own.closed && own.memInfo().total > 0}`));
    const taken = own.onClose(() => told.push('taken back'));
    taken[Symbol.dispose]();
    own.close();
    own.close();
    expect(told).toEqual(['open: true']);
    expect(() => own.onClose(() => {})).toThrow(/is closed/);
  });

  it('gives all its memory back when it is closed, not when it is collected', async () => {
    await device.synchronize();
    const { free } = device.memInfo();
    for (let i = 0; i < 10; i++) {
      await using own = await openDevice('cuda');
      await own.allocate(mebi);
      own.createStream();
    }
    await expect.poll(() => device.memInfo().free).toBe(free);
  });
});
