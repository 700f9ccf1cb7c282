import { expect, it } from 'vitest';
import { type BundleOptions, bundleOptions, obstacle } from './options.mjs';

const usual: BundleOptions = { cubins: ['sm_90'], build: true, compressor: 'xz', folder: undefined };

it('compiles machine code for sm_90 and packs with xz unless told otherwise', () => {
  expect(bundleOptions([])).toEqual(usual);
  expect(bundleOptions(['--cubin', 'sm_80', '--cubin', 'sm_90'])).toMatchObject({
    cubins: ['sm_80', 'sm_90'],
  });
  const all = bundleOptions(['--ptx-only', '--no-build', '--gzip', '--folder', 'x']);
  expect(all).toEqual({ cubins: [], build: false, compressor: 'gzip', folder: 'x' });
});

it('refuses what it does not know and what contradicts itself, with the usage', () => {
  for (const args of [['--slow'], ['extra'], ['--ptx-only', '--cubin', 'sm_90'], ['--cubin', 'abc']]) {
    expect(bundleOptions(args)).toMatchObject({ code: 2, text: expect.stringContaining('Usage:') });
  }
  expect(bundleOptions(['--help'])).toMatchObject({ code: 0 });
});

it('says what stands in the way', () => {
  const host = { platform: 'linux', arch: 'x64', has: () => true };
  expect(obstacle(host, usual)).toBeUndefined();
  expect(obstacle({ ...host, arch: 'arm64' }, usual)).toContain('linux-arm64');
  expect(obstacle({ ...host, has: () => false }, usual)).toContain('apt-get install -y xz-utils');
  expect(obstacle({ ...host, has: () => false }, { ...usual, folder: 'x' })).toBeUndefined();
});
