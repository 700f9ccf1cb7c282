import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { launch, openDevice } from '../../dist/index.js';
import { runScript } from '../support/fake-cuda.js';
import { gpuTest } from './support/gpu.js';
import { block, kernelPtx, kernels } from './support/kernels.js';

// Kernels that take longer than anybody waits stand for one that never ends; they end by themselves, so that nothing
// can hang the machine.

const spin = (seconds: number) => ({ type: 'u64', value: seconds * 1e9 }) as const;
const since = (start: number) => (performance.now() - start) / 1000;

/** Seconds that the kernels of other processes take. */
const LONG = 20;
/** Starts one, and a copy behind it. */
const endless = `
  const ptx = ${JSON.stringify(kernelPtx)};
  const device = await core.openDevice('cuda');
  const stream = device.createStream();
  const buffer = await device.allocate(16);
  const pinned = device.allocatePinned(4096);
  const loaded = await device.load(core.ObjectCode.fromPtx(ptx));
  const config = { grid: [1, 1, 1], block: [1, 1, 1] };
  core.launch(stream, config, loaded.kernel('spin'), { type: 'u64', value: ${LONG * 1e9} });`;
const behind = `
  const copied = buffer.copyTo(stream, new Float32Array(4));
  await new Promise((resolve) => setTimeout(resolve, 100));`;

describe('while a kernel runs', () => {
  gpuTest('close returns at once; what is in flight settles when the kernel is over', async (device) => {
    // The driver loads what it needs at first use, and may wait for running kernels then.
    using own = device.createStream();
    using words = device.allocateSync(4);
    const word = new Uint32Array(1);
    words.fill(own, 1);
    await words.copyTo(own, word);
    const other = await openDevice('cuda');
    const stream = other.createStream();
    const event = other.createEvent();
    const buffer = await other.allocate(2 ** 20);
    const pinned = other.allocatePinned(2 ** 20);
    const loaded = await other.load(kernels);
    launch(stream, block(1), loaded.kernel('spin'), spin(3));
    stream.record(event);
    const start = performance.now();
    const copied = [
      buffer.copyTo(stream, new Float32Array(4)),
      buffer.copyTo(stream, new Uint8Array(pinned.buffer)),
      event.synchronize(),
    ];
    other.close();
    const closed = since(start);
    // Another device in the same process is as good as ever.
    words.fill(own, 7);
    await words.copyTo(own, word);
    const worked = since(start);
    await Promise.all(copied);
    const settled = since(start);
    console.log(
      `close under a kernel of 3 s: ${(closed * 1000).toFixed(1)} ms; a copy meanwhile after ${worked.toFixed(2)} s; ` +
        `settled after ${settled.toFixed(2)} s`,
    );
    expect(word[0]).toBe(7);
    expect(closed).toBeLessThan(0.2);
    expect(worked).toBeLessThan(1.5);
    expect(settled).toBeGreaterThan(2.5);
    expect(settled).toBeLessThan(6);
  });

  gpuTest('asyncDispose waits for it, and no longer once the device is closed', async () => {
    for (const [closing, least, most] of [
      [false, 1.3, 4],
      [true, 0.1, 1],
    ] as const) {
      const other = await openDevice('cuda');
      const stream = other.createStream();
      const loaded = await other.load(kernels);
      launch(stream, block(1), loaded.kernel('spin'), spin(1.5));
      const start = performance.now();
      const disposed = other[Symbol.asyncDispose]();
      if (closing) await sleep(200).then(() => other.close());
      await disposed;
      expect(since(start)).toBeGreaterThan(least);
      expect(since(start)).toBeLessThan(most);
    }
  });

  for (const [how, end] of [
    ['process.exit, with a copy behind it', `${behind} process.exit(7);`],
    ['process.exit, with nothing behind it', 'process.exit(7);'],
    ['process.exit, with the device closed', `${behind} device.close(); process.exit(7);`],
    ['the end of the script', 'process.exitCode = 7;'],
  ] as const) {
    gpuTest(`${how} ends the process, and the GPU is free for the next`, async () => {
      const start = performance.now();
      const result = runScript(endless + end);
      const ended = since(start);
      const next = runScript(`
        ${endless.replace(String(LONG * 1e9), '1000')}
        await stream.synchronize();
        device.close();
        console.log('done');`);
      console.log(
        `a kernel of ${LONG} s: ${how}: ended after ${ended.toFixed(2)} s, ` +
          `the next process after ${(since(start) - ended).toFixed(2)} s`,
      );
      expect(result).toEqual({ code: 7, stdout: '', stderr: '' });
      expect(next).toEqual({ code: 0, stdout: 'done\n', stderr: '' });
      expect(since(start)).toBeLessThan(LONG - 4);
    });
  }

  gpuTest('a worker is left after some seconds, and the process too', async () => {
    const core = new URL('../../dist/index.js', import.meta.url).href;
    const start = performance.now();
    const body = `(async () => {
      const core = await import(${JSON.stringify(core)});
      ${endless} ${behind}
      require('node:worker_threads').parentPort.postMessage('working');
    })()`;
    const result = runScript(`
      import { Worker } from 'node:worker_threads';
      const worker = new Worker(${JSON.stringify(body)}, { eval: true });
      await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
      const start = performance.now();
      console.log(await worker.terminate(), performance.now() - start < 10_000);
      process.exitCode = 7;`);
    console.log(`a kernel of ${LONG} s in a worker: ended after ${since(start).toFixed(2)} s`);
    expect(result).toEqual({ code: 7, stdout: '1 true\n', stderr: '' });
    expect(since(start)).toBeLessThan(LONG - 4);
  });
});
