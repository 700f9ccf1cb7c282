import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeNvcc, Scratch } from '../../test/support/fake-tools.js';
import { type CompileOptions, compile } from './compile.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = new Scratch();
  fakeNvcc(scratch);
  vi.stubEnv('PATH', join(scratch.path, 'bin'));
  vi.stubEnv('FFMA_CACHE_DIR', join(scratch.path, 'cache'));
  for (const name of ['NVCC', 'CUDA_HOME', 'CUDA_PATH', 'FFMA_CUDA_COMPILER']) vi.stubEnv(name, '');
});
afterEach(() => {
  vi.unstubAllEnvs();
  scratch[Symbol.dispose]();
});

const request: CompileOptions = {
  source: { name: 'k.cu', text: '// k' },
  entries: [{ symbol: 'k', fn: 'k', signature: [], threads: 32 }],
  params: { BM: 1 },
  derived: { threads: 32 },
  arch: 'compute_80',
  format: 'ptx',
};

const runs = () => {
  const path = join(scratch.path, 'runs');
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n').length : 0;
};

describe('compile', () => {
  it('runs the compiler in a folder of its own and leaves no trace of it in the PTX', async () => {
    const { object, compiler, cached, resources } = await compile(request);
    expect(object.text).toMatch(/-arch=compute_80 -O3 -fmad=false -lineinfo --std=c\+\+17/);
    expect(object.text).toContain('.file\t1 "entry.cu"');
    expect(object.arch).toBe('compute_80');
    expect({ compiler, cached, resources }).toEqual({
      compiler: 'nvcc 12.4.131',
      cached: false,
      resources: undefined,
    });
  });

  it('answers the same request from the cache, and only that', async () => {
    await compile(request);
    expect((await compile(request)).cached).toBe(true);
    expect(runs()).toBe(1);
    const others: Partial<CompileOptions>[] = [
      { params: { BM: 2 } },
      { derived: { threads: 64 } },
      { source: { name: 'k.cu', text: '// changed' } },
      { source: { name: 'k.cu', text: '#include <ffma/fma.cuh>' } },
      { arch: 'compute_90' },
      { entries: [{ symbol: 'other', fn: 'k', signature: [], threads: 32 }] },
      { cache: false },
    ];
    for (const other of others)
      expect(await compile({ ...request, ...other })).toMatchObject({ cached: false });
    expect(runs()).toBe(1 + others.length);
  });

  it('does not answer for another version of the compiler', async () => {
    await compile(request);
    const other = fakeNvcc(scratch, { name: 'other/nvcc', version: '13.0.88' });
    vi.stubEnv('NVCC', other);
    expect(await compile(request)).toMatchObject({ cached: false, compiler: 'nvcc 13.0.88' });
  });

  it('does not answer where the user adds flags', async () => {
    await compile(request);
    vi.stubEnv('NVCC_APPEND_FLAGS', '-allow-unsupported-compiler');
    expect(await compile(request)).toMatchObject({ cached: false });
  });

  it('compiles once for two that ask at the same time', async () => {
    const [x, y] = await Promise.all([compile(request), compile(request)]);
    expect(x.object.sha256).toBe(y.object.sha256);
    expect(runs()).toBe(1);
  });

  it('carries the first error and the whole log of a refusal, and caches none of it', async () => {
    const broken = {
      ...request,
      entries: [{ symbol: 'k', fn: 'BROKEN', signature: [], threads: 32 }],
      name: 'k00',
    };
    await expect(compile(broken)).rejects.toMatchObject({
      code: 'FFMA_COMPILE',
      message: 'nvcc 12.4.131 refused k00: entry.cu(3): error: identifier "BROKEN" is undefined',
      details: { log: 'entry.cu(3): error: identifier "BROKEN" is undefined' },
    });
    await expect(compile(broken)).rejects.toThrow(/refused k00/);
    expect(runs()).toBe(2);
  });

  it('refuses a cubin without ptxas and an architecture of the wrong kind', async () => {
    await expect(compile({ ...request, arch: 'sm_90', format: 'cubin' })).rejects.toMatchObject({
      code: 'FFMA_UNSUPPORTED',
      message: expect.stringContaining('a cubin needs'),
    });
    await expect(compile({ ...request, arch: 'sm_90' })).rejects.toThrow(
      /written like compute_80, but is 'sm_90'/,
    );
  });
});
