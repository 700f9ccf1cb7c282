import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { GemmArtefact, KernelManifest } from '@ffma/core';
import { expect, test } from 'vitest';
import { fakeKernel, fakePackage, selected } from '../test-support/fake-kernel.js';
import { temporaryFolder } from '../test-support/kernel-folders.js';
import { digestsOf } from './digests.js';

const [ptx80, ptx90, cubin] = ['8', '9', 'c'].map((digit) => digit.repeat(64)) as [string, string, string];

const artefact = (format: 'ptx' | 'cubin', arch: string, sha256: string) => ({
  ...{ id: 'k01_bm32', kernel: 'k01', params: {}, format, arch, sha256 },
  ...{ file: 'x', compiler: 'nvcc 13', symbols: {} },
});

function kernel(folder: string) {
  const artefacts = [
    artefact('ptx', 'compute_80', ptx80),
    artefact('ptx', 'compute_90', ptx90),
    artefact('cubin', 'sm_90', cubin),
    artefact('ptx', 'compute_100', 'f'.repeat(64)),
  ];
  const manifest: KernelManifest = { schemaVersion: 1, package: '@x/ladder', version: '1', artefacts };
  const one = fakeKernel('k01', { package: { ...fakePackage, manifest } });
  const source = pathToFileURL(join(folder, 'kernel.cu'));
  return selected({ ...one, definition: { ...one.definition, source } as typeof one.definition });
}

const ran = (ranAs: GemmArtefact['ranAs'], sha256: string): GemmArtefact => ({
  ...{ ranAs, sha256, arch: 'sm_90', compiler: 'nvcc 13' },
});

test('source, PTX and cubin are those of what ran', () => {
  using folder = temporaryFolder({ 'kernel.cu': 'int x;' });
  const source = createHash('sha256').update('int x;').digest('hex');
  const one = kernel(folder.path);
  expect(digestsOf(one, ran('cubin', cubin)).digests).toEqual({ source, ptx: ptx90, cubin });
  expect(digestsOf(one, ran('jit', ptx80)).digests).toEqual({ source, ptx: ptx80 });
  expect(digestsOf(one, ran('emulated', ptx90)).digests).toEqual({ source, ptx: ptx90 });
});

test('a library has none, nor has what was not loaded; a source that is not shipped is left out', () => {
  using folder = temporaryFolder();
  const one = kernel(folder.path);
  expect(digestsOf(one, ran('library', cubin))).toEqual({});
  expect(digestsOf(one, undefined)).toEqual({});
  expect(digestsOf(one, ran('cubin', cubin)).digests).toEqual({ ptx: ptx90, cubin });
});
