import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import type { ProfileOptions } from '../profile/options.js';
import { profile } from '../profile/profile.js';
import type { ProfileResult, ProfileRow } from '../profile/schema.js';
import { kernelModule, kernelPackageJson, temporaryFolder } from '../test-support/kernel-folders.js';
import { testIo } from '../test-support/test-io.js';
import { run } from './run.js';

// What it does around the profiler, which needs a GPU, is tested here; the profiler itself by a fake ncu.
vi.mock('../profile/profile.js', () => ({ profile: vi.fn() }));

const row = (status: ProfileRow['status']): ProfileRow => ({
  id: 'k01_bm32',
  kernel: 'k01',
  package: { name: '@x/kernels', version: '1.2.3' },
  problem: { m: 64, n: 64, k: 64, alpha: 1, beta: 0, lda: 64, ldb: 64, ldc: 64 },
  status,
  ...(status === 'profiled' ? {} : { reason: 'It was not to be.' }),
  launches:
    status === 'profiled'
      ? [{ kernel: 'k01', main: true, metrics: { 'launch.registers': 231 }, missing: {}, stalls: [] }]
      : [],
});

const resultOf = (rows: ProfileRow[], more: Partial<ProfileResult> = {}): ProfileResult => ({
  schemaVersion: 1,
  kind: 'profile',
  createdAt: '2026-11-30T12:00:00.000Z',
  tool: {},
  profiler: { name: 'Nsight Compute', version: '2025.3' },
  protocol: { name: 'one-launch', version: 1, cache: 'cold', clocks: 'unchanged', warmUpLaunches: 2 },
  durations: 'profiled',
  host: { platform: 'linux x64', release: '6', cpu: 'c', cores: 2, memoryBytes: 1, node: '20', v8: '11' },
  device: { kind: 'cuda', name: 'NVIDIA H200', arch: 'sm_90', limits: {}, details: {} },
  metrics: [{ name: 'launch.registers', title: 'registers', unit: '', meaning: 'Registers of a thread.' }],
  rows,
  notes: [],
  ...more,
});

/** Runs the command where the profiler gives a result, or rows one by one. */
async function profiling(
  args: readonly string[],
  result: ProfileResult,
  work?: (options: ProfileOptions) => unknown,
) {
  using folder = temporaryFolder({
    'package.json': kernelPackageJson('@x/kernels'),
    'kernels.js': kernelModule({ name: 'k01' }),
  });
  vi.mocked(profile).mockImplementation(async (_, options) => {
    await work?.(options);
    return result;
  });
  const io = testIo({ cwd: folder.path });
  const file = join(folder.path, 'p.json');
  const code = await run(['profile', ...args.map((arg) => (arg === 'FILE' ? file : arg))], io);
  return { code, io, written: existsSync(file) ? readFileSync(file, 'utf8') : undefined };
}

beforeEach(() => {
  vi.mocked(profile).mockReset();
});

test('it exits with 0 where all was profiled, with 1 where a row was not, with 130 where it was ended', async () => {
  expect((await profiling([], resultOf([row('profiled')]))).code).toBe(0);
  const failed = await profiling([], resultOf([row('profiled'), row('failed')]));
  expect(failed).toMatchObject({
    code: 1,
    io: { stdout: { text: expect.stringContaining('It was not to be.') } },
  });
  expect((await profiling([], resultOf([row('profiled')], { interrupted: true }))).code).toBe(130);
  expect((await profiling([], resultOf([]))).code).toBe(1);
});

test('options reach the profiler, and the file has what there is after each row', async () => {
  const part = resultOf([row('profiled')], { interrupted: true });
  let between: string | undefined;
  const args = [
    'k01',
    '--sizes',
    '64,128',
    '--cache',
    'warm',
    '--warm-ups',
    '0',
    '--timeout',
    '9',
    '--json',
    'FILE',
  ];
  const { written, io } = await profiling(args, resultOf([row('profiled')]), async (options) => {
    expect(options).toMatchObject({
      sizes: [{ m: 64 }, { m: 128 }],
      cache: 'warm',
      warmUps: 0,
      timeoutMs: 9000,
    });
    await options.onRow?.(part.rows[0]!, part);
    between = readFileSync(join(options.discovery.root!, 'p.json'), 'utf8');
  });
  expect(JSON.parse(between!)).toEqual(part);
  expect(JSON.parse(written!)).toEqual(resultOf([row('profiled')]));
  expect(io.stdout.text).toMatch(/schedulers/);
});

test('JSON goes to standard output alone; details come after the tables; a file that cannot be is told before', async () => {
  const json = await profiling(['--json', '-', '--details'], resultOf([row('profiled')]));
  expect(JSON.parse(json.io.stdout.text)).toMatchObject({ kind: 'profile' });
  const details = await profiling(['--details'], resultOf([row('profiled')]));
  expect(details.io.stdout.text).toMatch(/launch\.registers +231 +Registers of a thread/);
  const nowhere = await profiling(['--json', '/nowhere/p.json'], resultOf([]));
  expect(nowhere.code).toBe(2);
  expect(vi.mocked(profile)).toHaveBeenCalledTimes(2);
});
