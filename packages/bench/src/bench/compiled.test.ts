import type { ManifestArtefact } from '@ffma/core';
import { expect, test } from 'vitest';
import { hopper } from '../test-support/limits.js';
import { launchCompiled, registersOf } from './compiled.js';

const artefact = (arch: string, registers?: number): ManifestArtefact => ({
  id: 'k_bm64',
  kernel: 'k',
  params: {},
  format: 'ptx',
  arch,
  file: `${arch}.ptx`,
  sha256: 'ab'.repeat(32),
  compiler: 'nvcc 13.0.88',
  symbols: { main: 'k_main', zero: 'k_zero' },
  ...(registers === undefined
    ? {}
    : {
        resources: {
          main: { registers, sharedBytes: 8192, spillBytes: 4 },
          zero: { registers: registers / 4, sharedBytes: 0, spillBytes: 0 },
        },
      }),
});
const packageOf = (...artefacts: ManifestArtefact[]) => ({
  manifest: { schemaVersion: 1 as const, package: '@x/ladder', version: '1.0.0', artefacts },
});
const config = { grid: [8, 1, 1], block: [256, 1, 1], sharedBytes: 1024 } as const;
const device = { arch: 'sm_90', limits: hopper };

test('registers of the launched entry for the nearest architecture that ptxas saw, and the occupancy that follows', () => {
  const one = packageOf(artefact('compute_80', 64), artefact('compute_90', 96), artefact('sm_90'));
  expect(launchCompiled(one, 'k_zero', config, device)).toMatchObject({
    registers: 24,
    spillBytes: 0,
    sharedBytes: 1024,
    blocksPerSm: 8,
  });
  expect(launchCompiled(one, 'k_main', config, device)).toEqual({
    registers: 96,
    spillBytes: 4,
    sharedBytes: 9216,
    blocksPerSm: 2,
    warpsPerSm: 16,
    occupancy: 0.25,
    limitedBy: ['registers'],
  });
  expect(launchCompiled(one, 'k_main', config, { ...device, arch: 'sm_80' })?.registers).toBe(64);
});

test('nothing without ptxas, without a manifest, or for another symbol', () => {
  expect(launchCompiled(packageOf(artefact('compute_90')), 'k_main', config, device)).toBeUndefined();
  expect(launchCompiled({ manifest: undefined }, 'k_main', config, device)).toBeUndefined();
  expect(launchCompiled(packageOf(artefact('sm_90', 96)), 'other', config, device)).toBeUndefined();
  const of = registersOf([{ kernel: { package: packageOf(artefact('compute_90', 96)) } }]);
  expect([of('k_main'), of('k_zero'), of('other')]).toEqual([96, 24, undefined]);
});
