import { describe, expect } from 'vitest';
import { launch } from '../../dist/index.js';
import { gpuTest } from './support/gpu.js';
import { block, kernels } from './support/kernels.js';

const mebi = 2 ** 20;
const words = (count: number) => Uint32Array.from({ length: count }, (_, i) => Math.imul(i, 2654435761));

const same = (x: ArrayBufferView, y: ArrayBufferView) =>
  Buffer.compare(
    Buffer.from(x.buffer, x.byteOffset, x.byteLength),
    Buffer.from(y.buffer, y.byteOffset, y.byteLength),
  ) === 0;

describe('copies', () => {
  for (const [name, count] of [
    ['one word', 1],
    ['a small block', 8000],
    ['a staging block', mebi / 4],
    ['chunks', (9 * mebi) / 4 + 1],
    ['many chunks', 64 * mebi],
  ] as const) {
    gpuTest(`${name} of pageable memory, there and back`, async (device) => {
      using stream = device.createStream();
      using buffer = await device.allocate(count * 4);
      const source = words(count);
      const target = new Uint32Array(count);
      await Promise.all([buffer.copyFrom(stream, source), buffer.copyTo(stream, target)]);
      expect(same(source, target)).toBe(true);
    });
  }

  gpuTest('pinned memory, with offsets on both sides', async (device) => {
    using stream = device.createStream();
    using buffer = await device.allocate(8 * mebi);
    using pinned = device.allocatePinned(8 * mebi);
    const source = new Uint32Array(pinned.buffer, 0, mebi);
    source.set(words(mebi));
    const target = new Uint32Array(pinned.buffer, 4 * mebi + 4, mebi - 1);
    await Promise.all([
      buffer.copyFrom(stream, source, 4 * mebi),
      buffer.copyTo(stream, target, 4 * mebi + 4),
    ]);
    expect(same(target, source.subarray(1))).toBe(true);
  });

  gpuTest('between buffers, and fills', async (device) => {
    using stream = device.createStream();
    using from = await device.allocate(4096);
    using to = await device.allocate(8192);
    from.fill(stream, 0xdeadbeef);
    from.fill(stream, 7, 1024, 4);
    to.fill(stream, -1);
    await to.copyFrom(stream, from, 2048);
    const result = new Uint32Array(2048);
    await to.copyTo(stream, result);
    expect([511, 512, 768, 769, 1535, 1536].map((i) => result[i])).toEqual([
      0xffffffff, 0xdeadbeef, 7, 0xdeadbeef, 0xdeadbeef, 0xffffffff,
    ]);
  });

  gpuTest('stand in the order of the stream, whatever their size', async (device) => {
    using stream = device.createStream();
    using loaded = await device.load(kernels);
    const count = 6 * mebi;
    using buffer = await device.allocate(count * 4);
    const results = Array.from({ length: 5 }, () => new Float32Array(count));
    const small = Array.from({ length: 5 }, () => new Float32Array(1));
    const copies = [buffer.copyFrom(stream, new Float32Array(count).fill(1))];
    for (const [i, result] of results.entries()) {
      launch(stream, block(1), loaded.kernel('spin'), { type: 'u64', value: 3_000_000 });
      launch(
        stream,
        block(256, count / 256),
        loaded.kernel('add'),
        { type: 'pointer', buffer },
        { type: 'f32', value: i + 1 },
        { type: 'u32', value: count },
      );
      copies.push(
        buffer.copyTo(stream, result),
        buffer.copyTo(stream, small[i] as Float32Array, count * 4 - 4),
      );
    }
    await Promise.all(copies);
    for (const [i, value] of [2, 4, 7, 11, 16].entries()) {
      expect(small[i]?.[0]).toBe(value);
      expect(results[i]?.every((each) => each === value)).toBe(true);
    }
  });

  gpuTest('large ones leave the event loop free', async (device) => {
    using stream = device.createStream();
    using loaded = await device.load(kernels);
    using buffer = await device.allocate(256 * mebi);
    const source = new Uint8Array(256 * mebi).fill(3);
    await buffer.copyFrom(stream, source);
    launch(stream, block(1), loaded.kernel('spin'), { type: 'u64', value: 100_000_000 });
    let longest = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 1);
    await buffer.copyFrom(stream, source);
    clearInterval(timer);
    expect(longest).toBeLessThan(20);
  });

  gpuTest('refuse arrays that are or become detached', async (device) => {
    using stream = device.createStream();
    using buffer = await device.allocate(64);
    const gone = new Float32Array(4);
    structuredClone(gone.buffer, { transfer: [gone.buffer] });
    expect(() => buffer.copyFrom(stream, gone)).toThrow(TypeError);
    const going = new Float32Array(4);
    const copied = buffer.copyTo(stream, going);
    structuredClone(going.buffer, { transfer: [going.buffer] });
    await expect(copied).rejects.toThrow(TypeError);
  });
});
