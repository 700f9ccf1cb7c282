import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineKernel, gemmArgs } from '@ffma/core';
import { expect, test } from 'vitest';
import type { DiscoveredKernel } from '../discover/kernel-package.js';
import { renderSass } from '../render/inspect-sass.js';
import { plain } from '../render/style.js';
import { widthOf } from '../render/text.js';
import { fakeKernel, fakePackage, selected } from '../test-support/fake-kernel.js';
import { temporaryFolder } from '../test-support/kernel-folders.js';
import { inspectSass } from './sass.js';

const fixture = readFileSync(new URL('../sass/fixtures/cuobjdump.sass', import.meta.url), 'utf8');
const gemm = defineKernel({
  name: 'k99',
  slug: 'fake',
  change: 'Nothing.',
  source: new URL('file:///nowhere/kernel.cu'),
  params: {},
  derive: () => ({ threads: 256, sharedBytes: 0 }),
  plan: (problem) => ({
    launches: [
      { entry: 'main', grid: [1, 1, 1], block: [256, 1, 1], sharedBytes: 0, args: gemmArgs(problem) },
    ],
  }),
  exactness: 'k-order',
  symbolTag: 'cutlass',
});

/** A package with a cubin, and a disassembler that prints the fixture for it. */
function setting() {
  const folder = temporaryFolder({
    'dist/kernels/k99.cubin': 'machine code',
    'fixture.sass': fixture,
    nvdisasm: `#!/bin/sh
[ "$(cat "$2")" = 'machine code' ] || exit 3
cat "\${0%/*}/fixture.sass"
`,
  });
  chmodSync(join(folder.path, 'nvdisasm'), 0o755);
  return folder;
}

const kernelIn = (folder: string): DiscoveredKernel => ({
  name: 'k99',
  package: {
    ...fakePackage,
    folder,
    manifest: {
      schemaVersion: 1,
      package: '@x/kernels',
      version: '1.0.0',
      artefacts: [
        {
          id: gemm.id,
          kernel: 'k99',
          params: {},
          format: 'cubin',
          arch: 'sm_90',
          file: 'k99.cubin',
          sha256: 'ab'.repeat(32),
          compiler: 'nvcc 13.0.88',
          symbols: gemm.symbols,
        },
      ],
    },
  },
  gemm,
  variants: gemm.variants as DiscoveredKernel['variants'],
  definition: gemm.definition as unknown as NonNullable<DiscoveredKernel['definition']>,
  with: undefined,
});

test('the cubin that the package ships is disassembled, and its facts fit 80 columns', async () => {
  using folder = setting();
  const env = { PATH: '/usr/bin:/bin', FFMA_NVDISASM: `${folder.path}/nvdisasm` };
  const found = await inspectSass(selected(kernelIn(folder.path)), { env });
  expect(found).toMatchObject({ from: 'built', arch: 'sm_90', compiler: 'nvcc 13.0.88', text: fixture });
  expect(found.functions).toMatchObject([{ symbol: 'k99_cutlass', loop: { ffma: 6 } }]);
  const lines = renderSass(found, plain, 80);
  expect(lines.filter((line) => widthOf(line) > 80)).toEqual([]);
  const text = lines.join(' ').replaceAll(/\s+/g, ' ');
  expect(text).toContain(
    'main loop 0x0030 to 0x00e0: 12 instructions, 6 FFMAs (50 %), 1 others for each FFMA',
  );
  expect(text).toContain('two 3 (1 of them in one bank), three 2; 1 bank conflict; 3 marked .reuse');
});

test('where there is no disassembler it is said how to get one; a library has no machine code of ours', async () => {
  const env = { PATH: '/nowhere', CUDA_HOME: '', CUDA_PATH: '' };
  const wanted = inspectSass(selected(kernelIn('/nowhere')), { env });
  // A machine with the toolkit in /usr/local has one all the same, and then misses the file.
  await expect(wanted).rejects.toThrow(/neither was found\. Install them|ENOENT/);
  using folder = setting();
  const library = inspectSass(selected(fakeKernel('blas')), {
    env: { FFMA_NVDISASM: `${folder.path}/nvdisasm` },
  });
  await expect(library).rejects.toThrow(/is a library, whose machine code is not ours/);
});
