import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launch, ObjectCode, openDevice } from '../dist/index.js';
import { buildFakeCuda, runScript } from './support/fake-cuda.js';
import { Scratch } from './support/fake-tools.js';

// A kernel that takes longer than anybody waits stands for one that never ends.

const scratch = new Scratch();
let FFMA_LIBCUDA: string;

beforeAll(() => {
  FFMA_LIBCUDA = buildFakeCuda(scratch);
  process.env.FFMA_LIBCUDA = FFMA_LIBCUDA;
});
afterAll(() => scratch[Symbol.dispose]());

const kernels = ObjectCode.fromPtx('kernels sleep:4');
const config = { grid: [1, 1, 1], block: [1, 1, 1] } as const;

/** Opens the device and starts a kernel; what is in flight behind it is in `copied`. */
const endless = `
  const device = await core.openDevice('cuda');
  const stream = device.createStream();
  const buffer = await device.allocate(16);
  const loaded = await device.load(core.ObjectCode.fromPtx('kernels sleep:4'));
  const config = { grid: [1, 1, 1], block: [1, 1, 1] };
  core.launch(stream, config, loaded.kernel('sleep'), { type: 'i32', value: 30_000 });`;
const behind = `const copied = buffer.copyTo(stream, new Float32Array(4));`;

describe('while a kernel runs', () => {
  it('close returns at once; what is in flight settles when the kernel is over', async () => {
    const device = await openDevice('cuda');
    const stream = device.createStream();
    const buffer = await device.allocate(16);
    const loaded = await device.load(kernels);
    launch(stream, config, loaded.kernel('sleep'), { type: 'i32', value: 600 });
    const loading = device.load(ObjectCode.fromPtx('slow kernels sleep:4'));
    const copied = buffer.copyTo(stream, new Float32Array(4)).then(() => 'settled');
    const start = performance.now();
    device.close();
    expect(performance.now() - start).toBeLessThan(100);
    await expect(loading).rejects.toMatchObject({ code: 'FFMA_CLOSED' });
    expect(await Promise.race([copied, sleep(10, 'in flight')])).toBe('in flight');
    expect(await copied).toBe('settled');
    expect(performance.now() - start).toBeGreaterThan(400);
  });

  it('asyncDispose waits for it, and no longer once the device is closed', async () => {
    const device = await openDevice('cuda');
    const stream = device.createStream();
    const loaded = await device.load(kernels);
    launch(stream, config, loaded.kernel('sleep'), { type: 'i32', value: 600 });
    const start = performance.now();
    const disposed = device[Symbol.asyncDispose]();
    expect(await Promise.race([disposed, sleep(100, 'waiting')])).toBe('waiting');
    device.close();
    await disposed;
    expect(performance.now() - start).toBeLessThan(400);
  });

  it.each([
    ['process.exit, with a copy behind it', `${behind} process.exit(7);`],
    ['process.exit, with nothing behind it', 'process.exit(7);'],
    ['process.exit, with the device closed', `${behind} device.close(); process.exit(7);`],
    ['the end of the script', 'process.exitCode = 7;'],
  ])('%s ends the process, with its code, whatever the driver waits for', (_, end) => {
    const start = performance.now();
    const result = runScript(endless + end, { FFMA_LIBCUDA, FAKE_CUDA_PATIENT: '1' });
    expect(result).toEqual({ code: 7, stdout: '', stderr: '' });
    expect(performance.now() - start).toBeLessThan(8000);
  });

  it('a process that waits for nothing runs the handlers of its end', () => {
    const quick = endless.replace('30_000', '50');
    const script = `${quick} ${behind} await copied; device.close();`;
    const result = runScript(script, { FFMA_LIBCUDA, FAKE_CUDA_AT_END: 'its handlers ran' });
    expect(result).toEqual({ code: 0, stdout: 'its handlers ran\n', stderr: '' });
  });

  it('a worker is left after some seconds, and the process too', async () => {
    const core = new URL('../dist/index.js', import.meta.url).href;
    const script = `
      import { Worker } from 'node:worker_threads';
      const body = \`(async () => {
        const core = await import(${JSON.stringify(core)});
        ${endless} ${behind}
        require('node:worker_threads').parentPort.postMessage('working');
      })()\`;
      const worker = new Worker(body, { eval: true });
      await new Promise((resolve) => worker.once('message', resolve));
      const start = performance.now();
      console.log(await worker.terminate(), performance.now() - start < 10_000);
      process.exitCode = 7;`;
    const start = performance.now();
    const result = runScript(script, { FFMA_LIBCUDA, FAKE_CUDA_PATIENT: '1' });
    expect(result).toEqual({ code: 7, stdout: '1 true\n', stderr: '' });
    expect(performance.now() - start).toBeLessThan(20_000);
  });
});
