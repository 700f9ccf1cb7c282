import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { DiscoveredKernel } from '../discover/kernel-package.js';
import { fakePackage, selected } from '../test-support/fake-kernel.js';
import { fakeVariant } from '../test-support/fake-variant.js';
import { temporaryFolder } from '../test-support/kernel-folders.js';
import type { ProfileRow } from './schema.js';
import { withStaticOpcodes } from './static-opcodes.js';

const fixture = readFileSync(new URL('../sass/fixtures/cuobjdump.sass', import.meta.url), 'utf8');
const sha256 = 'ab'.repeat(32);
const gemm = fakeVariant({ symbolTag: 'cutlass' });

const row = (artefact: Partial<ProfileRow['artefact']>) =>
  ({
    artefact: { ranAs: 'cubin', sha256, arch: 'sm_90', compiler: 'nvcc 13.0.88', ...artefact },
    launches: [{ kernel: 'k99_cutlass', main: true, metrics: {}, missing: {}, stalls: [] }],
  }) as unknown as ProfileRow;

test('opcodes that ncu did not count are those of the machine code that ran, and of no other', async () => {
  using folder = temporaryFolder({
    'dist/kernels/k99.cubin': 'machine code',
    'fixture.sass': fixture,
    nvdisasm: `#!/bin/sh\ncat "\${0%/*}/fixture.sass"\n`,
  });
  chmodSync(join(folder.path, 'nvdisasm'), 0o755);
  const built = {
    id: gemm.id,
    kernel: 'k99',
    params: {},
    format: 'cubin',
    arch: 'sm_90',
    file: 'k99.cubin',
  } as const;
  const manifest = {
    schemaVersion: 1,
    package: '@x/kernels',
    version: '1.0.0',
    artefacts: [{ ...built, sha256, compiler: 'nvcc 13.0.88', symbols: gemm.symbols }],
  } as const;
  const kernel = {
    name: 'k99',
    package: { ...fakePackage, folder: folder.path, manifest },
    gemm,
    variants: gemm.variants,
    definition: gemm.definition,
    with: undefined,
  } as unknown as DiscoveredKernel;
  const task = {
    kernel: selected(kernel),
    size: { m: 1, n: 1, k: 1 },
    symbols: ['k99_cutlass'],
    main: 0,
    refusal: undefined,
  };
  const env = { PATH: '/usr/bin:/bin', FFMA_NVDISASM: join(folder.path, 'nvdisasm') };
  const opcodes = async (of: ProfileRow) =>
    (await withStaticOpcodes(of, task, 'sm_90', env)).launches[0]?.opcodes;
  expect(await opcodes(row({}))).toMatchObject({ level: 'static', total: 20, counts: { FFMA: 6, LDS: 2 } });
  expect(await opcodes(row({ sha256: 'cd'.repeat(32) }))).toBeUndefined();
  expect(await opcodes(row({ ranAs: 'jit' }))).toBeUndefined();
  const counted = {
    level: 'executed',
    counts: {},
    total: 0,
    ffmaShare: null,
    overheadPerFfma: null,
  } as const;
  const own = row({});
  expect(await opcodes({ ...own, launches: own.launches.map((one) => ({ ...one, opcodes: counted })) })).toBe(
    counted,
  );
});
