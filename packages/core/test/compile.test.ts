import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gemmSignature } from '@ffma/core';
import { type CompileOptions, compile, findToolchains } from '@ffma/core/compile';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Scratch } from './support/fake-tools.js';
import { scaleSource } from './support/kernel-package.js';

const compilers = (await findToolchains()).filter((status) => status.available);

let scratch: Scratch;
beforeEach(() => {
  scratch = new Scratch();
  vi.stubEnv('FFMA_CACHE_DIR', scratch.path);
});
afterEach(() => {
  vi.unstubAllEnvs();
  scratch[Symbol.dispose]();
});

const request: CompileOptions = {
  source: { name: 'scale.cu', text: scaleSource },
  entries: [{ symbol: 'scale', fn: 'gemm', signature: gemmSignature, threads: 32 }],
  params: { BM: 32 },
  derived: { threads: 32, sharedBytes: 0 },
  arch: 'compute_80',
  format: 'ptx',
};

it('has a compiler to test with', () => {
  expect(compilers.length).toBeGreaterThan(0);
});

describe.each(compilers)('$name $version', ({ name, formats }) => {
  const build = (options: Partial<CompileOptions> = {}) =>
    compile({ ...request, compiler: name, ...options });

  it.each(['compute_80', 'compute_90'])(
    'makes PTX for %s that names no place of this machine',
    async (arch) => {
      const { object, log } = await build({ arch });
      expect(object.text).toContain(`.target ${arch.replace('compute_', 'sm_')}`);
      expect(object.text).toMatch(/\.visible \.entry scale\(/);
      expect(object.text).toMatch(/\.maxntid 32(, 1, 1)?\n/);
      const files = [...object.text.matchAll(/\.file\s+\d+ "([^"]*)"/g)].map(([, file]) => file);
      expect(files).toEqual(expect.arrayContaining(['entry.cu', 'scale.cu', 'ffma/fma.cuh']));
      expect(files.filter((file) => file?.startsWith('/') || file?.startsWith('.'))).toEqual([]);
      expect(object.text).not.toContain(scratch.path);
      expect(log).toBe('');
    },
  );

  it('gives the same bytes every time', async () => {
    const [first, second] = [await build({ cache: false }), await build({ cache: false })];
    expect(second.object.sha256).toBe(first.object.sha256);
  });

  it('fuses where the source says so, and nowhere else', async () => {
    const text = `#include <ffma/fma.cuh>
extern "C" __global__ void sums(float* c, float x, float y) {
  c[0] = x * y + c[0];
  c[1] = ffma::fma(x, y, c[1]);
}`;
    const { object } = await build({ source: { name: 's.cu', text }, entries: undefined as never });
    expect(object.text.match(/\b(fma|mul|add)(\.rn)?\.f32/g)?.sort()).toEqual([
      'add.rn.f32',
      'fma.rn.f32',
      'mul.rn.f32',
    ]);
  });

  it('moves vectors as one access', async () => {
    const text = `#include <ffma/ffma.cuh>
extern "C" __global__ void move(const float* __restrict__ a, float* __restrict__ c) {
  alignas(16) __shared__ float tile[128];
  ffma::store4(tile + 4 * threadIdx.x, ffma::load4(a + 4 * threadIdx.x));
  __syncthreads();
  ffma::store4(c + 4 * threadIdx.x, ffma::load4(tile + 124 - 4 * threadIdx.x));
  ffma::store2(c + 256 + 2 * threadIdx.x, ffma::load2(a + 256 + 2 * threadIdx.x));
}`;
    const { object } = await build({ source: { name: 'move.cu', text }, entries: undefined as never });
    const accesses = object.text
      .match(/\b(ld|st)\.(global|shared)\S*\.v[24]/g)
      ?.map((op) => op.replace('.nc', ''));
    expect(accesses?.sort()).toEqual([
      'ld.global.v2',
      'ld.global.v4',
      'ld.shared.v4',
      'st.global.v2',
      'st.global.v4',
      'st.shared.v4',
    ]);
  });

  it('reports the first error of a broken source, and keeps the whole log', async () => {
    const broken = {
      name: 'broken.cu',
      text: `${scaleSource}\nstatic_assert(sizeof(int) == 5, "Int has five bytes");\nint x = y;\n`,
    };
    const compiling = build({ source: broken, name: 'k00' });
    await expect(compiling).rejects.toMatchObject({ code: 'FFMA_COMPILE' });
    await expect(compiling).rejects.toThrow(
      new RegExp(`^${name} .* refused k00: broken\\.cu.*error:.*Int has five bytes`),
    );
    const log = await compiling.catch((error) => error.details.log as string);
    expect(log).toMatch(/Int has five bytes[\s\S]*\by\b/);
    expect(log).not.toContain('/ffma-');
  });

  it('takes a missing or misspelt parameter for an error', async () => {
    await expect(build({ params: { BMM: 32 } })).rejects.toThrow(/BM/);
    await expect(build({ params: {} })).rejects.toThrow(/BM/);
  });

  it('checks what the source asserts about derived figures', async () => {
    await expect(build({ derived: { threads: 64, sharedBytes: 0 } })).rejects.toThrow(
      /One thread an element/,
    );
  });

  it('makes a damaged cache entry again', async () => {
    const first = await build();
    expect((await build()).cached).toBe(true);
    const [folder] = readdirSync(join(scratch.path, 'compile'));
    const [file] = readdirSync(join(scratch.path, 'compile', folder as string));
    const path = join(scratch.path, 'compile', folder as string, file as string);
    const bytes = readFileSync(path);
    bytes[bytes.length - 5] = 0;
    writeFileSync(path, bytes);
    const again = await build();
    expect(again.cached).toBe(false);
    expect(again.object.sha256).toBe(first.object.sha256);
    expect((await build()).cached).toBe(true);
  });

  it('is safe for processes that compile the same at the same time', async () => {
    const script = `import { compile } from '@ffma/core/compile';
const { object } = await compile(${JSON.stringify({ ...request, compiler: name })});
console.log(object.sha256);`;
    const args = ['--input-type=module', '-e', script];
    const run = () => promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname });
    const outputs = await Promise.all([run(), run(), run()]);
    const { object, cached } = await build();
    expect(cached).toBe(true);
    expect(outputs.map(({ stdout }) => stdout.trim())).toEqual([object.sha256, object.sha256, object.sha256]);
  });

  it.runIf(formats.includes('cubin'))(
    'makes cubins, the same bytes every time, and counts what they use',
    async () => {
      const target = { arch: 'sm_90', format: 'cubin', cache: false } as const;
      const [first, second] = [await build(target), await build(target)];
      expect([...first.object.bytes.subarray(0, 4)]).toEqual([0x7f, 0x45, 0x4c, 0x46]);
      expect(second.object.sha256).toBe(first.object.sha256);
      expect(first.resources?.scale?.registers).toBeGreaterThan(3);
      expect(first.resources?.scale).toMatchObject({ sharedBytes: 0, spillBytes: 0 });
    },
  );
});
