import { describe, expect, test } from 'vitest';
import { runChild } from './support/child.js';
import { kernel } from './support/run-ptx.js';

const STORE = kernel(
  'u64 p',
  'ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], %r1;',
);

/** Opens a device and a stream, and defines `run(threads)`, which launches a kernel on a buffer of 32 words. */
const SETUP = `
import { launch, ObjectCode } from '@ffma/core';
import { EmulatorDevice } from '@ffma/emulator';
const device = new EmulatorDevice({ cache: false });
const stream = device.createStream();
const buffer = device.allocateSync(128);
const object = await device.load(ObjectCode.fromPtx(${JSON.stringify(STORE)}));
const run = (threads) => launch(stream, { grid: [1, 1, 1], block: [threads, 1, 1] }, object.kernel('k'), { type: 'pointer', buffer });
`;

describe('a process with an open device ends by itself', () => {
  test('when nothing was done', async () => {
    const result = await runChild(
      "import { EmulatorDevice } from '@ffma/emulator'; new EmulatorDevice(); process.exitCode = 5;",
    );
    expect(result).toMatchObject({ code: 5, stdout: '', stderr: '' });
  });

  test('soon after its work, with its exit code and its own output only', async () => {
    const result = await runChild(`${SETUP}
run(32);
const words = new Uint32Array(32);
await buffer.copyTo(stream, words);
process.exitCode = 3;
console.log(words.join());`);
    expect(result).toMatchObject({ code: 3, stdout: `${[...Array(32).keys()].join()}\n`, stderr: '' });
    expect(result.afterOutputMs).toBeLessThan(5000);
  });

  test('not before work that nobody awaits is done', async () => {
    const result = await runChild(`${SETUP}
run(32);
const words = new Uint32Array(32);
buffer.copyTo(stream, words).then(() => console.log(words[31]));`);
    expect(result).toMatchObject({ code: 0, stdout: '31\n', stderr: '' });
  });

  test('in silence after a fault that nobody asked for', async () => {
    const result = await runChild(`${SETUP}
run(64);
run(32);
const event = device.createEvent();
stream.record(event);
await new Promise((resolve) => setTimeout(resolve, 300));`);
    expect(result).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });

  test('as an error where a failed copy is not caught', async () => {
    const result = await runChild(`${SETUP}
run(64);
await buffer.copyTo(stream, new Uint32Array(32));`);
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('Out-of-bounds store');
  });

  test('after a device was closed in the middle of a launch', async () => {
    const endless = kernel('u64 p', 'LOOP: bra LOOP;');
    const result = await runChild(`${SETUP}
const spinning = await device.load(ObjectCode.fromPtx(${JSON.stringify(endless)}));
launch(stream, { grid: [1, 1, 1], block: [32, 1, 1] }, spinning.kernel('k'), { type: 'pointer', buffer });
const done = stream.synchronize();
await new Promise((resolve) => setTimeout(resolve, 200));
device.close();
console.log(await done.catch((error) => error.code));`);
    expect(result).toMatchObject({ code: 0, stdout: 'FFMA_CLOSED\n', stderr: '' });
    expect(result.afterOutputMs).toBeLessThan(5000);
  });
});

test('importing the package and opening a device loads no translator, and takes little time', async () => {
  const result = await runChild(`
import { register } from 'node:module';
register('data:text/javascript,' + encodeURIComponent(\`
import { writeSync } from 'node:fs';
export async function load(url, context, next) {
  if (url.includes('binaryen')) writeSync(2, 'loaded ' + url);
  return next(url, context);
}\`));
const start = process.cpuUsage();
const { EmulatorDevice } = await import('@ffma/emulator');
const { user, system } = process.cpuUsage(start);
new EmulatorDevice();
console.log((user + system) / 1000);`);
  expect(result).toMatchObject({ code: 0, stderr: '' });
  // Milliseconds of the processor, so that a busy machine does not count; the translator alone takes several hundred.
  expect(Number(result.stdout)).toBeLessThan(300);
});
