import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { registerProvider } from '@ffma/core';
import { afterEach, expect, test, vi } from 'vitest';
import { FakeTimingDevice } from '../test-support/fake-timing-device.js';
import { kernelPackageJson, temporaryFolder } from '../test-support/kernel-folders.js';
import { testIo } from '../test-support/test-io.js';
import {
  experiment,
  experimentDiscovery,
  experimentTimes as times,
} from '../test-support/timed-experiment.js';
import { run } from './run.js';

afterEach(() => vi.unstubAllGlobals());

/** The command in a folder that has these experiments, on a GPU whose launches take what they are told. */
async function ffma(argv: readonly string[], experiments: unknown = [experiment], files = {}) {
  using folder = temporaryFolder({
    ...files,
    'package.json': kernelPackageJson('own'),
    'kernels.js': 'export const { kernels, experiments } = globalThis.fakes;',
  });
  const kernels = experimentDiscovery().kernels.map(({ gemm }) => gemm);
  vi.stubGlobal('fakes', { kernels, experiments });
  registerProvider({ kind: 'cuda', open: async () => new FakeTimingDevice({ times }) });
  const io = testIo({ cwd: folder.path });
  const file = join(folder.path, 'result.json');
  const code = await run(
    argv.map((word) => (word === 'FILE' ? file : word)),
    io,
  );
  const text = await readFile(file, 'utf8').catch(() => undefined);
  const again = testIo({ cwd: folder.path });
  if (text !== undefined) await run(['report', file, '--markdown'], again);
  return { code, stdout: io.stdout.text, stderr: io.stderr.text, text, report: again.stdout.text };
}

test('list tells what each experiment asks', async () => {
  const { code, stdout } = await ffma(['experiment', 'list']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^own 1\.2\.3 · 1 experiment$/m);
  expect(stdout).toMatch(/^two-by-two +Does it help alone, or only together .*8³, 6³ +5$/m);
  const { stdout: json } = await ffma(['experiment', 'list', '--json']);
  expect(JSON.parse(json)).toMatchObject([{ name: 'two-by-two', package: { name: 'own' } }]);
  expect((await ffma(['experiment', 'list'], [])).stdout).toMatch(/declares an experiment/);
});

test('run measures, writes, and is reported again from the file alone', async () => {
  const words = ['experiment', 'run', 'two-by-two', '--launches', '2', '--rounds', '2', '--json', 'FILE'];
  const { code, stdout, stderr, text, report } = await ffma(words);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^two-by-two {2}Does it help alone/m);
  expect(stdout).toMatch(/^neither +80\.0 +75\.0 +0 of 2 +73\.9 µs on H100, fixed$/m);
  expect(JSON.parse(text ?? '')).toMatchObject({ kind: 'bench', experiment: { name: 'two-by-two' } });
  expect(report).toMatch(/^## two-by-two: Does it help alone/m);
  expect(report).toMatch(/^- At 8³, k03_bm32 takes 70\.0 µs\.$/m);
});

test('check needs no GPU, and exits with 1 where a row cannot be measured', async () => {
  registerProvider({ kind: 'cuda', open: () => Promise.reject(new Error('opened')) });
  const good = await ffma(['experiment', 'run', 'two-by-two', '--check']);
  expect(good).toMatchObject({ code: 0, stdout: expect.stringMatching(/All is there: 7 rows/) });
  const odd = await ffma(['experiment', 'run', 'two-by-two', '--check', '--sizes', '7']);
  expect(odd).toMatchObject({ code: 0 });
  const twice = await ffma(['experiment', 'run', 'two-by-two', '--check', '--sizes', '8,6,8x8x8,6']);
  expect(twice.stdout).toBe(good.stdout);
  const rows = [{ name: 'odd', kernel: 'k04', sizes: [5] }];
  const bad = { ...experiment, sizes: [5], rows, pairs: [] };
  const refused = await ffma(['experiment', 'run', 'two-by-two', '--check'], [bad]);
  expect(refused.code).toBe(1);
  expect(refused.stdout).toMatch(/✗ odd at 5³: k04_bm32: k must be a multiple of 2/);
});

test('check writes what it found to the file of --json, or says beforehand that it cannot', async () => {
  const words = ['experiment', 'run', 'two-by-two', '--check', '--json'];
  const { code, stdout, text } = await ffma([...words, 'FILE']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/All is there: 7 rows/) });
  const checked = JSON.parse(text ?? '');
  expect(checked).toMatchObject({ passed: true, notes: expect.any(Array) });
  expect(checked.rows).toHaveLength(7);
  expect(JSON.parse((await ffma([...words, '-'])).stdout)).toEqual(checked);
  const kept = { 'result.json': '{ "schemaVersion": 1 }' };
  expect(await ffma([...words, 'FILE'], [experiment], kept)).toMatchObject({
    code: 2,
    text: kept['result.json'],
    stderr: expect.stringMatching(/holds a result/),
  });
  const refused = await ffma([...words, '/nowhere/at/all.json']);
  expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/cannot be written/) });
});

test('the emulator is refused with what can be done instead', async () => {
  const { code, stderr } = await ffma(['experiment', 'run', 'two-by-two', '--device', 'emulator']);
  expect(code).toBe(1);
  expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(/no clock of a GPU.*--check/);
});

test('an unknown name is wrong usage; a wrong experiment costs its package nothing else', async () => {
  const { code, stderr } = await ffma(['experiment', 'run', 'two-by-too']);
  expect(code).toBe(2);
  expect(stderr).toMatch(/Did you mean two-by-two\?/);
  const { stdout } = await ffma(['list'], [experiment, { ...experiment, name: 'Not A Name' }]);
  expect(stdout).toMatch(/k01_bm32/);
  expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(/not usable own: An experiment's name must match/);
});
