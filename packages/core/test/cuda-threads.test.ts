import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDevice } from '../dist/index.js';
import { buildFakeCuda, runScript } from './support/fake-cuda.js';
import { Scratch } from './support/fake-tools.js';

const scratch = new Scratch();
let FFMA_LIBCUDA: string;

beforeAll(() => {
  FFMA_LIBCUDA = buildFakeCuda(scratch);
  process.env.FFMA_LIBCUDA = FFMA_LIBCUDA;
});
afterAll(() => scratch[Symbol.dispose]());

/** Opens the device, starts copies of every kind behind a kernel that takes a while, and a slow load. */
const work = (core: string, ms: number) => `
  const { openDevice, launch, ObjectCode } = await import(${JSON.stringify(core)});
  const device = await openDevice('cuda');
  const loaded = await device.load(ObjectCode.fromPtx('kernels sleep:4'));
  const stream = device.createStream();
  const buffer = await device.allocate(16 * 2 ** 20);
  const pinned = device.allocatePinned(2 ** 20);
  launch(stream, { grid: [1, 1, 1], block: [1, 1, 1] }, loaded.kernel('sleep'), { type: 'i32', value: ${ms} });
  const pending = [
    buffer.copyFrom(stream, new Float32Array(4 * 2 ** 20).fill(3)),
    buffer.copyTo(stream, new Float32Array(16)),
    buffer.copyTo(stream, new Float32Array(pinned.buffer)),
    device.load(ObjectCode.fromPtx('slow kernels sleep:4')),
  ];`;

const core = new URL('../dist/index.js', import.meta.url).href;

describe('worker threads', () => {
  it('use the device beside each other, and end in the middle of work', async () => {
    using device = await openDevice('cuda');
    const run = (body: string) => new Worker(`(async () => { ${body} })()`, { eval: true });
    for (let round = 0; round < 3; round++) {
      const workers = [0, 1].map(() =>
        run(`${work(core, 150)} require('node:worker_threads').parentPort.postMessage('working');`),
      );
      await Promise.all(
        workers.map(
          (worker) => new Promise((resolve, reject) => worker.on('message', resolve).on('error', reject)),
        ),
      );
      await Promise.all(workers.map((worker) => worker.terminate()));
    }
    using stream = device.createStream();
    using buffer = await device.allocate(64);
    const target = new Uint32Array(16);
    buffer.fill(stream, 9);
    await buffer.copyTo(stream, target);
    expect(target.every((word) => word === 9)).toBe(true);
  });
});

describe('the end of a worker thread', () => {
  it('may come at any moment', async () => {
    const body = `(async () => {
      const { openDevice, launch, ObjectCode } = await import(${JSON.stringify(core)});
      require('node:worker_threads').parentPort.postMessage('working');
      for (;;) {
        const device = await openDevice('cuda');
        const loaded = await device.load(ObjectCode.fromPtx('kernels nothing:'));
        const stream = device.createStream();
        const event = device.createEvent();
        const pending = [];
        for (let i = 0; i < 20; i++) {
          const buffer = await device.allocate(65536);
          const pinned = device.allocatePinned(4096);
          launch(stream, { grid: [1, 1, 1], block: [1, 1, 1] }, loaded.kernel('nothing'));
          stream.record(event);
          pending.push(
            buffer.copyFrom(stream, new Float32Array(1000)),
            buffer.copyTo(stream, new Uint8Array(pinned.buffer)),
            event.synchronize(),
            device.load(ObjectCode.fromPtx('garbage')).catch((error) => error.code),
          );
        }
        await Promise.all(pending);
        device.close();
      }
    })()`;
    for (let round = 0; round < 20; round++) {
      const workers = [0, 1, 2].map(() => new Worker(body, { eval: true }));
      await Promise.all(workers.map((worker) => new Promise((resolve) => worker.once('message', resolve))));
      await new Promise((resolve) => setTimeout(resolve, round * 3));
      expect(await Promise.all(workers.map((worker) => worker.terminate()))).toEqual([1, 1, 1]);
    }
  });
});

describe('the end of the process', () => {
  it('is quiet with everything open and in flight, and keeps the exit code', () => {
    const { code, stdout, stderr } = runScript(`${work(core, 2000)} process.exit(7);`, { FFMA_LIBCUDA });
    expect({ code, stdout, stderr }).toEqual({ code: 7, stdout: '', stderr: '' });
  });

  it('waits for what is awaited, and not for what is only open', () => {
    const script = `${work(core, 100)} await Promise.all(pending); console.log('done');`;
    expect(runScript(script, { FFMA_LIBCUDA })).toMatchObject({ code: 0, stdout: 'done\n', stderr: '' });
  });

  it('is as an error wants it', () => {
    const { code, stderr } = runScript(`${work(core, 2000)} throw new Error('mine');`, { FFMA_LIBCUDA });
    expect(code).toBe(1);
    expect(stderr).toContain('Error: mine');
  });
});

const withGc = `
    import { setTimeout } from 'node:timers/promises';
    import { setFlagsFromString } from 'node:v8';
    import { runInNewContext } from 'node:vm';
    setFlagsFromString('--expose-gc');
    const gc = runInNewContext('gc');`;

it('garbage collection leaves what prepared launches need', () => {
  const script = `${withGc}
    const device = await core.openDevice('cuda');
    const stream = device.createStream();
    const buffer = await device.allocate(4);
    async function prepare() {
      const loaded = await device.load(core.ObjectCode.fromPtx('kernels add:8,4,4'));
      const args = [{ type: 'pointer', buffer }, { type: 'f32', value: 2 }, { type: 'i32', value: 1 }];
      const config = { grid: [1, 1, 1], block: [1, 1, 1] };
      return device.prepareLaunches([{ config, kernel: loaded.kernel('add'), args }]);
    }
    const batch = await prepare();
    for (let i = 0; i < 5; i++) {
      gc();
      await setTimeout(20);
    }
    buffer.fill(stream, 0);
    batch.enqueue(stream);
    const result = new Float32Array(1);
    await buffer.copyTo(stream, result);
    console.log(result[0]);`;
  expect(runScript(script, { FFMA_LIBCUDA })).toMatchObject({ code: 0, stdout: '2\n', stderr: '' });
});

it('garbage collection gives memory back', () => {
  const script = `${withGc}
    const device = await core.openDevice('cuda');
    const { free } = device.memInfo();
    for (let i = 0; i < 100; i++) {
      await device.allocate(2 ** 20);
      device.createStream();
      device.createEvent();
      await device.load(core.ObjectCode.fromPtx('kernels sleep:4'));
    }
    for (let i = 0; i < 50 && device.memInfo().free < free; i++) {
      gc();
      await setTimeout(20);
      await device.synchronize();
    }
    console.log(device.memInfo().free === free);`;
  expect(runScript(script, { FFMA_LIBCUDA })).toMatchObject({ code: 0, stdout: 'true\n' });
});
