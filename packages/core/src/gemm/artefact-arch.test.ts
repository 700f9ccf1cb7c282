import { describe, expect, it } from 'vitest';
import { byFit, runsOn } from './artefact-arch.js';

describe('runsOn', () => {
  it.each([
    ['cubin', 'sm_90', 'sm_90', true],
    ['cubin', 'sm_90a', 'sm_90', true],
    ['cubin', 'sm_90a', 'sm_100', false],
    ['cubin', 'sm_100f', 'sm_100', true],
    ['cubin', 'sm_80', 'sm_86', false],
    ['ptx', 'compute_80', 'sm_90', true],
    ['ptx', 'compute_90', 'sm_80', false],
    ['ptx', 'compute_90a', 'sm_90', true],
    ['ptx', 'compute_90a', 'sm_100', false],
    ['ptx', 'compute_90a', 'sm_89', false],
    ['ptx', 'compute_100f', 'sm_103', true],
    ['ptx', 'compute_100f', 'sm_120', false],
    ['ptx', 'compute_103f', 'sm_100', false],
  ] as const)('%s of %s on %s: %s', (format, arch, device, runs) => {
    expect(runsOn({ format, arch }, device)).toBe(runs);
  });
});

describe('byFit', () => {
  it('puts the newest first, and what is specific before what is portable', () => {
    const archs = ['compute_80', 'compute_90', 'compute_90a', 'compute_100', 'compute_100f'];
    expect(
      archs
        .map((arch) => ({ arch }))
        .sort(byFit)
        .map(({ arch }) => arch),
    ).toEqual(['compute_100f', 'compute_100', 'compute_90a', 'compute_90', 'compute_80']);
  });
});
