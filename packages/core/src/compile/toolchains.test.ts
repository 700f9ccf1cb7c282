import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { fakeClang, fakeNvcc, Scratch } from '../../test/support/fake-tools.js';
import { chooseToolchain, findToolchains } from './toolchains.js';

afterEach(() => {
  vi.unstubAllEnvs();
});

const statusOf = async (name: string, env: Record<string, string>) =>
  (await findToolchains(env)).find((status) => status.name === name);

describe('findToolchains', () => {
  it('finds programs on the PATH, with versions, in the order of preference', async () => {
    using scratch = new Scratch();
    const nvcc = fakeNvcc(scratch);
    const clang = fakeClang(scratch);
    expect(await findToolchains({ PATH: join(scratch.path, 'bin') })).toEqual([
      { name: 'nvcc', available: true, path: nvcc, version: '12.4.131', formats: ['ptx'] },
      expect.objectContaining({ name: 'nvrtc' }),
      { name: 'clang', available: true, path: clang, version: '19.1.7', formats: ['ptx'] },
    ]);
  });

  it('makes cubins where ptxas stands beside nvcc', async () => {
    using scratch = new Scratch();
    fakeNvcc(scratch);
    scratch.program('bin/ptxas', 'echo "Cuda compilation tools, V12.4.131"');
    expect(await statusOf('nvcc', { PATH: join(scratch.path, 'bin') })).toMatchObject({
      formats: ['cubin', 'ptx'],
    });
  });

  it('prefers NVCC, then CUDA_HOME, then CUDA_PATH, to the PATH', async () => {
    using scratch = new Scratch();
    fakeNvcc(scratch);
    const own = fakeNvcc(scratch, { name: 'own/my-nvcc', version: '1.0.0' });
    const home = fakeNvcc(scratch, { name: 'home/bin/nvcc', version: '2.0.0' });
    const path = fakeNvcc(scratch, { name: 'path/bin/nvcc', version: '3.0.0' });
    const PATH = join(scratch.path, 'bin');
    const CUDA_PATH = join(scratch.path, 'path');
    const CUDA_HOME = join(scratch.path, 'home');
    expect(await statusOf('nvcc', { PATH, CUDA_PATH })).toMatchObject({ path, version: '3.0.0' });
    expect(await statusOf('nvcc', { PATH, CUDA_PATH, CUDA_HOME })).toMatchObject({
      path: home,
      version: '2.0.0',
    });
    expect(await statusOf('nvcc', { PATH, CUDA_PATH, CUDA_HOME, NVCC: own })).toMatchObject({ path: own });
  });

  it('says what is wrong with a program that is named but missing', async () => {
    using scratch = new Scratch();
    const env = { PATH: scratch.path, NVCC: '/nowhere/nvcc', FFMA_CLANG: '/nowhere/clang' };
    expect(await statusOf('nvcc', env)).toMatchObject({
      reason: 'NVCC is /nowhere/nvcc, which is no program.',
    });
    expect(await statusOf('clang', env)).toMatchObject({
      reason: 'FFMA_CLANG is /nowhere/clang, which is no program.',
    });
  });

  it('does not count nvcc without a host compiler', async () => {
    using scratch = new Scratch();
    fakeNvcc(scratch);
    rmSync(join(scratch.path, 'bin/gcc'));
    expect(await statusOf('nvcc', { PATH: join(scratch.path, 'bin') })).toMatchObject({
      available: false,
      reason: expect.stringContaining('host compiler gcc'),
      remedy: expect.stringContaining('apt-get install g++'),
    });
  });

  it('does not count an nvcc that fails', async () => {
    using scratch = new Scratch();
    fakeNvcc(scratch);
    scratch.program('bin/nvcc', 'echo broken; exit 3');
    expect(await statusOf('nvcc', { PATH: join(scratch.path, 'bin') })).toMatchObject({
      reason: expect.stringContaining('--version failed: broken'),
    });
  });

  it('passes over a clang that is too old or lacks the target', async () => {
    using scratch = new Scratch();
    fakeClang(scratch, { version: '14.0.6', name: 'bin/clang' });
    fakeClang(scratch, { targets: 'x86-64', name: 'bin/clang-20' });
    const PATH = join(scratch.path, 'bin');
    expect(await statusOf('clang', { PATH })).toMatchObject({
      reason: expect.stringMatching(/built without NVIDIA's target.*clang 14\.0\.6, but at least 17/),
    });
    const newer = fakeClang(scratch, { version: '21.1.0', name: 'bin/clang-21' });
    expect(await statusOf('clang', { PATH, NVCC: 'x' })).toMatchObject({ available: true, path: newer });
  });
});

describe('builds of nvcc that can be repeated', () => {
  const fixed = `[ "$2" = -R ] || exit 9
shift 2
FIXED=yes "$@"`;
  // Names what it makes behind -o, which comes last.
  const compiles = 'for made; do :; done; echo library > "$made"';
  const forbidden = 'echo "setarch: failed to set personality: Operation not permitted"; exit 1';

  async function ptxOf(programs: Readonly<Record<string, string>>) {
    using scratch = new Scratch();
    vi.stubEnv('FFMA_CACHE_DIR', join(scratch.path, 'cache'));
    fakeNvcc(scratch);
    for (const [name, script] of Object.entries(programs)) scratch.program(`bin/${name}`, script);
    const { compiler } = await chooseToolchain('nvcc', { PATH: join(scratch.path, 'bin') });
    scratch.program('bin/nvcc', 'echo "fixed $FIXED, in $TMPDIR, before $LD_PRELOAD, $*" > out.ptx');
    const outcome = await compiler.toPtx({ folder: scratch.path, main: 'entry.cu', arch: 'compute_90' });
    return { reproducible: compiler.reproducible, ptx: outcome.ptx };
  }

  it('run with fixed addresses and names of temporary files', async () => {
    const { reproducible, ptx } = await ptxOf({ setarch: fixed, gcc: compiles });
    expect(reproducible).toBe(true);
    expect(ptx).toMatch(
      /^fixed yes, in \., before \S*\/[0-9a-f]{16}\.so, .* --keep -I\. entry\.cu -o out\.ptx/,
    );
  });

  it.each([
    ['there is no setarch', { gcc: compiles }],
    ['a container forbids it', { gcc: compiles, setarch: forbidden }],
    ['the C compiler makes no library', { gcc: 'exit 0', setarch: fixed }],
  ])('are said to be others where %s', async (_, programs) => {
    const { reproducible, ptx } = await ptxOf(programs);
    expect({ reproducible, ptx }).toEqual({
      reproducible: false,
      ptx: expect.stringMatching(/^fixed , in [^.,]*, before ,/),
    });
  });
});

describe('chooseToolchain', () => {
  it('takes the first that is there, or the one that is asked for', async () => {
    using scratch = new Scratch();
    fakeNvcc(scratch);
    fakeClang(scratch);
    const env = { PATH: join(scratch.path, 'bin') };
    expect((await chooseToolchain(undefined, env)).compiler.name).toBe('nvcc');
    expect((await chooseToolchain('clang', env)).compiler.name).toBe('clang');
    expect((await chooseToolchain(undefined, { ...env, FFMA_CUDA_COMPILER: 'clang' })).compiler.name).toBe(
      'clang',
    );
    expect((await chooseToolchain('nvcc', { ...env, FFMA_CUDA_COMPILER: 'clang' })).compiler.name).toBe(
      'nvcc',
    );
  });

  it('says what it looked for, and how to get it, where nothing is there', async () => {
    using scratch = new Scratch();
    const nothing = chooseToolchain(undefined, { PATH: scratch.path });
    await expect(nothing).rejects.toMatchObject({ code: 'FFMA_UNAVAILABLE' });
    await expect(nothing).rejects.toThrow(
      /no nvcc on the PATH.*none of clang-19, .*apt-get install clang-19/,
    );
  });

  it('never takes another one than was asked for', async () => {
    using scratch = new Scratch();
    fakeClang(scratch);
    const env = { PATH: join(scratch.path, 'bin'), FFMA_CUDA_COMPILER: 'nvcc' };
    await expect(chooseToolchain(undefined, env)).rejects.toThrow(/The CUDA compiler nvcc cannot be used/);
    await expect(chooseToolchain('gcc', env)).rejects.toThrow(
      /must be one of nvcc, nvrtc, clang, but is 'gcc'/,
    );
  });
});
