import { expect, test } from 'vitest';
import { renderExperiment } from '../render/experiment.js';
import { plain } from '../render/style.js';
import { widthOf } from '../render/text.js';
import { renderExperimentMarkdown } from '../report/experiment-markdown.js';
import { parseResult, stringifyResult } from '../result/store.js';
import { FakeDevice } from '../test-support/fake-device.js';
import type { FakeKernelOptions } from '../test-support/fake-kernel.js';
import { FakeTimingDevice } from '../test-support/fake-timing-device.js';
import { experimentDiscovery, experimentTimes as times } from '../test-support/timed-experiment.js';
import { UsageError } from '../usage-error.js';
import { findExperiment } from './find.js';
import { type RunExperimentOptions, runExperiment } from './run-experiment.js';

async function run(
  options: Partial<RunExperimentOptions> = {},
  kernels: Readonly<Record<string, FakeKernelOptions>> = {},
) {
  const discovery = experimentDiscovery(kernels);
  const found = findExperiment(discovery, 'two-by-two');
  return runExperiment(new FakeTimingDevice({ times }), found, {
    discovery,
    ...options,
    protocol: { launches: 2, warmUpMs: 0, ...options.protocol },
  });
}

const at = (n: number) => ({ m: n, n, k: n });

test('every row is measured where it belongs, in as many rounds as the experiment asks for', async () => {
  const result = await run();
  const timed = result.rows.filter((row) => row.times !== undefined);
  expect(timed.map(({ id, problem }) => `${id} ${problem.n}`)).toEqual([
    ...['lib_bm32 8', 'k01_bm32 8', 'k02_bm32 8', 'k03_bm32 8'],
    ...['lib_bm32 6', 'k01_bm32 6', 'k02_bm32 6', 'k03_bm32 6', 'k04_bm32 6'],
  ]);
  expect(timed.every((row) => row.times?.rounds.length === 3)).toBe(true);
  expect(result.experiment).toMatchObject({ name: 'two-by-two', package: '@x/ladder' });
  expect(result.experiment.conclusions).toEqual([
    'At 8³, k03_bm32 takes 70.0 µs.',
    'At 6³, k03_bm32 takes 70.0 µs.',
  ]);
  expect(result.experiment.notes).toEqual([
    expect.stringMatching(/^The row elsewhere was left out: There is no kernel 'k99'/),
  ]);
});

test('sizes, rounds and the reference can be chosen', async () => {
  const result = await run({ sizes: [at(6)], reference: 'k01', protocol: { rounds: 2 } });
  expect(new Set(result.rows.map(({ problem }) => problem.n))).toEqual(new Set([6]));
  expect(result.protocol.parameters).toMatchObject({ rounds: 2 });
  expect(result.rows.find(({ role }) => role === 'reference')?.id).toBe('k01_bm32');
  const discovery = experimentDiscovery();
  const [one] = discovery.experiments;
  const sizedOnly = { ...one!.experiment, rows: one!.experiment.rows.filter(({ name }) => name === 'sized') };
  const wrong = runExperiment(
    new FakeTimingDevice(),
    { ...one!, experiment: { ...sizedOnly, pairs: [] } },
    { discovery, sizes: [at(8)] },
  );
  await expect(wrong).rejects.toThrow(/has no row at 8×8×8/);
});

test('a device without a clock is refused, with what can be done there', async () => {
  const discovery = experimentDiscovery();
  const found = findExperiment(discovery, 'two-by-two');
  await expect(runExperiment(new FakeDevice(), found, { discovery })).rejects.toMatchObject({
    code: 'FFMA_UNSUPPORTED',
    remedy: expect.stringMatching(/--device cuda, or with --check/),
  });
});

test('nothing is concluded from a size where a row is missing', async () => {
  const result = await run({}, { k01: { error: 1 } });
  expect(result.rows.find(({ kernel }) => kernel === 'k01')?.correctness.status).toBe('failed');
  expect(result.experiment.conclusions).toEqual([]);
  const text = renderExperiment(result, plain, 80).join('\n');
  expect(text).toMatch(/^neither +– +– +– +73\.9 µs on H100/m);
  expect(text).toMatch(/^wrong {2}k01 8³: /m);
});

test('of several candidates, one that is wrong costs the row nothing', async () => {
  const result = await run({ sizes: [at(8)] }, { k03: { error: 1 } });
  expect(result.experiment.conclusions).toEqual(['At 8³, k02_bm32 takes 75.0 µs.']);
});

test('a conclusion that throws loses no figures', async () => {
  const discovery = experimentDiscovery();
  const [one] = discovery.experiments;
  const conclude = () => {
    throw new RangeError('no such row');
  };
  const found = { ...one!, experiment: { ...one!.experiment, conclude } };
  const result = await runExperiment(new FakeTimingDevice({ times }), found, {
    discovery,
    protocol: { launches: 2, warmUpMs: 0 },
  });
  expect(result.rows.some((row) => row.times !== undefined)).toBe(true);
  expect(result.experiment.notes.at(-1)).toMatch(/could not be told: no such row/);
});

test('it goes on from a file of its own, and of no other', async () => {
  let saved = '';
  const controller = new AbortController();
  await run({
    signal: controller.signal,
    onSize: (soFar) => {
      saved ||= stringifyResult(soFar);
      controller.abort();
    },
  });
  const earlier = parseResult(saved);
  expect(earlier).toMatchObject({ interrupted: true, experiment: { name: 'two-by-two' } });
  const labels: string[] = [];
  const result = await run({ earlier, onStep: ({ label }) => labels.push(label) });
  expect(labels.some((label) => label.startsWith('8³'))).toBe(false);
  expect(result.experiment.conclusions).toHaveLength(2);
  expect(result.interrupted).toBeUndefined();
  const { experiment: _, ...bare } = earlier;
  await expect(run({ earlier: bare })).rejects.toThrow(/is of no experiment, not of two-by-two/);
  await expect(run({ earlier: bare })).rejects.toThrow(UsageError);
});

test('figures stand beside those that were published, at 80 columns', async () => {
  const result = parseResult(stringifyResult(await run()));
  if (result.experiment === undefined) throw new Error('The file lost its experiment.');
  const lines = renderExperiment({ ...result, experiment: result.experiment }, plain, 80);
  expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(80);
  const text = lines.join('\n');
  expect(text).toMatch(/^row +µs +% of lib +faster in +published$/m);
  expect(text).toMatch(/^neither +80\.0 +75\.0 +0 of 3 +73\.9 µs on H100, fixed$/m);
  expect(text).toMatch(/^both: k03_bm32 +70\.0 +85\.7 +0 of 3 +67\.6 µs on H100, fixed;/m);
  expect(text.replaceAll(/\s+/g, ' ')).toMatch(/97 % on H100, best of a sweep, three tried/);
  expect(text).toMatch(/^sized, made for this size +50\.0 +120\.0 +3 of 3 +–/m);
  expect(text).toMatch(/^library +60\.0 +100\.0 +– +–$/m);
  expect(text).toMatch(/^both +neither +prefetch and transposed A +12\.5 % faster +8\.5 % faster$/m);
  expect(text).toContain('→ At 8³, k03_bm32 takes 70.0 µs.');
  expect(text).toMatch(/^note {2}The row elsewhere was left out/m);
  const markdown = renderExperimentMarkdown({ ...result, experiment: result.experiment }).join('\n');
  expect(markdown).toContain('| neither | 80.0 | 75.0 | 0 of 3 | 73.9 µs on H100, fixed |');
  expect(markdown).toContain('- At 8³, k03_bm32 takes 70.0 µs.');
});

test('what was published of a pair in words stands where times of both were not', async () => {
  const result = await run({ sizes: [at(6)] });
  const [pair] = result.experiment.pairs;
  const pairs = [{ ...pair!, published: 'about a tenth' }];
  const shown = { ...result, experiment: { ...result.experiment, pairs } };
  expect(renderExperiment(shown, plain, 80).join('\n')).toMatch(/12\.5 % faster +about a tenth$/m);
  const eight = await run({ sizes: [at(8)] });
  const times = { ...eight, experiment: { ...eight.experiment, pairs } };
  expect(renderExperiment(times, plain, 80).join('\n')).toMatch(/12\.5 % faster +8\.5 % faster$/m);
});

test('the rows of a search stand in the order of their times', async () => {
  const result = await run({ sizes: [at(8)] });
  const ranked = { ...result, experiment: { ...result.experiment, ranked: true as const } };
  const names = renderExperiment(ranked, plain, 80).filter((line) => /^(neither|both|library)/.test(line));
  expect(names.slice(0, 3).map((line) => line.split(/[ :]/)[0])).toEqual(['library', 'both', 'neither']);
});
