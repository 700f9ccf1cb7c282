import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeNvcc, Scratch } from '../../test/support/fake-tools.js';
import { samplePackage } from '../../test/support/kernel-package.js';
import { runCli } from './cli.js';

const core = new URL('../gemm/define-kernel.ts', import.meta.url);

let tools: Scratch;
let sample: Scratch;
beforeEach(() => {
  tools = new Scratch();
  fakeNvcc(tools);
  sample = samplePackage(core);
  vi.spyOn(process, 'cwd').mockReturnValue(sample.path);
  vi.stubEnv('PATH', join(tools.path, 'bin'));
  vi.stubEnv('FFMA_CACHE_DIR', join(tools.path, 'cache'));
  for (const name of ['NVCC', 'CUDA_HOME', 'CUDA_PATH', 'FFMA_CUDA_COMPILER']) vi.stubEnv(name, '');
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  tools[Symbol.dispose]();
  sample[Symbol.dispose]();
});

async function run(...args: string[]) {
  const lines = { out: [] as string[], err: [] as string[] };
  const code = await runCli(args, {
    out: (text) => lines.out.push(text),
    err: (text) => lines.err.push(text),
  });
  return { code, out: lines.out.join('\n'), err: lines.err.join('\n') };
}

describe('ffma-kernelc', () => {
  it('takes sizes as numbers or m×n×k', async () => {
    sample[Symbol.dispose]();
    const fields = `params: { BM: 32, M: 0, N: 0, K: 0 }, variants: { sized: { BM: 64 } },
      specialise: { open: ({ BM, M }) => BM === 64 && M === 0, fill: (_, { m, n, k }) => ({ M: m, N: n, K: k }) },
      needs: ({ M, N, K }) => (M === 0 ? {} : { exactly: { m: M, n: N, k: K } }),`;
    sample = samplePackage(core, { fields });
    vi.spyOn(process, 'cwd').mockReturnValue(sample.path);
    const { code, out } = await run('build', '--all-variants', '--sizes', '64,128x64x32');
    expect({ code, of: out.match(/of \d variants/)?.[0] }).toEqual({ code: 0, of: 'of 3 variants' });
    const silent = await run('build', '--sizes', '64');
    expect(silent).toMatchObject({ code: 2, err: expect.stringMatching(/nothing to build for 64×64×64/) });
    for (const bad of ['64x', '0', '1x2', 'large']) {
      const { code, err } = await run('build', '--sizes', bad);
      expect(code).toBe(2);
      expect(err).toMatch(/A size is written like 1024 or 1024x512x64/);
    }
  });

  it('builds, and prints a table or JSON', async () => {
    const table = await run('build');
    expect(table).toMatchObject({ code: 0, err: '' });
    expect(table.out).toMatch(
      /k70_bm32 +compute_90 .*\n@x\/sample: 2 artefacts of 1 variant by nvcc 12\.4\.131/,
    );
    const json = JSON.parse((await run('build', '--json', '--all-variants', '--jobs', '2')).out);
    expect(json.manifest.artefacts).toHaveLength(4);
  });

  it('shows the translation unit and the PTX of a variant', async () => {
    expect((await run('show', 'k70')).err).toMatch(/There is no kernel source/);
    await run('build');
    expect((await run('show', 'k70', 'wide')).out).toMatch(
      /int BM = 64;[\s\S]*__launch_bounds__\(64\) k70_bm64\(/,
    );
    expect((await run('show', 'k70', '--ptx', '--arch', 'compute_80')).out).toMatch(
      /^\/\/ by fake nvcc.*compute_80/,
    );
  });

  it('cleans', async () => {
    await run('build');
    expect((await run('clean', '--cache')).code).toBe(0);
    expect((await run('build')).out).toMatch(/0 from the cache/);
  });

  it('shows the whole log of a compile error', async () => {
    sample[Symbol.dispose]();
    sample = samplePackage(core, { fields: "entries: { main: { fn: 'BROKEN', signature: [] } }," });
    vi.spyOn(process, 'cwd').mockReturnValue(sample.path);
    const { code, err } = await run('build');
    expect(code).toBe(1);
    expect(err).toMatch(
      /ffma-kernelc: nvcc 12\.4\.131 refused k70_bm32: entry[\s\S]*\n\nentry\.cu\(3\): error/,
    );
  });

  it.each([
    [['build', '--compiler', 'gcc'], /must be one of nvcc, nvrtc, clang/],
    [['build', '--jobs', '0'], /whole number of at least 1/],
    [['build', '--cubin', 'ninety'], /written like sm_90, but is 'ninety'/],
    [['show', 'k99'], /has no kernel 'k99'/],
    [['bild'], /unknown command 'bild'/],
  ])('refuses %j with exit code 2', async (args, message) => {
    const { code, err } = await run(...args);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });

  it('prints help', async () => {
    expect(await run('--help')).toMatchObject({ code: 0, out: expect.stringContaining('build [options]') });
  });
});
