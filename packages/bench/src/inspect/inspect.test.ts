import { ceilDiv, defineKernel, gemmArgs, type KernelManifest, UnsupportedError } from '@ffma/core';
import { expect, test } from 'vitest';
import type { DiscoveredKernel } from '../discover/kernel-package.js';
import { renderInspection } from '../render/inspect.js';
import { plain } from '../render/style.js';
import { widthOf } from '../render/text.js';
import { fakeKernel, fakePackage, selected } from '../test-support/fake-kernel.js';
import { temporaryFolder } from '../test-support/kernel-folders.js';
import { hopper } from '../test-support/limits.js';
import { inspectKernel, readEntry, readPtx } from './inspect-kernel.js';

const tiled = defineKernel({
  name: 'tiled',
  slug: 'tiled',
  basedOn: 'plain',
  change: 'Tiles.',
  source: new URL('file:///nowhere/kernel.cu'),
  params: { BM: 64, BN: 64 },
  derive: () => ({ threads: 256, sharedBytes: 8192 }),
  rules: [{ sentence: 'BM is a multiple of 32', holds: ({ BM }) => BM % 32 === 0 }],
  needs: ({ BM }) => ({ multiples: { m: BM } }),
  plan: (problem, { BM, BN }) => ({
    launches: [
      {
        entry: 'main',
        grid: [ceilDiv(problem.m, BM), ceilDiv(problem.n, BN), 1],
        block: [256, 1, 1],
        sharedBytes: 0,
        args: gemmArgs(problem),
      },
    ],
    scratch: [{ name: 'partials', byteLength: 4096 }],
  }),
  exactness: 'k-order',
});

function kernelIn(folder: string, registers?: number): DiscoveredKernel {
  const built = {
    id: tiled.id,
    kernel: 'tiled',
    params: tiled.params,
    sha256: 'ab'.repeat(32),
    compiler: 'nvcc 13.0.88',
    symbols: tiled.symbols,
  };
  const manifest: KernelManifest = {
    schemaVersion: 1,
    package: '@x/ladder',
    version: '1.2.3',
    artefacts: [
      { ...built, format: 'ptx', arch: 'compute_80', file: 'a.ptx' },
      {
        ...built,
        format: 'ptx',
        arch: 'compute_90',
        file: 'b.ptx',
        ...(registers === undefined
          ? {}
          : { resources: { main: { registers, sharedBytes: 8192, spillBytes: 0 } } }),
      },
    ],
  };
  return {
    name: 'tiled',
    package: { ...fakePackage, folder, manifest },
    gemm: tiled,
    variants: tiled.variants as DiscoveredKernel['variants'],
    definition: tiled.definition as unknown as NonNullable<DiscoveredKernel['definition']>,
    with: undefined,
  };
}

const device = { name: 'H200', arch: 'sm_90', limits: hopper };
const shape = { m: 4096, n: 4096, k: 64 };

test('plan, occupancy and waves follow from registers where they are known', () => {
  const { plan } = inspectKernel(selected(kernelIn('/nowhere', 96)), { shape, device });
  expect(plan?.resources.main).toMatchObject({ registers: 96, estimated: false });
  const [launch] = plan?.launches ?? [];
  expect(launch).toMatchObject({ threads: 256, sharedBytes: 8192, blocks: 4096 });
  expect(launch).toMatchObject({ staticSharedBytes: 8192, dynamicSharedBytes: 0 });
  expect(launch?.occupancy).toMatchObject({ blocksPerSm: 2, warpsPerSm: 16, limitedBy: ['registers'] });
  expect(launch?.waves).toBeCloseTo(4096 / (2 * 132));
});

test('dynamic shared memory counts, and is told apart', () => {
  const dynamicSharedBytes = 96 * 1024;
  const { definition } = tiled;
  const own = defineKernel({
    ...definition,
    derive: (params) => ({ ...definition.derive(params), dynamicSharedBytes }),
    plan: (...given) => ({
      launches: definition
        .plan(...given)
        .launches.map((one) => ({ ...one, sharedBytes: dynamicSharedBytes })),
    }),
  });
  const kernel = { ...kernelIn('/nowhere', 96), gemm: own };
  const inspection = inspectKernel(selected(kernel), { shape, device });
  const [launch] = inspection.plan?.launches ?? [];
  expect(launch).toMatchObject({ sharedBytes: 106_496, staticSharedBytes: 8192, dynamicSharedBytes });
  expect(launch?.occupancy).toMatchObject({ blocksPerSm: 2, limitedBy: ['registers', 'shared'] });
  const text = renderInspection(inspection, plain, 80).join(' ').replaceAll(/\s+/g, ' ');
  expect(text).toContain('derived threads 256, sharedBytes 8192, dynamicSharedBytes 98304');
  expect(text).toContain('104 KiB (8 KiB static, 96 KiB dynamic) shared');
});

test('sizes that are compiled in are those of the problem that is planned', async () => {
  const { definition } = tiled;
  const own = defineKernel({
    name: 'sized',
    slug: 'sized',
    change: 'Knows its sizes.',
    source: definition.source,
    params: { M: 0, N: 0, K: 0 },
    derive: () => ({ threads: 256, sharedBytes: 0 }),
    specialise: { open: ({ M }) => M === 0, fill: (_, { m, n, k }) => ({ M: m, N: n, K: k }) },
    needs: ({ M, N, K }) => (M === 0 ? {} : { exactly: { m: M, n: N, k: K } }),
    plan: (problem, { M }) => ({
      launches: [
        { entry: 'main', grid: [M / 64, 1, 1], block: [256, 1, 1], sharedBytes: 0, args: gemmArgs(problem) },
      ],
    }),
    exactness: 'k-order',
  });
  const kernel = { ...kernelIn('/nowhere', 96), gemm: own };
  const inspection = inspectKernel(selected(kernel), { shape, device });
  expect(inspection).toMatchObject({ specialised: true, open: true });
  expect(inspection.plan?.launches[0]).toMatchObject({ symbol: 'sized_m4096_n4096_k64', blocks: 64 });
  expect(renderInspection(inspection, plain, 80).join('\n')).toMatch(
    /sizes +those of a problem are compiled in/,
  );
});

test('without machine code, registers are the most that the launch bounds leave, and are said to be', () => {
  const inspection = inspectKernel(selected(kernelIn('/nowhere')), { shape, device });
  expect(inspection.plan?.launches[0]).toMatchObject({
    blocks: 4096,
    resources: { registers: 255, estimated: true },
    occupancy: { blocksPerSm: 1 },
  });
  const text = renderInspection(inspection, plain, 80).join(' ').replaceAll(/\s+/g, ' ');
  expect(text).toContain(
    '255 registers a thread at most, estimated from the launch bounds; estimated occupancy 12.5 %',
  );
});

test('each launch has the registers and the occupancy of its own entry', () => {
  const { definition } = tiled;
  const signature = [{ name: 'c', type: 'out' }] as const;
  const own = defineKernel({
    ...definition,
    entries: {
      main: { fn: 'gemm', signature },
      zero: { fn: 'zero', signature, threads: 128 },
      late: { fn: 'late', signature, threads: 1024 },
    },
    plan: (...given) => {
      const [main] = definition.plan(...given).launches;
      const launch = { grid: [8, 1, 1], sharedBytes: 0, args: [] } as const;
      return {
        launches: [
          { ...launch, entry: 'zero', block: [128, 1, 1] },
          ...(main === undefined ? [] : [main]),
          { ...launch, entry: 'late', block: [1024, 1, 1] },
        ],
      };
    },
  });
  const kernel = kernelIn('/nowhere', 96);
  const [, built] = kernel.package.manifest?.artefacts ?? [];
  const resources = { ...built?.resources, zero: { registers: 18, sharedBytes: 0, spillBytes: 0 } };
  const artefacts = [{ ...(built as NonNullable<typeof built>), symbols: own.symbols, resources }];
  const manifest = { ...(kernel.package.manifest as KernelManifest), artefacts };
  const inspection = inspectKernel(
    selected({ ...kernel, gemm: own, package: { ...kernel.package, manifest } }),
    { shape, device },
  );
  const seen = inspection.plan?.launches.map(({ entry, resources: { registers, estimated }, occupancy }) =>
    [entry, registers, estimated, occupancy.blocksPerSm].join(' '),
  );
  expect(seen).toEqual(['zero 18 false 16', 'main 96 false 2', 'late 64 true 1']);
  const text = renderInspection(inspection, plain, 80).join('\n');
  expect(text).toMatch(/18 registers a thread; occupancy 100 %: 16 blocks/);
  expect(text).toMatch(/ptx compute_90 +nvcc 13\.0\.88 +96 +8192 +0 +abababababab\n +zero +18 +0 +0/);
});

test('where no block fits on a multiprocessor, the plan is refused with the limits', () => {
  const own = defineKernel({
    ...tiled.definition,
    plan: () => {
      throw new UnsupportedError('No block fits.', { remedy: 'Use another.' });
    },
  });
  const { plan } = inspectKernel(selected({ ...kernelIn('/nowhere'), gemm: own }), { shape, device });
  expect(plan).toMatchObject({ refusal: 'No block fits. Use another.', plan: undefined, launches: [] });
});

test('a problem that is not taken is refused with the sentence', () => {
  const { plan } = inspectKernel(selected(kernelIn('/nowhere')), { shape: { m: 65, n: 64, k: 64 }, device });
  expect(plan).toMatchObject({
    refusal: 'm must be a multiple of 64, but is 65.',
    plan: undefined,
    launches: [],
  });
});

test('the page fits 80 columns and has everything', () => {
  const lines = renderInspection(
    inspectKernel(selected(kernelIn('/nowhere', 96)), { shape, device }),
    plain,
    80,
  );
  expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(80);
  const text = lines.join('\n');
  for (const part of [
    /tiled_bm64_bn64 {2}@x\/ladder 1\.2\.3/,
    /based on +plain/,
    /parameters +BM 64, BN 64/,
    /rules +BM is a multiple of 32/,
    /needs +m a multiple of 64/,
    /grid 64×64×1, block 256×1×1, 8 KiB shared/,
    /96 registers a thread; occupancy 25 %: 2 blocks, 16 warps per SM,\n +limited by registers/,
    /scratch partials: 4 KiB/,
    /ptx compute_90 +nvcc 13\.0\.88 +96 +8192 +0 +abababababab/,
  ]) {
    expect(text).toMatch(part);
  }
});

test('PTX: the newest built, or that of an architecture; else what is built is listed', async () => {
  using folder = temporaryFolder({ 'dist/kernels/a.ptx': '// 80', 'dist/kernels/b.ptx': '// 90' });
  const one = selected(kernelIn(folder.path));
  expect(await readPtx(one)).toBe('// 90');
  expect(await readPtx(one, 80)).toBe('// 80');
  await expect(readPtx(one, 70)).rejects.toThrow(
    /No PTX of tiled_bm64_bn64 was built for compute_70; built: compute_90, compute_80\./,
  );
});

test('a library has no declaration, plan or entry', async () => {
  const library = selected(fakeKernel('blas'));
  expect(inspectKernel(library, { shape, device })).toMatchObject({
    params: {},
    plan: undefined,
    artefacts: [],
  });
  await expect(readEntry(library)).rejects.toThrow(/is a library/);
});
