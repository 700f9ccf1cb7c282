import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { DiscoveredKernel } from '../discover/kernel-package.js';
import { renderSass } from '../render/inspect-sass.js';
import { plain } from '../render/style.js';
import { widthOf } from '../render/text.js';
import { findDisassembler } from '../sass/disassemble.js';
import { fakeKernel, fakePackage, selected } from '../test-support/fake-kernel.js';
import { fakeVariant } from '../test-support/fake-variant.js';
import { temporaryFolder } from '../test-support/kernel-folders.js';
import { inspectSass } from './sass.js';

const fixture = readFileSync(new URL('../sass/fixtures/cuobjdump.sass', import.meta.url), 'utf8');
const gemm = fakeVariant({ symbolTag: 'cutlass' });

/** A package with a cubin, and a disassembler that prints the fixture for it. */
function setting(cubin?: Uint8Array) {
  const folder = temporaryFolder({
    'dist/kernels/k99.cubin': 'machine code',
    'fixture.sass': fixture,
    nvdisasm: `#!/bin/sh
[ "$(cat "$2")" = 'machine code' ] || exit 3
cat "\${0%/*}/fixture.sass"
`,
  });
  chmodSync(join(folder.path, 'nvdisasm'), 0o755);
  if (cubin !== undefined) writeFileSync(join(folder.path, 'dist/kernels/k99.cubin'), cubin);
  return folder;
}

const kernelIn = (folder: string, own = gemm, arch = 'sm_90'): DiscoveredKernel => ({
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
          id: own.id,
          kernel: 'k99',
          params: {},
          format: 'cubin',
          arch,
          file: 'k99.cubin',
          sha256: 'ab'.repeat(32),
          compiler: 'nvcc 13.0.88',
          symbols: own.symbols,
        },
      ],
    },
  },
  gemm: own,
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

const nowhere = { PATH: '/nowhere', CUDA_HOME: '', CUDA_PATH: '' };

test('where there is no disassembler, the machine code is read as far as that goes', async ({ skip }) => {
  if (findDisassembler({ env: nowhere }) !== undefined) skip('the toolkit of this machine has one');
  using folder = setting(
    new Uint8Array(readFileSync(new URL('../sass/fixtures/decode.cubin', import.meta.url))),
  );
  const multiply = selected(kernelIn(folder.path, fakeVariant({ ids: { default: 'multiply' } })));
  const found = await inspectSass(multiply, { env: nowhere });
  expect(found).toMatchObject({
    by: 'ffma',
    text: undefined,
    functions: [{ symbol: 'multiply', loop: { ffma: 4 } }],
  });
  const lines = renderSass(found, plain, 80);
  expect(lines.filter((line) => widthOf(line) > 80)).toEqual([]);
  expect(lines.join(' ')).toContain('no nvdisasm or cuobjdump here');
});

test('limits that the declaration has for the machine code are held against it', async () => {
  using folder = setting();
  const env = { FFMA_NVDISASM: `${folder.path}/nvdisasm` };
  const strict = fakeVariant({ symbolTag: 'cutlass', machineCode: () => ({ ffmaShare: 0.9, local: 1 }) });
  const { broken, ...found } = await inspectSass(selected(kernelIn(folder.path, strict)), { env });
  expect(broken).toEqual([
    'k99_cutlass: the share of FFMAs in the main loop is 50.0 %, but at least 90.0 % is asked for.',
  ]);
  expect(renderSass({ broken, ...found }, plain, 80).join('\n')).toContain(
    '✗ k99_cutlass: the share of FFMAs',
  );
  expect((await inspectSass(selected(kernelIn(folder.path)), { env })).broken).toEqual([]);
});

test('machine code for others than sm_90 needs a disassembler, and it is said how to get one', async ({
  skip,
}) => {
  if (findDisassembler({ env: nowhere }) !== undefined) skip('the toolkit of this machine has one');
  using folder = setting();
  const wanted = inspectSass(selected(kernelIn(folder.path, gemm, 'sm_80')), { env: nowhere, arch: 'sm_80' });
  await expect(wanted).rejects.toThrow(/neither was found/);
});

test('a library has no machine code of ours', async () => {
  using folder = setting();
  const library = inspectSass(selected(fakeKernel('blas')), {
    env: { FFMA_NVDISASM: `${folder.path}/nvdisasm` },
  });
  await expect(library).rejects.toThrow(/is a library, whose machine code is not ours/);
});
