import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { launch, openDevice } from '../../dist/index.js';
import { gpuTest } from './support/gpu.js';
import { block, kernels } from './support/kernels.js';

const mebi = 2 ** 20;

describe('memory', () => {
  gpuTest('is where it was after every kind of object was made and closed 1,000 times', async (device) => {
    const round = async () => {
      using stream = device.createStream();
      using event = device.createEvent();
      using buffer = device.allocateSync(mebi);
      using pinned = device.allocatePinned(4096);
      using loaded = await device.load(kernels);
      buffer.fill(stream, 1);
      launch(stream, block(1), loaded.kernel('nothing'));
      for (const graph of [false, true]) {
        const bound = { config: block(1), kernel: loaded.kernel('nothing'), args: [] };
        const batch = device.prepareLaunches([bound, bound], { graph });
        batch.enqueue(stream);
        batch.close();
      }
      stream.record(event);
      await buffer.copyTo(stream, new Uint8Array(pinned.buffer));
    };
    for (let i = 0; i < 20; i++) await round();
    await device.synchronize();
    const before = device.memInfo().free;
    for (let i = 0; i < 1000; i++) await round();
    await device.synchronize();
    expect(device.memInfo().free).toBe(before);
  });

  gpuTest('is where it was after devices were opened and closed', async (device) => {
    const before = device.memInfo().free;
    for (let i = 0; i < 50; i++) {
      await using other = await openDevice('cuda');
      await other.allocate(mebi);
      other.createStream();
    }
    for (let i = 0; i < 100 && device.memInfo().free !== before; i++) await sleep(20);
    expect(device.memInfo().free).toBe(before);
  });

  gpuTest('comes back when buffers are collected', async (device, { skip }) => {
    const { gc } = globalThis as { gc?: () => void };
    if (gc === undefined) return skip('Node.js runs without --expose-gc.');
    await device.synchronize();
    const before = device.memInfo().free;
    for (let i = 0; i < 64; i++) await device.allocate(16 * mebi);
    for (let i = 0; i < 100 && device.memInfo().free !== before; i++) {
      gc();
      await sleep(20);
      await device.synchronize();
    }
    expect(device.memInfo().free).toBe(before);
  });

  gpuTest('that is freed while a kernel uses it is kept until that is over', async (device) => {
    using stream = device.createStream();
    using loaded = await device.load(kernels);
    const size = 64 * mebi;
    const buffer = await device.allocate(size);
    buffer.fill(stream, 0);
    launch(stream, block(1), loaded.kernel('spin'), { type: 'u64', value: 50_000_000 });
    launch(
      stream,
      block(1),
      loaded.kernel('add'),
      { type: 'pointer', buffer },
      { type: 'f32', value: 5 },
      { type: 'u32', value: 1 },
    );
    const result = new Float32Array(1);
    const copied = buffer.copyTo(stream, result);
    const started = performance.now();
    buffer.close();
    using other = await device.allocate(size);
    using second = device.createStream();
    other.fill(second, -1);
    expect(performance.now() - started).toBeLessThan(40);
    await copied;
    expect(result[0]).toBe(5);
  });
});
