import { expect, test } from 'vitest';
import { kernelModule, kernelPackageJson, temporaryFolder } from '../test-support/kernel-folders.js';
import { discoverKernels } from './discover-kernels.js';
import { listKernels } from './list-kernels.js';

const artefact = {
  ...{ id: 'k01_bm32', kernel: 'k01', params: {}, format: 'ptx', arch: 'compute_80', file: 'k01.ptx' },
  ...{ sha256: '0'.repeat(64), compiler: 'none 1', symbols: {} },
};

/** What is found where the package `other` has a manifest with these parts, beside a package without one. */
async function found(parts: object) {
  using folder = temporaryFolder({
    'package.json': { name: 'root', dependencies: { other: '1', good: '1' } },
    'node_modules/other/package.json': kernelPackageJson('other'),
    'node_modules/other/kernels.js': kernelModule({ name: 'k01' }),
    'node_modules/other/dist/kernels/manifest.json': {
      ...{ schemaVersion: 1, package: 'other', version: '1.2.3', artefacts: [artefact] },
      ...parts,
    },
    'node_modules/good/package.json': kernelPackageJson('good'),
    'node_modules/good/kernels.js': kernelModule({ name: 'k01' }),
  });
  return await discoverKernels(folder.path);
}

test('a manifest that is right says what was built', async () => {
  const discovery = await found({});
  expect(discovery.broken).toEqual([]);
  expect(listKernels(discovery)[0]).toMatchObject({ package: 'other', built: { ptx: ['80'] } });
});

test.each([
  ['with an artefact that is null', { artefacts: [null] }, /artefact/],
  ['with an artefact without arch', { artefacts: [{ ...artefact, arch: undefined }] }, /arch/],
  ['without artefacts', { artefacts: undefined }, /artefacts/],
  ['of another schema version', { schemaVersion: 2 }, /schema ?version/i],
])('a manifest %s costs its own package only, with the reason', async (_, parts, reason) => {
  const discovery = await found(parts);
  expect(discovery.broken).toMatchObject([{ name: 'other', reason: expect.stringMatching(reason) }]);
  expect(listKernels(discovery).map((kernel) => kernel.package)).toEqual(['good']);
});
