import { expect, test } from 'vitest';
import { renderBench, renderBenchMarkdown } from '../render/bench.js';
import { plain } from '../render/style.js';
import { widthOf } from '../render/text.js';
import { resultSchema } from '../result/schema.js';
import { parseResult, stringifyResult } from '../result/store.js';
import type { Step } from '../step.js';
import { FakeDevice } from '../test-support/fake-device.js';
import { discoveryOf, fakeKernel, fakePackage, selected } from '../test-support/fake-kernel.js';
import { runBench } from './run-bench.js';
import { parseSizes } from './sizes.js';

const k01 = fakeKernel('k01', { sectorsPerStore: 32 });
const k02 = fakeKernel('k02', { basedOn: 'k01' });
const sizes = parseSizes('32,8x40x16');

async function bench(kernels: ReturnType<typeof fakeKernel>[], counters = true) {
  const discovery = discoveryOf(k01, k02, ...kernels);
  return runBench(new FakeDevice({ counters }), kernels.map(selected), { sizes, discovery });
}

test('a kernel is measured beside its base, which is measured too though nobody asked for it', async () => {
  const { rows } = await bench([k02]);
  expect(rows.map(({ kernel, asked, problem: { m } }) => [kernel, asked, m])).toEqual([
    ['k01', false, 32],
    ['k02', true, 32],
    ['k01', false, 8],
    ['k02', true, 8],
  ]);
  expect(rows[1]?.base).toEqual({ id: 'k01_bm32', package: '@x/ladder' });
  expect(rows.map((row) => row.counters?.values['global.store.sectorsPerRequest'])).toEqual([32, 4, 32, 4]);
  expect(rows[1]?.counters?.launches).toHaveLength(1);
});

test('a base of another package is found', async () => {
  const other = fakeKernel('z1', { basedOn: 'k01', package: { ...fakePackage, name: 'other' } });
  const { rows } = await bench([other]);
  expect(rows[1]).toMatchObject({ kernel: 'z1', package: { name: 'other' }, base: { package: '@x/ladder' } });
});

test('a wrong kernel carries no counters and is not in the table', async () => {
  const wrong = fakeKernel('k03', { basedOn: 'k02', error: 1 });
  const result = await bench([k02, wrong]);
  const row = result.rows.find(({ kernel }) => kernel === 'k03');
  expect(row?.correctness).toMatchObject({ status: 'failed', cases: { failed: 2 } });
  expect(row?.correctness).not.toHaveProperty('ran');
  expect(row?.counters).toBeUndefined();
  const text = renderBench(result, plain, 80).join('\n');
  expect(text).not.toMatch(/^ *k03 +\d/m);
  expect(text).toMatch(/^wrong {2}k03 32³: .*canary/m);
});

test('a kernel that cannot be loaded is a failed row with the reason, and is not called wrong', async () => {
  const result = await bench([fakeKernel('k04', { failsToLoad: 'no artefact' })]);
  const { rows } = result;
  expect(rows[0]?.correctness.ran).toBe(false);
  expect(renderBench(result, plain, 80).join('\n')).toMatch(/^not run {2}k04 32³: .*no artefact/m);
  expect(rows[0]?.artefact).toBeUndefined();
  expect(rows[0]?.correctness).toMatchObject({
    status: 'failed',
    failures: [expect.stringMatching(/no artefact/)],
  });
});

test('the result fits its schema and survives being written and read', async () => {
  const result = await bench([k01, k02]);
  expect(resultSchema.parse(result)).toEqual(result);
  expect(parseResult(stringifyResult(result))).toEqual(result);
  expect(result.device.details).toMatchObject({ fma: 'f64', counters: true });
});

test('the table fits 80 columns and says what the numbers say', async () => {
  const lines = renderBench(await bench([k01, k02]), plain, 80);
  expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(80);
  const text = lines.join('\n');
  expect(text).toMatch(/^k02 .* 4 +\S+\n {2}k01 .* 32 /m);
  expect(text).toContain('k02 moves 4 sectors per store request where k01 moves 32');
  expect(text.replaceAll('\n', ' ')).toContain('says nothing about time on a GPU');
});

test('Markdown has each figure with that of the base in brackets', async () => {
  const text = renderBenchMarkdown(await bench([k01, k02])).join('\n');
  expect(text).toMatch(/\| k02 \(k01\) \|.* 4 \(32\) \|/);
  expect(text).toContain('### 8×40×16');
});

test('a device that does not count gives correctness alone', async () => {
  const result = await bench([k01], false);
  expect(result.protocol.name).toBe('correctness');
  expect(result.rows[0]?.counters).toBeUndefined();
  expect(renderBench(result, plain, 80).join('\n')).toMatch(/k01: correct \(exact/);
});

test('steps are told before each row', async () => {
  const steps: Step[] = [];
  await runBench(new FakeDevice(), [selected(k01)], {
    sizes,
    discovery: discoveryOf(k01),
    onStep: (s) => steps.push(s),
  });
  expect(steps).toEqual([
    { done: 0, total: 2, label: 'k01_bm32 at 32×32×32' },
    { done: 1, total: 2, label: 'k01_bm32 at 8×40×16' },
  ]);
});
