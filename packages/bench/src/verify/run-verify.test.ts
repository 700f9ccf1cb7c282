import { expect, test } from 'vitest';
import { plain } from '../render/style.js';
import { widthOf } from '../render/text.js';
import { renderVerified } from '../render/verify.js';
import type { Step } from '../step.js';
import { FakeDevice } from '../test-support/fake-device.js';
import { fakeKernel, selected } from '../test-support/fake-kernel.js';
import { UsageError } from '../usage-error.js';
import { nothingFailed, runVerify } from './run-verify.js';
import { verifyJson } from './verify-json.js';

const right = selected(fakeKernel('k01'));
const wrong = selected(fakeKernel('k02', { error: 1 }));
const refusing = selected(fakeKernel('k03', { refuses: 'It needs sm_100 or newer.' }));

test('a right kernel passes every quick case, with progress', async () => {
  const steps: Step[] = [];
  const verified = await runVerify(new FakeDevice(), [right], {
    level: 'quick',
    onStep: (step) => steps.push(step),
  });
  expect(verified[0]?.report).toMatchObject({ outcome: 'passed', counts: { failed: 0 } });
  expect(nothingFailed(verified)).toBe(true);
  expect(steps[0]).toMatchObject({ done: 0, label: 'k01_bm32' });
  expect(steps.at(-1)?.done).toBe(steps.at(-1)?.total);
  expect(verifyJson(new FakeDevice(), verified)).toMatchObject({
    passed: true,
    kernels: [{ package: { name: '@x/ladder' } }],
  });
});

test('a wrong kernel fails, is explained case by case, and does not stop the others', async () => {
  const verified = await runVerify(new FakeDevice(), [wrong, right], { level: 'quick' });
  expect(verified.map(({ report }) => report.outcome)).toEqual(['failed', 'passed']);
  expect(nothingFailed(verified)).toBe(false);
  const lines = renderVerified(verified, plain, 80);
  expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(80);
  const text = lines.join('\n');
  expect(text).toMatch(/k02_bm32 +failed/);
  expect(text).toMatch(/✗ 1×1×1 integers\n {4}exact: .*C\[0\]\[0\] is/s);
  expect(text).toMatch(/and \d+ more cases; --json has all/);
});

test('a kernel whose declaration or loading throws fails by itself, and the others are verified', async () => {
  const bad = selected(fakeKernel('k04'));
  Object.defineProperty(bad.gemm, 'needs', {
    get: () => {
      throw new RangeError('no such tile');
    },
  });
  const library = selected(fakeKernel('lib', { role: 'reference' }));
  library.gemm.load = () => Promise.reject(new TypeError('a bug of its own'));
  const verified = await runVerify(new FakeDevice(), [bad, library, right], { level: 'quick' });
  expect(verified.map(({ report }) => report.outcome)).toEqual(['failed', 'failed', 'passed']);
  expect(renderVerified(verified, plain, 80).join('\n')).toMatch(/k04_bm32 could not be asked.*no such tile/);
});

test('a case that takes too long ends the run with what was found', async () => {
  const device = new FakeDevice();
  const createStream = device.createStream.bind(device);
  device.createStream = () =>
    Object.assign(createStream(), { synchronize: () => new Promise<void>(() => {}) });
  const options = { level: 'quick', caseTimeoutMs: 20 } as const;
  const verified = await runVerify(device, [right, wrong], options);
  expect(verified.map(({ report }) => report.ended?.by)).toEqual(['timeout']);
  expect(renderVerified(verified, plain, 80).join(' ').replaceAll(/\s+/g, ' ')).toMatch(
    /not done after 0\.02 s/,
  );
  expect(device.closed).toBe(true);
});

test('a kernel that refuses everything is no failure of itself, but nothing has passed', async () => {
  const cases = { level: 'quick', case: '1x1x1' } as const;
  const verified = await runVerify(new FakeDevice(), [refusing], cases);
  expect(verified[0]?.report.outcome).not.toBe('passed');
  expect(nothingFailed(verified)).toBe(false);
});

test('cases are chosen by a part of their name', async () => {
  const [verified] = await runVerify(new FakeDevice(), [right], { case: '33X17x65 Int' });
  expect(verified?.report.cases.map(({ name }) => name)).toEqual([
    '33×17×65 integers',
    '33×17×65 integers tight (buffers end with the last element)',
  ]);
  await expect(runVerify(new FakeDevice(), [right], { case: 'nonsense' })).rejects.toThrow(UsageError);
});

test('sizes that are compiled in are announced, each once', async () => {
  const compiled: string[] = [];
  const sized = selected(fakeKernel('k05', { sized: ({ m, n, k }) => compiled.push(`${m}x${n}x${k}`) }));
  const labels: string[] = [];
  const [verified] = await runVerify(new FakeDevice(), [sized], {
    level: 'quick',
    onStep: ({ label }) => labels.push(label),
  });
  expect(verified?.report.gemm.id).toBe('k05_bm32');
  expect(compiled.length).toBeGreaterThan(0);
  expect(new Set(compiled).size).toBe(compiled.length);
  expect(labels.filter((label) => label === 'k05_bm32: compile')).toHaveLength(compiled.length);
});
