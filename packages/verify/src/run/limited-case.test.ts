import type { Stream } from '@ffma/core';
import { expect, test } from 'vitest';
import { FakeDevice, type FakeStream } from '../test-support/fake-device.js';
import { JsGemm } from '../test-support/js-gemm.js';
import { kernel } from '../test-support/js-kernels.js';
import type { VerifyCase } from './case.js';
import { verifyGemm } from './verify-gemm.js';

const small: VerifyCase = { shape: { m: 9, n: 10, k: 11 }, data: 'integers', expect: 'run' };
const three: VerifyCase[] = [small, { ...small, data: 'uniform' }, { ...small, seed: 2 }];

/** A device on which the work of the second case never ends. */
class HangingDevice extends FakeDevice {
  #streams = 0;

  override createStream(): FakeStream {
    const stream: Stream = super.createStream();
    if (++this.#streams === 2) stream.synchronize = () => new Promise(() => {});
    return stream as FakeStream;
  }
}

const endless = /kernel may still be running: on a GPU until it or the process ends/;

test('a case that takes too long fails, its device is closed, and what finished is reported', async () => {
  const device = new HangingDevice();
  const seen: string[] = [];
  const report = await verifyGemm(device, new JsGemm(kernel()), {
    cases: three,
    caseTimeoutMs: 30,
    onCase: ({ status }) => seen.push(status),
  });
  expect(seen).toEqual(['passed', 'failed']);
  expect(report).toMatchObject({
    outcome: 'failed',
    ended: { by: 'timeout' },
    counts: { asked: 3, passed: 1, failed: 1 },
  });
  expect(report.cases[1]).toMatchObject({
    name: '9×10×11 uniform',
    sentence: expect.stringMatching(endless),
  });
  expect(report.cases[1]?.sentence).toMatch(/not done after 0\.03 s/);
  expect(report.sentence).toMatch(/a case took too long, so the device was closed/);
  expect(device.closed).toBe(true);
});

test('an abort is heard within a case, which is no failure of the kernel', async () => {
  const stop = new AbortController();
  const device = new HangingDevice();
  const running = verifyGemm(device, new JsGemm(kernel()), { cases: three, signal: stop.signal });
  setTimeout(() => stop.abort(), 30);
  const report = await running;
  expect(report).toMatchObject({
    outcome: 'incomplete',
    ended: { by: 'abort' },
    counts: { passed: 1, failed: 0 },
  });
  expect(report.cases[1]).toMatchObject({ status: 'aborted', sentence: expect.stringMatching(endless) });
  expect(device.closed).toBe(false);
});

test('a limit that is not reached changes nothing', async () => {
  const report = await verifyGemm(new FakeDevice(), new JsGemm(kernel()), {
    cases: three,
    caseTimeoutMs: 60_000,
  });
  expect(report).toMatchObject({ outcome: 'passed', counts: { passed: 3 } });
});
