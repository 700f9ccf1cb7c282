import { describe, expect, it } from 'vitest';
import type { BuiltArtefact } from './build.js';
import { reportTable } from './report-table.js';

const artefact: BuiltArtefact = {
  id: 'k01_bm32',
  kernel: 'k01',
  params: {},
  format: 'ptx',
  arch: 'compute_80',
  file: 'f',
  sha256: '',
  compiler: 'nvcc 13.0.88',
  symbols: { main: 'k01' },
  resources: { main: { registers: 32, sharedBytes: 8192, spillBytes: 0 } },
  byteLength: 7833,
  cached: false,
};
const { resources, ...unknown } = artefact;

describe('reportTable', () => {
  it('aligns figures, marks unknown ones, and ends in one line that sums up', () => {
    const artefacts = [artefact, { ...unknown, id: 'k2', arch: 'sm_90', cached: true }];
    const manifest = { schemaVersion: 1, package: '@x/y', version: '1.0.0', artefacts } as const;
    expect(reportTable({ artefacts, manifest, elapsedMs: 1234 }).split('\n')).toEqual([
      'variant   arch        registers  shared B  spilled B  size B   from',
      'k01_bm32  compute_80         32      8192          0    7833  built',
      'k2        sm_90               ?         ?          ?    7833  cache',
      '@x/y: 2 artefacts of 2 variants by nvcc 13.0.88 in 1.2 s, 1 from the cache.',
    ]);
  });

  it('has a line for each entry, and says where another build may give other bytes', () => {
    const resources = { ...artefact.resources, zero: { registers: 8, sharedBytes: 0, spillBytes: 0 } };
    const symbols = { main: 'k01', zero: 'k01_zero' };
    const artefacts = [{ ...artefact, symbols, resources, reproducible: false }];
    const manifest = { schemaVersion: 1, package: '@x/y', version: '1.0.0', artefacts } as const;
    const [, main, zero, , ...notes] = reportTable({ artefacts, manifest, elapsedMs: 1 }).split('\n');
    expect([main, zero]).toEqual([
      'k01_bm32  compute_80         32      8192          0    7833  built',
      '  zero                        8         0          0',
    ]);
    expect(notes.join(' ')).toMatch(/other bytes: setarch -R/);
  });
});
