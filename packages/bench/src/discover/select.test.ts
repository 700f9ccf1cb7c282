import { expect, test } from 'vitest';
import { kernelModule, kernelPackageJson, temporaryFolder } from '../test-support/kernel-folders.js';
import { UsageError } from '../usage-error.js';
import { discoverKernels } from './discover-kernels.js';
import { baseOf, selectKernels } from './select.js';

const artefact = (id: string, params: object) => ({
  id,
  kernel: 'k02',
  params,
  format: 'ptx',
  arch: 'compute_80',
  file: `${id}.ptx`,
  sha256: '0'.repeat(64),
  compiler: 'none 1',
  symbols: {},
});

async function twoPackages() {
  using folder = temporaryFolder({
    'package.json': { name: 'root', dependencies: { '@x/ladder': '1', other: '1' } },
    'node_modules/@x/ladder/package.json': kernelPackageJson('@x/ladder'),
    'node_modules/@x/ladder/kernels.js': kernelModule(
      { name: 'k01' },
      { name: 'k02', basedOn: 'k01', variants: ['wide'] },
    ),
    'node_modules/@x/ladder/dist/kernels/manifest.json': {
      ...{ schemaVersion: 1, package: '@x/ladder', version: '1.2.3' },
      artefacts: [artefact('k02_bm64', { BM: 64 })],
    },
    'node_modules/other/package.json': kernelPackageJson('other'),
    'node_modules/other/kernels.js': kernelModule(
      { name: 'k01' },
      { name: 'z9', basedOn: 'k02' },
      { name: 'z10', basedOn: 'q' },
    ),
  });
  return await discoverKernels(folder.path);
}

test.each([
  [['k02'], ['k02_bm32']],
  [['k02/wide'], ['k02_wide']],
  [['k02/default'], ['k02_bm32']],
  [['k02/*'], ['k02_bm32', 'k02_wide']],
  [['k02_wide'], ['k02_wide']],
  [['k02_bm64'], ['k02_bm64']],
  [
    ['z9', 'k02', 'z9'],
    ['z9_bm32', 'k02_bm32'],
  ],
  [['@x/ladder'], ['k01_bm32', 'k02_bm32']],
  [['@x/ladder/k01'], ['k01_bm32']],
  [['@x/ladder/k02/wide'], ['k02_wide']],
  [['other/k01'], ['k01_bm32']],
  [['all'], ['k01_bm32', 'k02_bm32', 'k01_bm32', 'z9_bm32', 'z10_bm32']],
  [[], ['k01_bm32', 'k02_bm32', 'k01_bm32', 'z9_bm32', 'z10_bm32']],
])('%j selects %j', async (selectors, ids) => {
  expect(selectKernels(await twoPackages(), selectors).map(({ gemm }) => gemm.id)).toEqual(ids);
});

test.each([
  ['k03', /There is no kernel 'k03'\. Did you mean k01, k02\?/],
  ['zzzzz', /There are k01, k02, k01, z9, z10\./],
  ['k02/widest', /k02 has no variant 'widest'; it has default, wide\./],
  ['k01', /'k01' is in several packages: @x\/ladder, other\. Write the package first: @x\/ladder\/k01\./],
  ['@x/ladder/z9', /There is no kernel '@x\/ladder\/z9'/],
])('%s is refused, with what is near', async (text, message) => {
  const discovery = await twoPackages();
  expect(() => selectKernels(discovery, [text])).toThrow(UsageError);
  expect(() => selectKernels(discovery, [text])).toThrow(message);
});

test('says so where there is no kernel at all', async () => {
  using folder = temporaryFolder({ 'package.json': { name: 'root' } });
  const discovery = await discoverKernels(folder.path);
  expect(() => selectKernels(discovery, [])).toThrow(/No kernel was found from .* Add a kernel package/);
});

test('a base may live in another package; an unknown one is no base', async () => {
  const discovery = await twoPackages();
  const base = (name: string) => baseOf(discovery, discovery.kernels.find((k) => k.name === name)!);
  expect(base('k02')?.package.name).toBe('@x/ladder');
  expect(base('z9')?.name).toBe('k02');
  expect(base('z10')).toBeUndefined();
  expect(base('k01')).toBeUndefined();
});

test('all variants are those of every kernel that is chosen without one', async () => {
  const discovery = await twoPackages();
  const ids = (...selectors: string[]) =>
    selectKernels(discovery, selectors, { allVariants: true }).map(({ gemm }) => gemm.id);
  expect(ids('k02')).toEqual(['k02_bm32', 'k02_wide']);
  expect(ids('@x/ladder')).toEqual(['k01_bm32', 'k02_bm32', 'k02_wide']);
  expect(ids('k02_bm64', 'k02/wide')).toEqual(['k02_bm64', 'k02_wide']);
  expect(selectKernels(discovery, ['k02'], { allVariants: true }).every(({ named }) => named)).toBe(true);
});
