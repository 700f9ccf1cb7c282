import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeNvcc, Scratch } from '../../test/support/fake-tools.js';
import { samplePackage } from '../../test/support/kernel-package.js';
import { readManifest } from '../gemm/manifest.js';
import { tunedText } from '../gemm/tuned.js';
import { buildPackage } from './build.js';
import { showVariant } from './show.js';

const core = new URL('../gemm/define-kernel.ts', import.meta.url);

/** Stands in for ptxas: reports what the environment says. */
const fakePtxas = `if [ "$1" = --version ]; then echo "V12.4.131"; exit 0; fi
for entry in k70_bm32 k70_bm64 k70_bm32_m0_n0_k0; do
echo "ptxas info    : Compiling entry function '$entry' for 'sm_80'"
echo "    0 bytes stack frame, $SPILLS bytes spill stores, 0 bytes spill loads"
echo "ptxas info    : Used 40 registers, $SHARED bytes smem"
done
echo "ptxas info    : Compiling entry function 'k70_bm32_zero' for 'sm_80'"
echo "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads"
echo "ptxas info    : Used 8 registers"
echo machine code > out.cubin`;

let tools: Scratch;
beforeEach(() => {
  tools = new Scratch();
  fakeNvcc(tools);
  tools.program('bin/ptxas', fakePtxas);
  vi.stubEnv('PATH', join(tools.path, 'bin'));
  vi.stubEnv('FFMA_CACHE_DIR', join(tools.path, 'cache'));
  vi.stubEnv('SPILLS', '0');
  vi.stubEnv('SHARED', '0');
  for (const name of ['NVCC', 'CUDA_HOME', 'CUDA_PATH', 'FFMA_CUDA_COMPILER']) vi.stubEnv(name, '');
});
afterEach(() => {
  vi.unstubAllEnvs();
  tools[Symbol.dispose]();
});

describe('buildPackage', () => {
  it('builds the default variants for the default architectures, with resources and digests', async () => {
    using scratch = samplePackage(core);
    const { manifest, artefacts } = await buildPackage({ root: scratch.path });
    expect(artefacts.map(({ id, format, arch, cached }) => [id, format, arch, cached])).toEqual([
      ['k70_bm32', 'ptx', 'compute_80', false],
      ['k70_bm32', 'ptx', 'compute_90', false],
    ]);
    expect(readManifest(scratch.path)).toEqual(manifest);
    expect(manifest.artefacts[0]).toMatchObject({
      compiler: 'nvcc 12.4.131',
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      symbols: { main: 'k70_bm32' },
      params: { BM: 32 },
      resources: { main: { registers: 40, sharedBytes: 0, spillBytes: 0 } },
      reproducible: false,
    });
    expect(manifest.artefacts[0]).not.toHaveProperty('cached');
  });

  it('keeps what each entry uses by itself', async () => {
    const entry = "{ fn: 'gemm', signature: [] }";
    using scratch = samplePackage(core, { fields: `entries: { main: ${entry}, zero: ${entry} },` });
    const { manifest } = await buildPackage({ root: scratch.path });
    expect(manifest.artefacts[0]?.resources).toEqual({
      main: { registers: 40, sharedBytes: 0, spillBytes: 0 },
      zero: { registers: 8, sharedBytes: 0, spillBytes: 0 },
    });
  });

  it('builds nothing for an architecture that a kernel does not run on', async () => {
    using scratch = samplePackage(core, { fields: 'needs: () => ({ arch: 90 }),' });
    const { artefacts } = await buildPackage({ root: scratch.path, cubins: ['sm_80'] });
    expect(artefacts.map(({ format, arch }) => [format, arch])).toEqual([['ptx', 'compute_90']]);
  });

  it('builds what a kernel says it ships beside its default variant', async () => {
    using scratch = samplePackage(core, { fields: "ships: ['wide']," });
    const { artefacts } = await buildPackage({ root: scratch.path });
    expect([...new Set(artefacts.map(({ id }) => id))]).toEqual(['k70_bm32', 'k70_bm64']);
    using wrong = samplePackage(core, { fields: "ships: ['wider']," });
    await expect(buildPackage({ root: wrong.path })).rejects.toThrow(/k70 has no variant 'wider'/);
  });

  it('puts the source beside the compiled declaration', async () => {
    using scratch = samplePackage(core);
    scratch.file('kernels/k70-scale/kernel.cu', '#include "own.cuh"\n');
    scratch.file('kernels/k70-scale/own.cuh', '// own\n');
    const stale = scratch.file('dist/kernels/k69-gone/kernel.cu', '');
    await buildPackage({ root: scratch.path });
    expect(readFileSync(join(scratch.path, 'dist/kernels/k70-scale/kernel.cu'), 'utf8')).toBe(
      '#include "own.cuh"\n',
    );
    expect(readFileSync(join(scratch.path, 'dist/kernels/k70-scale/own.cuh'), 'utf8')).toBe('// own\n');
    expect(existsSync(stale)).toBe(false);
  });

  it('builds the tuned variants beside a kernel, also at first, and ships their file', async () => {
    using scratch = samplePackage(core);
    const text = tunedText('k70', [
      {
        gpu: 'NVIDIA H200',
        size: { m: 64, n: 64, k: 64 },
        params: { BM: 96 },
        ratio: 1,
        reference: 'x',
        at: '',
      },
    ]);
    scratch.file('kernels/k70-scale/tuned.json', text);
    const stale = scratch.file('dist/kernels/k69-gone/tuned.json', '');
    const { artefacts } = await buildPackage({ root: scratch.path, allVariants: true });
    expect(artefacts.map(({ id }) => id)).toContain('k70_bm96');
    expect(readFileSync(join(scratch.path, 'dist/kernels/k70-scale/tuned.json'), 'utf8')).toBe(text);
    expect(existsSync(stale)).toBe(false);
  });

  it('leaves out what waits for the sizes of a problem', async () => {
    const specialise = 'specialise: { open: ({ BM }) => BM === 96, fill: () => ({}) },';
    const fields = `${specialise} variants: { wide: { BM: 64 }, sized: { BM: 96 } },`;
    using scratch = samplePackage(core, { fields });
    const { artefacts } = await buildPackage({ root: scratch.path, allVariants: true });
    expect([...new Set(artefacts.map(({ id }) => id))]).toEqual(['k70_bm32', 'k70_bm64']);
    const show = showVariant({ root: scratch.path, kernel: 'k70', variant: 'sized', ptx: true });
    await expect(show).rejects.toMatchObject({ code: 'FFMA_UNSUPPORTED' });
  });

  it('builds what waits for sizes for those that are given, where it takes them', async () => {
    const fields = `params: { BM: 32, M: 0, N: 0, K: 0 }, variants: { sized: { BM: 64 } },
      specialise: { open: ({ BM, M }) => BM === 64 && M === 0, fill: (_, { m, n, k }) => ({ M: m, N: n, K: k }) },
      needs: ({ M, N, K }) => (M === 0 ? { multiples: { m: 64 } } : { exactly: { m: M, n: N, k: K } }),`;
    using scratch = samplePackage(core, { fields });
    const size = (n: number) => ({ m: n, n, k: n });
    const { manifest } = await buildPackage({
      root: scratch.path,
      allVariants: true,
      sizes: [size(64), { m: 128, n: 7, k: 9 }, size(64)],
    });
    expect([...new Set(manifest.artefacts.map(({ id }) => id))]).toEqual([
      'k70_bm32_m0_n0_k0',
      'k70_bm64_m64_n64_k64',
      'k70_bm64_m128_n7_k9',
    ]);
    expect(manifest.artefacts.at(-1)?.params).toMatchObject({ M: 128, N: 7, K: 9 });
    const refused = buildPackage({ root: scratch.path, allVariants: true, sizes: [size(64), size(65)] });
    await expect(refused).rejects.toThrow(
      /No variant of @x\/sample .* takes 65×65×65; k70_bm64_m0_n0_k0, for one: m must be a multiple of 64/,
    );
    await expect(buildPackage({ root: scratch.path, sizes: [size(64)] })).rejects.toThrow(
      /nothing to build for 64×64×64. Add --all-variants/,
    );
  });

  it('builds all variants and cubins on request, and takes the rest from the cache', async () => {
    using scratch = samplePackage(core);
    await buildPackage({ root: scratch.path });
    const { artefacts } = await buildPackage({
      root: scratch.path,
      allVariants: true,
      cubins: ['sm_90'],
      jobs: 1,
    });
    expect(artefacts).toHaveLength(6);
    expect(artefacts.filter(({ cached }) => cached).map(({ file }) => file)).toEqual([
      'ptx/compute_80/k70_bm32.ptx',
      'ptx/compute_90/k70_bm32.ptx',
    ]);
    expect(readFileSync(join(scratch.path, 'dist/kernels/cubin/sm_90/k70_bm64.cubin'), 'utf8')).toBe(
      'machine code\n',
    );
  });

  it('makes cubins of some variants alone', async () => {
    using scratch = samplePackage(core);
    const options = { root: scratch.path, allVariants: true, cubins: ['sm_90'] };
    const { artefacts } = await buildPackage({ ...options, cubinsOf: ['k70_bm64'] });
    expect(artefacts.filter(({ format }) => format === 'cubin').map(({ id }) => id)).toEqual(['k70_bm64']);
    expect(artefacts).toHaveLength(5);
    await expect(buildPackage({ ...options, cubinsOf: ['k70_bm65'] })).rejects.toThrow(
      /Nothing that is built of @x\/sample has the id k70_bm65/,
    );
  });

  it('fails on spills that the kernel does not explain', async () => {
    vi.stubEnv('SPILLS', '24');
    using scratch = samplePackage(core);
    await expect(buildPackage({ root: scratch.path })).rejects.toMatchObject({
      code: 'FFMA_COMPILE',
      message: expect.stringMatching(/k70_bm32 spills 24 bytes a thread in its entry main for compute_80/),
    });
    expect(readManifest(scratch.path)).toBeUndefined();
    using explained = samplePackage(core, { fields: "allowSpills: 'because'," });
    expect((await buildPackage({ root: explained.path })).artefacts[0]?.resources?.main?.spillBytes).toBe(24);
  });

  it('fails where source and declaration disagree about shared memory', async () => {
    vi.stubEnv('SHARED', '4096');
    using scratch = samplePackage(core);
    await expect(buildPackage({ root: scratch.path })).rejects.toThrow(
      /k70_bm32 declares 4096 bytes of shared memory, but derive\(\) gives 0/,
    );
  });

  it('keeps the former build where one variant does not compile', async () => {
    using scratch = samplePackage(core);
    const { manifest } = await buildPackage({ root: scratch.path });
    using broken = samplePackage(core, { fields: "entries: { main: { fn: 'BROKEN', signature: [] } }," });
    await expect(buildPackage({ root: broken.path })).rejects.toThrow(
      /refused k70_bm32: entry\.cu\(3\): error/,
    );
    expect(readManifest(scratch.path)).toEqual(manifest);
    expect(readManifest(broken.path)).toBeUndefined();
  });

  it('says once that there is no compiler', async () => {
    vi.stubEnv('PATH', tools.path);
    using scratch = samplePackage(core);
    await expect(buildPackage({ root: scratch.path })).rejects.toThrow(
      /^There is no CUDA compiler\. nvcc: There is no nvcc/,
    );
  });

  it('refuses a number of jobs that is none', async () => {
    await expect(buildPackage({ jobs: 0 })).rejects.toThrow(
      /jobs must be an integer of at least 1, but is 0/,
    );
  });
});
