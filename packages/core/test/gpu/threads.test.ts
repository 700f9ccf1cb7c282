import { Worker } from 'node:worker_threads';
import { describe, expect } from 'vitest';
import { launch } from '../../dist/index.js';
import { gpuTest } from './support/gpu.js';
import { block, kernelPtx, kernels } from './support/kernels.js';

const core = new URL('../../dist/index.js', import.meta.url).href;

/** Opens the device and starts copies of every kind behind a kernel that takes `ms`. */
const work = (ms: number) => `
  const { openDevice, launch, ObjectCode } = await import(${JSON.stringify(core)});
  const device = await openDevice('cuda');
  const loaded = await device.load(ObjectCode.fromPtx(${JSON.stringify(kernelPtx)}));
  const stream = device.createStream();
  const buffer = await device.allocate(64 * 2 ** 20);
  const pinned = device.allocatePinned(2 ** 20);
  const block = { grid: [1, 1, 1], block: [1, 1, 1] };
  launch(stream, block, loaded.kernel('spin'), { type: 'u64', value: ${ms * 1e6} });
  const pending = [
    buffer.copyFrom(stream, new Float32Array(16 * 2 ** 20).fill(3)),
    buffer.copyTo(stream, new Float32Array(pinned.buffer)),
    device.load(ObjectCode.fromPtx(${JSON.stringify(kernelPtx)} + '\\n// ' + Math.random())),
  ];`;

const run = (body: string) => new Worker(`(async () => { ${body} })()`, { eval: true });
const message = (worker: Worker) =>
  new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));

describe('worker threads', () => {
  gpuTest('compute beside each other', async () => {
    const workers = Array.from({ length: 4 }, () =>
      run(`${work(20)} await Promise.all(pending);
        const result = new Float32Array(pinned.buffer);
        require('node:worker_threads').parentPort.postMessage(result.every((value) => value === 3));`),
    );
    expect(await Promise.all(workers.map(message))).toEqual([true, true, true, true]);
    await Promise.all(workers.map((worker) => worker.terminate()));
  });

  gpuTest('end in the middle of work, again and again, and harm nobody', async (device) => {
    for (let round = 0; round < 5; round++) {
      const workers = [0, 1, 2].map(() =>
        run(`${work(200)} require('node:worker_threads').parentPort.postMessage(true);`),
      );
      await Promise.all(workers.map(message));
      await Promise.all(workers.map((worker) => worker.terminate()));
    }
    using stream = device.createStream();
    using loaded = await device.load(kernels);
    using buffer = await device.allocate(4);
    buffer.fill(stream, 0);
    launch(
      stream,
      block(32),
      loaded.kernel('add'),
      { type: 'pointer', buffer },
      { type: 'f32', value: 4 },
      { type: 'u32', value: 1 },
    );
    const result = new Float32Array(1);
    await buffer.copyTo(stream, result);
    expect(result[0]).toBe(4);
  });
});
