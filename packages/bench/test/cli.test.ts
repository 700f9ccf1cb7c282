import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { discoverKernels, parseResult, selectKernels } from '../src/index.js';
import { ffma, ffmaUntil, workspace } from './ffma.js';
import { wrongPackage } from './wrong-package.js';

const folder = mkdtempSync(join(tmpdir(), 'ffma-cli-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A kernel of the workspace that is based on another one, and that base. */
async function pair() {
  const discovery = await discoverKernels(workspace);
  const kernel = discovery.kernels.find(({ definition }) => definition?.basedOn !== undefined);
  const base = discovery.kernels.find(({ name }) => name === kernel?.definition?.basedOn);
  if (kernel === undefined || base === undefined)
    throw new Error('The workspace has no kernel that is based on another.');
  return { kernel, base, count: discovery.kernels.length };
}

test('list names every kernel of the workspace', async () => {
  const { kernel, base, count } = await pair();
  const { code, stdout, stderr } = await ffma(['list']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(new RegExp(`^${kernel.gemm.id} +${base.name} +${kernel.gemm.exactness} +ptx`, 'm'));
  const json = JSON.parse((await ffma(['list', '--json'])).stdout);
  expect(json.kernels).toHaveLength(count);
  expect(json.broken).toEqual([]);
});

test('FFMA_ROOT names the folder that kernels are looked for from', async () => {
  const { count } = await pair();
  const elsewhere = JSON.parse((await ffma(['list', '--json'], folder)).stdout);
  expect(elsewhere.kernels).toEqual([]);
  const there = JSON.parse((await ffma(['list', '--json'], folder, { FFMA_ROOT: workspace })).stdout);
  expect(there.kernels).toHaveLength(count);
});

test('doctor runs the TF32 canary on the emulator and says why there is no GPU, or which there is', async () => {
  const { code, stdout } = await ffma(['doctor', '--json']);
  const report = JSON.parse(stdout);
  expect(code).toBe(0);
  const [cuda, emulator] = report.devices;
  expect(emulator).toMatchObject({ kind: 'emulator', available: true, canary: { passed: true } });
  expect(cuda.available ? cuda.canary.passed : cuda.reason).toBeTruthy();
  expect(report.compilers.map(({ name }: { name: string }) => name)).toEqual(['nvcc', 'nvrtc', 'clang']);
});

test.each(['auto', 'f64'])('verify passes every quick case on the %s path', async (fma) => {
  const { base } = await pair();
  const { code, stdout, stderr } = await ffma([
    'verify',
    base.name,
    '-d',
    'emulator',
    '-l',
    'quick',
    '--fma',
    fma,
    '--json',
  ]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const result = JSON.parse(stdout);
  expect(result).toMatchObject({
    kind: 'verify',
    passed: true,
    device: { kind: 'emulator' },
  });
  expect(result.kernels[0].report).toMatchObject({ outcome: 'passed', counts: { failed: 0 } });
  expect(result.kernels[0].report.counts.passed).toBeGreaterThan(5);
  if (fma === 'f64') expect(result.device.details.fma).toBe('f64');
});

test('bench counts a kernel beside its base; report shows the stored result again', async () => {
  const { kernel, base } = await pair();
  const file = join(folder, 'result.json');
  const bench = await ffma([
    'bench',
    kernel.name,
    '-d',
    'emulator',
    '--sizes',
    '64,33x65x17',
    '--json',
    file,
  ]);
  expect({ code: bench.code, stderr: bench.stderr }).toEqual({ code: 0, stderr: '' });
  const report = await ffma(['report', file]);
  expect(report).toEqual(bench);
  expect((await ffma(['report', file, '--markdown'])).stdout).toContain(`| ${kernel.name} (${base.name}) |`);
});

test('bench --json - prints a result that fits the schema, with what exactly ran', async () => {
  const { kernel, base } = await pair();
  const { code, stdout } = await ffma([
    'bench',
    kernel.name,
    '-d',
    'emulator',
    '--sizes',
    '64',
    '--json',
    '-',
  ]);
  expect(code).toBe(0);
  const { rows, device } = parseResult(stdout);
  expect(device).toMatchObject({ kind: 'emulator', arch: 'sm_90' });
  expect(rows.map((row) => [row.id, row.asked, row.correctness.status])).toEqual([
    [base.gemm.id, false, 'passed'],
    [kernel.gemm.id, true, 'passed'],
  ]);
  for (const row of rows) {
    expect(row.artefact?.ranAs).toBe('emulated');
    expect(row.counters?.values['instructions.total']).toBeGreaterThan(64 ** 3);
  }
  const built = selectKernels(await discoverKernels(workspace), [kernel.name])[0]?.kernel.package.manifest
    ?.artefacts;
  expect(built?.map(({ sha256 }) => sha256)).toContain(rows[1]?.artefact?.sha256);
});

test('Ctrl-C ends bench after the row that runs, keeps what is complete, and exits with 130', async () => {
  const { base } = await pair();
  const file = join(folder, 'interrupted.json');
  const sizes = Array.from({ length: 500 }, (_, i) => 8 + i).join(',');
  const argv = ['bench', base.name, '-d', 'emulator', '--sizes', sizes, '--json', file];
  const { code, stdout, stderr } = await ffmaUntil(argv, () => existsSync(file), 'SIGINT');
  expect(code).toBe(130);
  expect(stderr).toBe('Interrupted: finishing what is being measured. Ctrl-C again ends at once.\n');
  const { interrupted, rows } = parseResult(readFileSync(file, 'utf8'));
  expect(interrupted).toBe(true);
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.every(({ counters }) => counters !== undefined)).toBe(true);
  expect(stdout).toMatch(/Interrupted: not all that was asked for was measured\./);
});

test('inspect shows the plan; --ptx and --entry print what is compiled', async () => {
  const { kernel } = await pair();
  const page = await ffma(['inspect', kernel.name, '-d', 'emulator', '--size', '256']);
  expect(page.code).toBe(0);
  expect(page.stdout).toMatch(/^plan +256³ on .*sm_90/m);
  expect((await ffma(['inspect', kernel.name, '--ptx'])).stdout).toContain(`.entry ${kernel.gemm.id}`);
  expect((await ffma(['inspect', kernel.name, '--entry'])).stdout).toContain('struct P {');
});

test('lines of the source, what ptxas said and a modelled cache, of bench and of inspect, in 80 columns', async () => {
  const { kernel } = await pair();
  const asked = ['-d', 'emulator', '--sites', '--l2'];
  const inspected = await ffma(['inspect', kernel.name, '--counters', '64', ...asked]);
  for (const { code, stdout, stderr } of [
    await ffma(['bench', kernel.name, '-s', '64', ...asked]),
    inspected,
  ]) {
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/regs +spills +occup\. +L2 hit\* +DRAM\*/);
    expect(stdout).toMatch(/^\S+\.cuh?:\d+ +global load +\S+ +\d/m);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('a model of the L2 cache');
    expect(Math.max(...stdout.split('\n').map((line) => [...line].length))).toBeLessThanOrEqual(80);
  }
  const json = JSON.parse(
    (await ffma(['inspect', kernel.name, '--counters', '64', '--json', ...asked])).stdout,
  );
  const { values, launches } = parseResult(JSON.stringify(json.counted)).rows.at(-1)!.counters!;
  expect(values['l2Model.readSectors']).toBeGreaterThan(0);
  expect(values['static.ffma']).toBeGreaterThan(0);
  expect(launches[0]!.l2).toMatchObject({ blocks: launches[0]!.l2!.modelledBlocks });
});

test('tour verifies, counts and says what the numbers say', async () => {
  const { kernel, base } = await pair();
  const { code, stdout, stderr } = await ffma(['tour', base.name, kernel.name, '--size', '64']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const verified = [...stdout.matchAll(/✓ (\S+)/g)].map(([, name]) => name);
  expect(verified).toEqual([base.name, kernel.name]);
  expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(new RegExp(`→ ${kernel.name} .* where ${base.name} `));
  expect(Math.max(...stdout.split('\n').map((line) => [...line].length))).toBeLessThanOrEqual(80);
});

test('a wrong kernel fails verify and bench with exit code 1, and is explained', async () => {
  const { base } = await pair();
  using wrong = wrongPackage(base);
  const verify = await ffma(['verify', '-d', 'emulator', '--case', '33x17x65 integers'], wrong.path);
  expect(verify.code).toBe(1);
  expect(verify.stdout).toMatch(/exact: .*is .*, not /s);
  const bench = await ffma(['bench', '-d', 'emulator', '--sizes', '32'], wrong.path);
  expect(bench.code).toBe(1);
  expect(bench.stdout).toMatch(/^wrong /m);
});

test('wrong usage exits with 2 and says what is near', async () => {
  const { base } = await pair();
  const unknown = await ffma(['verify', `${base.name}x`]);
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toMatch(
    new RegExp(`There is no kernel '${base.name}x'\\. Did you mean .*${base.name}`),
  );
  expect((await ffma(['bench', '--sizes', 'big'])).code).toBe(2);
  expect((await ffma(['report'])).code).toBe(2);
});

test('a result that cannot be read is wrong usage', async () => {
  const { code, stderr } = await ffma(['report', join(folder, 'nothing.json')]);
  expect(code).toBe(2);
  expect(stderr.replaceAll('\n', ' ')).toMatch(/nothing\.json cannot be read.*\(FFMA_ARGUMENT\)/);
});
