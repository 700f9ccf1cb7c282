import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { discoverKernels, parseSizes, profileSchema, selectKernels } from '@ffma/bench';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { profileBy } from '../src/profile/profile.js';
import { ffma, workspace } from './ffma.js';

const ncu = fileURLToPath(new URL('./support/fake-ncu.mjs', import.meta.url));
let discovery: Awaited<ReturnType<typeof discoverKernels>>;
beforeAll(async () => {
  discovery = await discoverKernels(workspace);
});

/** Profiles by the fake ncu, which profiles the real `ffma launch` on the emulator. */
function profiled(kernels: readonly string[], env: NodeJS.ProcessEnv = {}, size = '64') {
  return profileBy({ device: 'emulator' }, selectKernels(discovery, kernels), {
    discovery,
    sizes: parseSizes(size),
    env: { ...process.env, FFMA_NCU: ncu, ...env },
    timeoutMs: 20_000,
  });
}

test('a launch is profiled after the warm-up, and its figures are in base units', async () => {
  const result = await profiled(['k02']);
  expect(profileSchema.parse(result)).toEqual(result);
  expect(result).toMatchObject({ durations: 'profiled', profiler: { version: '2025.3.0.0' }, notes: [] });
  const [row] = result.rows;
  expect(row).toMatchObject({ status: 'profiled', kernel: 'k02', artefact: { ranAs: 'emulated' } });
  const [launch, ...others] = row?.launches ?? [];
  expect(others).toEqual([]);
  expect(launch).toMatchObject({
    kernel: 'k02_bm32_bn32',
    main: true,
    grid: [32, 16, 1],
    block: [256, 1, 1],
  });
  expect(launch?.metrics).toMatchObject({
    'issue.active': 62.61,
    'dram.readBytes': 595_600_000,
    'dram.writtenBytes': 67_100_000,
    'dram.bytesPerSecond': 141_240_000_000,
    'l2.excessiveSectors': 14_680_064,
    'profiled.us': 2760,
  });
  expect(launch?.metrics['global.uncoalesced']).toBeCloseTo(9.722, 3);
  expect(launch?.metrics['stall.longScoreboardShare']).toBeCloseTo(2.5);
  // All other stalls of the fake are 1.
  expect(launch?.stalls.at(-1)).toEqual({ reason: 'long_scoreboard', perIssue: 0.04 });
  expect(launch?.opcodes).toMatchObject({ level: 'executed', total: 2000, ffmaShare: 0.86 });
  expect(launch?.opcodes?.counts).toEqual({ FFMA: 1720, LDS: 200, LDGSTS: 80 });
  expect(launch?.missing).toEqual({});
});

/** What `ffma launch` would report of launches of these symbols, so that it need not run. */
const launching = (...symbols: readonly string[]): NodeJS.ProcessEnv => ({
  FAKE_NCU_REPORT: JSON.stringify({
    artefact: { ranAs: 'jit', sha256: '0'.repeat(64), arch: 'compute_90', compiler: 'none' },
    symbols,
  }),
});
const k02 = launching('k02_bm32_bn32');

test('every launch of a plan is there, and the one that multiplies is marked', async () => {
  const k14 = launching('k14_128x128x8_s3_cutlass_prepare', 'k14_128x128x8_s3_cutlass');
  const { rows } = await profiled(['k14'], k14, '128');
  expect(rows[0]?.launches.map(({ kernel, main }) => [kernel, main])).toEqual([
    ['k14_128x128x8_s3_cutlass_prepare', false],
    ['k14_128x128x8_s3_cutlass', true],
  ]);
});

test('where other launches are seen than the plan has, nothing is taken for them', async () => {
  const { rows } = await profiled(['k02'], launching('k02_bm32_bn32', 'other'), '64');
  expect(rows).toMatchObject([{ status: 'profiled', launches: [{ kernel: 'k02_bm32_bn32' }] }]);
  const less = await profiled(['k14'], launching('k14_128x128x8_s3_cutlass'), '128');
  expect(less.rows[0]).toMatchObject({
    status: 'failed',
    reason: expect.stringMatching(/^ncu profiled .* where /),
  });
});

test('a library is asked by a trial what it launches, and its longest launch is the one that multiplies', async () => {
  const library = { ...launching(), FAKE_NCU_LIBRARY: 'void clear(P);void sgemm<4, true>(P)' };
  const gemm = { ...selectKernels(discovery, ['cublas'])[0]!.gemm, refusal: () => undefined };
  const [selected] = selectKernels(discovery, ['cublas']);
  const result = await profileBy({ device: 'emulator' }, [{ ...selected!, gemm, named: true }], {
    discovery,
    sizes: parseSizes('64'),
    env: { ...process.env, FFMA_NCU: ncu, ...library },
  });
  expect(result.rows[0]).toMatchObject({
    status: 'profiled',
    role: 'reference',
    launches: [
      { kernel: 'void clear(P)', main: false },
      { kernel: 'void sgemm<4, true>(P)', main: true },
    ],
  });
});

test('metrics that this ncu does not have are null, with the reason', async () => {
  const lacks = 'lts__t_sector_hit_rate.pct,sass__inst_executed_per_opcode';
  const { rows, notes } = await profiled(['k02'], { ...k02, FAKE_NCU_LACKS: lacks });
  for (const { launches } of rows) {
    expect(launches[0]?.metrics['l2.hitRate']).toBeNull();
    expect(launches[0]?.missing).toEqual({
      'l2.hitRate': 'This ncu does not have lts__t_sector_hit_rate.pct for this GPU.',
    });
    expect(launches[0]?.opcodes).toBeUndefined();
  }
  expect(notes).toEqual([
    'ncu 2025.3.0.0 does not have lts__t_sector_hit_rate.pct, sass__inst_executed_per_opcode for this GPU.',
  ]);
});

test('a query of metrics leaves out what is not listed, but not what ncu makes itself', async () => {
  const { rows } = await profiled(['k02'], { ...k02, FAKE_NCU: 'lists' });
  const { metrics } = rows[0]?.launches[0] ?? { metrics: {} };
  expect(metrics).toMatchObject({ 'issue.active': 62.61, 'launch.registers': 231, 'dram.readBytes': null });
});

test('what is of this machine ends it with the remedy; what is of one kernel is its row', async () => {
  await expect(profiled(['k02'], { FAKE_NCU: 'permission' })).rejects.toMatchObject({
    name: 'ProfilerPermissionError',
    message: expect.stringContaining('NVreg_RestrictProfilingToAdminUsers=0'),
  });
  await expect(profiled(['k02'], { FAKE_NCU: 'sandbox' })).rejects.toMatchObject({
    name: 'ProfilerBlockedError',
    message: expect.stringContaining('gVisor'),
  });
  const reason = async (mode: string) =>
    (await profiled(['k02'], { ...k02, FAKE_NCU: mode })).rows[0]?.reason;
  expect(await reason('crash')).toBe('Nsight Compute was ended by SIGSEGV.');
  expect(await reason('nothing')).toMatch(/profiled no launch/);
  // A program whose result is wrong ends with 1, which ncu passes on.
  const wrong = JSON.stringify({ ...JSON.parse(k02.FAKE_NCU_REPORT as string), wrong: 'exact: 7 is off.' });
  const { rows } = await profiled(['k02'], { FAKE_NCU: 'exit', FAKE_NCU_REPORT: wrong });
  expect(rows[0]).toMatchObject({ status: 'failed', reason: 'exact: 7 is off.', artefact: { ranAs: 'jit' } });
});

test('a kernel that does not take the size is refused by its own sentence, and nothing is run', async () => {
  const { rows } = await profiled(['k11'], { FAKE_NCU: 'permission' }, '65');
  expect(rows).toMatchObject([
    { status: 'refused', reason: expect.stringMatching(/must be a multiple/), launches: [] },
  ]);
});

test('what was profiled before it was ended is kept', async () => {
  const controller = new AbortController();
  const result = await profileBy({ device: 'emulator' }, selectKernels(discovery, ['k02']), {
    discovery,
    sizes: parseSizes('64,128'),
    env: { ...process.env, FFMA_NCU: ncu, ...k02 },
    signal: controller.signal,
    onRow: () => controller.abort(),
  });
  expect(result).toMatchObject({ interrupted: true, rows: [{ status: 'profiled', problem: { m: 64 } }] });
  expect(result.rows).toHaveLength(1);
  const waiting = new AbortController();
  setTimeout(() => waiting.abort(), 500);
  const none = await profileBy({ device: 'emulator' }, selectKernels(discovery, ['k02']), {
    discovery,
    sizes: parseSizes('64'),
    env: { ...process.env, FFMA_NCU: ncu, FAKE_NCU: 'hang' },
    signal: waiting.signal,
  });
  expect(none).toMatchObject({ interrupted: true, rows: [] });
});

test('a profiler that does not end is ended', async () => {
  const began = performance.now();
  const { rows } = await profileBy({ device: 'emulator' }, selectKernels(discovery, ['k02']), {
    discovery,
    sizes: parseSizes('64'),
    env: { ...process.env, FFMA_NCU: ncu, FAKE_NCU: 'hang' },
    timeoutMs: 300,
  });
  expect(rows[0]).toMatchObject({ status: 'failed', reason: expect.stringContaining('after 0.3 s') });
  expect(performance.now() - began).toBeLessThan(15_000);
});

const folder = mkdtempSync(join(tmpdir(), 'ffma-profile-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the command says what is missing: ncu, a GPU, a program behind FFMA_NCU', async () => {
  const bare = { PATH: folder, CUDA_HOME: '', CUDA_PATH: '', FFMA_NCU: '' };
  expect(await ffma(['profile', 'k02'], workspace, bare)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/ncu\) was not found[\s\S]*FFMA_NCU/),
  });
  const wrong = await ffma(['profile', 'k02'], workspace, { FFMA_NCU: join(folder, 'none') });
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('is no program that can be run') });
  const withoutGpu = { FFMA_NCU: ncu, CUDA_VISIBLE_DEVICES: '-1' };
  expect(await ffma(['profile', 'k02'], workspace, withoutGpu)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/A profile is taken on an NVIDIA GPU/),
  });
});

test('a dry run prints what a shell can run', async () => {
  const { stdout, code } = await ffma(['profile', 'k14', 'cublas', '--sizes', '1024x512x64', '--dry-run']);
  expect(code).toBe(0);
  const lines = stdout.split('\n');
  expect(lines[0]).toMatch(/^metrics=smsp__/);
  expect(stdout).toMatch(/--launch-skip 4 --launch-count 2/);
  expect(stdout).toContain('--size 1024x512x64');
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});
