import { describe, expect } from 'vitest';
import { launch } from '../../dist/index.js';
import { gpuTest, skipWithout } from './support/gpu.js';
import { block, clusterKernel, kernels } from './support/kernels.js';

describe('launches', () => {
  gpuTest('run with their arguments, grid and block', async (device) => {
    using stream = device.createStream();
    using loaded = await device.load(kernels);
    using buffer = await device.allocate(1000 * 4);
    buffer.fill(stream, 0);
    const args = [
      { type: 'pointer', buffer, offset: 40 },
      { type: 'f32', value: 1.5 },
      { type: 'u32', value: 980 },
    ] as const;
    launch(stream, block(128, 8), loaded.kernel('add'), ...args);
    const result = new Float32Array(1000);
    await buffer.copyTo(stream, result);
    expect([...result]).toEqual(Array.from({ length: 1000 }, (_, i) => (i < 10 || i >= 990 ? 0 : 1.5)));
  });

  gpuTest('may use all the shared memory of an SM', async (device) => {
    using stream = device.createStream();
    using loaded = await device.load(kernels);
    const kernel = loaded.kernel('shared');
    const most = device.limits.sharedBytesPerBlockOptin;
    expect(most).toBeGreaterThan(48 << 10);
    using out = await device.allocate(16);
    for (const bytes of [1024, most, 60_000 & ~15]) {
      out.fill(stream, -1);
      launch(
        stream,
        { ...block(1, 4), sharedBytes: bytes },
        kernel,
        { type: 'pointer', buffer: out },
        { type: 'u32', value: bytes },
      );
      const result = new Uint32Array(4);
      await out.copyTo(stream, result);
      expect([...result]).toEqual([0, 1, 2, 3]);
    }
    expect(() =>
      launch(
        stream,
        { ...block(1), sharedBytes: most + 16 },
        kernel,
        { type: 'pointer', buffer: out },
        { type: 'u32', value: 16 },
      ),
    ).toThrow(/at most/);
  });

  gpuTest('run in clusters, portable and larger', async (device, context) => {
    if (device.properties.attributes.clusterLaunch === 0)
      skipWithout(context, 'clusters', 'This GPU has no clusters.');
    using stream = device.createStream();
    using loaded = await device.load(clusterKernel);
    using out = await device.allocate(16 * 4);
    for (const size of [1, 2, 8, 16] as const) {
      launch(stream, { ...block(32, 16), cluster: [size, 1, 1] }, loaded.kernel('cluster'), {
        type: 'pointer',
        buffer: out,
      });
      const result = new Uint32Array(16);
      await out.copyTo(stream, result);
      expect([...result]).toEqual(Array.from({ length: 16 }, (_, i) => size * 100 + (i % size)));
    }
    expect(() =>
      launch(stream, { ...block(32, 15), cluster: [2, 1, 1] }, loaded.kernel('cluster'), {
        type: 'pointer',
        buffer: out,
      }),
    ).toThrow(/A grid must be whole clusters/);
    await stream.synchronize();
  });

  gpuTest('many, prepared, are one batch; the order is kept', async (device) => {
    using stream = device.createStream();
    using loaded = await device.load(kernels);
    using buffer = await device.allocate(4);
    buffer.fill(stream, 0);
    const add = (value: number) => ({
      config: block(32),
      kernel: loaded.kernel('add'),
      args: [
        { type: 'pointer', buffer },
        { type: 'f32', value },
        { type: 'u32', value: 1 },
      ] as const,
    });
    // 2^24 + 1 − 2^24 is 0 in float32, in this order only.
    for (const graph of [false, true]) {
      const batch = device.prepareLaunches([add(2 ** 24), add(1), add(-(2 ** 24))], { graph });
      batch.enqueue(stream);
      batch.enqueue(stream);
      // What is in flight goes on.
      batch.close();
      const result = new Float32Array(1).fill(9);
      await buffer.copyTo(stream, result);
      expect(result[0]).toBe(0);
    }
  });

  gpuTest('tell attributes and occupancy', async (device) => {
    using loaded = await device.load(kernels);
    const kernel = loaded.kernel('add');
    expect(kernel.paramSizes).toEqual([8, 4, 4]);
    expect(kernel.attributes.numRegs).toBeGreaterThan(0);
    expect(kernel.attributes).toMatchObject({ sharedBytes: 0, localBytes: 0, maxThreadsPerBlock: 1024 });
    const { maxThreadsPerSm, maxBlocksPerSm, sharedBytesPerBlockOptin } = device.limits;
    expect(device.occupancy(kernel, 1024)).toBe(maxThreadsPerSm / 1024);
    expect(device.occupancy(kernel, 32)).toBe(maxBlocksPerSm);
    expect(device.occupancy(kernel, 32, sharedBytesPerBlockOptin)).toBe(1);
  });
});

describe('events and streams', () => {
  gpuTest('events measure the time between them', async (device) => {
    using stream = device.createStream();
    using loaded = await device.load(kernels);
    using start = device.createEvent();
    using end = device.createEvent();
    stream.record(start);
    launch(stream, block(1), loaded.kernel('spin'), { type: 'u64', value: 20_000_000 });
    stream.record(end);
    expect(end.query()).toBe(false);
    expect(() => end.elapsedMs(start)).toThrow(/must have happened/);
    await end.synchronize();
    expect(end.query()).toBe(true);
    expect(end.elapsedMs(start)).toBeGreaterThan(19);
    expect(end.elapsedMs(start)).toBeLessThan(40);
  });

  gpuTest('streams run beside each other, and wait for events', async (device) => {
    using slow = device.createStream();
    using fast = device.createStream();
    using loaded = await device.load(kernels);
    using event = device.createEvent({ timing: false });
    const order: string[] = [];
    const spin = (ms: number) => ({ type: 'u64', value: ms * 1e6 }) as const;
    launch(slow, block(1), loaded.kernel('spin'), spin(60));
    slow.record(event);
    launch(fast, block(1), loaded.kernel('spin'), spin(5));
    const waits = [
      slow.synchronize().then(() => order.push('slow')),
      fast.synchronize().then(() => order.push('fast')),
    ];
    fast.wait(event);
    launch(fast, block(1), loaded.kernel('spin'), spin(1));
    waits.push(fast.synchronize().then(() => order.push('after')));
    await Promise.all(waits);
    expect(order).toEqual(['fast', 'slow', 'after']);
    await device.synchronize();
  });
});
