import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileKernels } from '../scripts/bundle/compile-kernels.mjs';
import { bareHost } from '../scripts/bundle/try-archive.mjs';
import { run } from '../scripts/lib/run.mjs';
import { kernelPackages, root } from './workspace.js';

// A bundle, made once, on a host that has no Node.js, no compiler and no GPU.
const { folder, env: bare, remove } = bareHost();
const bundle = join(folder, 'bundle');
const host: NodeJS.ProcessEnv = { ...bare, CUDA_VISIBLE_DEVICES: '-1', NO_COLOR: '1' };
const make = (target: string) =>
  run(process.execPath, ['scripts/bundle.mjs', '--no-build', '--ptx-only', '--folder', target], {
    cwd: root,
  });

beforeAll(async () => {
  const { code, output } = await make(bundle);
  expect({ code, output }).toMatchObject({ code: 0 });
}, 60_000);
afterAll(remove);

/** Runs a program of the bundle, in the folder above it. */
const start = (program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  run(join(bundle, 'bin', program), args, { cwd: folder, env: { ...host, ...env } });

function put(file: string, text: string): void {
  mkdirSync(dirname(join(bundle, file)), { recursive: true });
  writeFileSync(join(bundle, file), text);
}

it('has no Node.js to run with but its own', async () => {
  const { code, output } = await run('sh', ['-c', 'command -v node'], { env: host });
  expect({ code, output }).toEqual({ code: 127, output: '' });
});

describe('ffma', () => {
  it('lists the kernels of the bundle, wherever it is called', async () => {
    const { code, output } = await start('ffma', ['list', '--json']);
    expect({ code, output }).toMatchObject({ code: 0 });
    const { kernels, broken, missing } = JSON.parse(output);
    const listed = new Set(kernels.map((kernel: { package: string }) => kernel.package));
    expect(kernelPackages.map(({ json }) => json.name).filter((name) => !listed.has(name))).toEqual([]);
    expect([broken, missing]).toEqual([[], []]);
  });

  it('says how it is called here, where there is no npx', async () => {
    const { code, output } = await start('ffma', ['tour', 'k01', '--size', '32']);
    expect({ code, output }).toMatchObject({
      code: 0,
      output: expect.stringContaining('bin/ffma inspect k01'),
    });
    expect(output).not.toContain('npx');
  });

  it('verifies them on the emulator', async () => {
    const args = ['verify', 'k01', 'k14', 'h01', '--device', 'emulator', '--level', 'quick', '--json'];
    const { code, output } = await start('ffma', args);
    expect({ code, output }).toMatchObject({ code: 0 });
    expect(JSON.parse(output)).toMatchObject({ kind: 'verify', passed: true });
  });
});

describe('record', () => {
  it('says what it would run, and why it cannot without a GPU', async () => {
    const listed = await start('record', ['--list']);
    expect(listed.output).toMatch(
      /== confirm: ffma experiment run confirm .* --json \S+<gpu>-confirm\.json\n/,
    );
    expect(listed.code).toBe(0);
    const tried = await start('record', ['confirm', '--out', join(folder, 'none')]);
    expect(tried.output).toMatch(/\bNVIDIA\b/);
    expect({ code: tried.code, made: existsSync(join(folder, 'none')) }).toEqual({ code: 1, made: false });
  });
});

describe('test-gpu', () => {
  const needsGpu = `
    import { openDevice } from '@ffma/core';
    import { it } from 'vitest';
    it('opens the GPU', async ({ skip }) => {
      const reason: unknown = await openDevice('cuda').then(() => undefined, (error) => error.code);
      if (reason !== undefined) skip(String(reason));
    });`;
  const file = 'packages/core/test/gpu/of-this-test.test.ts';

  it('names the tests that came along without running them', async () => {
    const { code, output } = await start('test-gpu', ['--list']);
    expect({ code, output }).toMatchObject({ code: 0 });
  });

  it('names what it skips, and fails for it where a GPU is required', async () => {
    put(file, needsGpu);
    const skipped = await start('test-gpu', ['of-this-test']);
    expect(skipped.output).toMatch(
      /FFMA_UNAVAILABLE\n {2}↓ core\/test\/gpu\/of-this-test\.test\.ts: opens the GPU\n/,
    );
    expect(skipped.output).toMatch(/\n0 passed, 0 failed, 1 skipped\n$/);
    expect(skipped.code).toBe(0);
    const required = await start('test-gpu', ['of-this-test'], { FFMA_REQUIRE_GPU: '1' });
    expect(required.output).toMatch(/\n0 passed, 1 failed\n$/);
    expect(required.code).toBe(1);
  });

  it('has the files that its documentation names', async () => {
    const page = readFileSync(join(root, 'docs', 'gpu-host.md'), 'utf8');
    const named = [...page.matchAll(/^bin\/test-gpu ([^\s-]\S*)/gm)].map(([, file]) => file as string);
    expect(named.length).toBeGreaterThan(0);
    for (const part of named) {
      const { output } = await start('test-gpu', ['--list', part]);
      expect(output, part).toContain(part);
    }
  });

  it('refuses a pattern that is none', async () => {
    const { code, output } = await start('test-gpu', ['-t', '(']);
    expect(output).toMatch(/^Invalid regular expression: \/\(\/: Unterminated group\n\nUsage: test-gpu /);
    expect(code).toBe(2);
  });

  it('goes on after a test whose process died, and fails', async () => {
    put(file, needsGpu);
    put(
      file.replace('of-this-test', 'of-this-test-dies'),
      `
      import { it } from 'vitest';
      it('dies', () => { process.kill(process.pid, 'SIGKILL'); });`,
    );
    const { code, output } = await start('test-gpu', ['of-this-test']);
    expect(output).toMatch(/✗ core\/test\/gpu\/of-this-test-dies\.test\.ts: dies/);
    expect(output).toMatch(/↓ core\/test\/gpu\/of-this-test\.test\.ts: opens the GPU/);
    expect(code).toBe(1);
  });
});

it('is made in no folder that holds something else', async () => {
  const precious = join(folder, 'precious');
  cpSync(join(root, 'LICENSE'), join(precious, 'LICENSE'));
  const { code, output } = await make(precious);
  expect({ code, output }).toMatchObject({ code: 1, output: expect.stringContaining('holds something') });
  expect(readdirSync(precious)).toEqual(['LICENSE']);
});

it('is made by one at a time', async () => {
  const busy = join(folder, 'busy');
  writeFileSync(`${busy}.lock`, String(process.pid));
  const { code, output } = await make(busy);
  expect({ code, output }).toEqual({
    code: 1,
    output: `Process ${process.pid} is making a bundle in ${busy}: wait until it has ended.\n`,
  });
});

it.runIf(existsSync('/proc/self'))('is made nowhere where no folder can be', async () => {
  const { code, output } = await make('/proc/ffma/bundle');
  expect(output).toMatch(/^\/proc\/ffma\/bundle cannot be made: /);
  expect(code).toBe(1);
});

it('names the architecture that its kernels cannot be compiled for', async () => {
  const { code, output } = await compileKernels(bundle, 'packages/kernels-cudacore', ['sm_nothing']);
  expect({ code, output }).toMatchObject({ code: 2, output: expect.stringContaining('sm_nothing') });
});
