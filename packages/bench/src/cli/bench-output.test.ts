import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { registerProvider } from '@ffma/core';
import { afterEach, expect, test, vi } from 'vitest';
import { resultSchema } from '../result/schema.js';
import { fakeKernel } from '../test-support/fake-kernel.js';
import { FakeTimingDevice } from '../test-support/fake-timing-device.js';
import { kernelPackageJson, temporaryFolder } from '../test-support/kernel-folders.js';
import { testIo } from '../test-support/test-io.js';
import { run } from './run.js';

afterEach(() => vi.unstubAllGlobals());

/** A folder with kernels, and the command in it on a GPU. */
function workplace() {
  const folder = temporaryFolder({
    'package.json': kernelPackageJson('own'),
    'kernels.js': 'export const kernels = globalThis.fakeKernels;',
  });
  const kernels = [fakeKernel('lib', { role: 'reference' }), fakeKernel('k01'), fakeKernel('k02')];
  vi.stubGlobal(
    'fakeKernels',
    kernels.map(({ gemm }) => gemm),
  );
  const inFolder = (name: string) => join(folder.path, name);
  const bench = async (...argv: readonly string[]) => {
    const gpu = new FakeTimingDevice({ times: { lib: () => 60, k01: () => 50, k02: () => 40 } });
    registerProvider({ kind: 'cuda', open: async () => gpu });
    const io = testIo({ cwd: folder.path });
    const code = await run(['bench', ...argv, '--rounds', '2', '--launches', '2'], io);
    return { code, stdout: io.stdout.text, stderr: io.stderr.text.replaceAll('\n', ' '), log: gpu.log };
  };
  return { ...folder, inFolder, bench };
}

const parsed = (text: string) => resultSchema.parse(JSON.parse(text));

test('--resume with fewer kernels, or other sizes, loses nothing of the file', async () => {
  using place = workplace();
  const file = place.inFolder('q.json');
  const rows = () =>
    parsed(readFileSync(file, 'utf8')).rows.map(({ kernel, problem: { m } }) => `${kernel} ${m}`);
  expect((await place.bench('k01', 'k02', '-s', '8,12,16', '--json', file)).code).toBe(0);
  const before = rows();
  expect(before).toHaveLength(9);
  const fewer = await place.bench('k01', '-s', '8', '--json', file, '--resume');
  expect({ code: fewer.code, log: fewer.log }).toEqual({ code: 0, log: [] });
  expect(rows()).toEqual(before);
  expect((await place.bench('k01', '-s', '24', '--json', file, '--resume')).code).toBe(0);
  expect(rows()).toEqual([...before, 'lib 24', 'k01 24']);
  const old = readFileSync(file, 'utf8');
  const lossy = await place.bench('k02', '-s', '24', '--json', file, '--resume');
  expect({ code: lossy.code, log: lossy.log }).toEqual({ code: 2, log: [] });
  expect(lossy.stderr).toMatch(/has k01_bm32 at 24³, which would be lost: .* Name those kernels too/);
  expect(readFileSync(file, 'utf8')).toBe(old);
});

test.each(['--sites', '--l2'])('%s asks a GPU for counters, which it does not have', async (option) => {
  using place = workplace();
  const { code, stderr, log } = await place.bench('k01', '-s', '8', option);
  expect({ code, log }).toEqual({ code: 2, log: [] });
  expect(stderr).toContain(`${option} is about counters, and`);
});

test('--json leads over links and through pipes, which stay what they are', async () => {
  using place = workplace();
  const link = place.inFolder('link');
  symlinkSync('r.json', link);
  expect((await place.bench('k01', '-s', '8', '--json', link)).code).toBe(0);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(parsed(readFileSync(place.inFolder('r.json'), 'utf8')).rows).toHaveLength(2);
  const pipe = place.inFolder('pipe');
  execFileSync('mkfifo', [pipe]);
  const [text, { code }] = await Promise.all([
    readFile(pipe, 'utf8'),
    place.bench('k01', '-s', '8,12', '--json', pipe),
  ]);
  expect(code).toBe(0);
  expect(parsed(text).rows).toHaveLength(4);
  const resumed = await place.bench('k01', '-s', '8', '--json', pipe, '--resume');
  expect({ code: resumed.code, log: resumed.log }).toEqual({ code: 2, log: [] });
  expect(resumed.stderr).toMatch(/--resume goes on from a file, but .*pipe is a pipe or a device/);
  expect(lstatSync(pipe).isFIFO()).toBe(true);
});

test('a path that cannot be written is found before anything is measured', async () => {
  using place = workplace();
  const before = readdirSync(place.path);
  for (const path of ['', ...(process.platform === 'linux' ? ['/proc/x.json'] : [])]) {
    const { code, stdout, stderr, log } = await place.bench('k01', '-s', '8', '--json', path);
    expect({ code, stdout, log }, path).toEqual({ code: 2, stdout: '', log: [] });
    expect(stderr).toMatch(/cannot be written/);
  }
  expect(readdirSync(place.path)).toEqual(before);
});

test('a number that is too large is told the largest', async () => {
  using place = workplace();
  const rounds = await place.bench('--rounds', '1000000000');
  expect(rounds.code).toBe(2);
  expect(rounds.stderr).toMatch(/whole number in 1\.\.999999, but is '1000000000'/);
  const size = await place.bench('-s', '2147483648');
  expect(size.code).toBe(2);
  expect(size.stderr).toMatch(/each in 1\.\.2147483647, but is '2147483648'/);
});
