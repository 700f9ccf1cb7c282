import { expect, test } from 'vitest';
import { temporaryFolder } from '../test-support/kernel-folders.js';
import { profilerFault } from './errors.js';
import { placesOf } from './find-tool.js';
import { askedMetrics, profileMetrics } from './metrics.js';
import { findNcu, ncuArguments, ncuPlaces } from './ncu.js';

test('ncu is looked for by name, in CUDA_HOME, and in the newest of the usual folders', () => {
  const folders: Record<string, string[]> = {
    '/usr/local': ['bin', 'cuda', 'cuda-12.9', 'cuda-13.0'],
    '/opt/nvidia/nsight-compute': ['2024.3.2', '2025.3.0', 'host'],
  };
  const context = { env: { CUDA_HOME: '/home/cuda' }, list: (folder: string) => folders[folder] ?? [] };
  expect(placesOf(ncuPlaces, context)).toEqual([
    'ncu',
    '/home/cuda/bin/ncu',
    '/usr/local/cuda-13.0/bin/ncu',
    '/usr/local/cuda-12.9/bin/ncu',
    '/usr/local/cuda/bin/ncu',
    '/opt/nvidia/nsight-compute/2025.3.0/ncu',
    '/opt/nvidia/nsight-compute/2024.3.2/ncu',
  ]);
});

test('where there is no ncu the places are named; where FFMA_NCU is wrong nothing else is taken', () => {
  using folder = temporaryFolder({ 'ncu.txt': 'no program' });
  expect(() => findNcu({ env: { PATH: folder.path }, list: () => [] })).toThrow(/was not found.*FFMA_NCU/);
  const env = { PATH: '/usr/bin', FFMA_NCU: `${folder.path}/ncu.txt` };
  expect(() => findNcu({ env, list: () => [] })).toThrow(/FFMA_NCU names .*ncu\.txt, which is no program/);
});

test('clocks are left alone, caches are flushed or not, and symbols are taken literally', () => {
  const request = { metrics: ['a.sum', 'b.sum'], cache: 'cold', program: ['node', 'x'] } as const;
  const text = (more: object) => ncuArguments({ ...request, ...more }).join(' ');
  expect(text({})).toMatch(/--clock-control none --cache-control all .*--metrics a.sum,b.sum node x$/);
  expect(text({})).not.toMatch(/launch-skip|launch-count|kernel-name/);
  expect(text({ cache: 'warm', symbols: ['k', 'a$b.c'], skip: 0, count: 1 })).toMatch(
    /--cache-control none .*--kernel-name regex:\^\(k\|a\\\$b\\\.c\)\$ --launch-skip 0 --launch-count 1 /,
  );
});

test('what ncu says went wrong is told apart', () => {
  const fault = (output: string, code: number | undefined = 1, signal?: string) =>
    profilerFault(output, code, signal);
  expect(fault('==ERROR== ERR_NVGPUCTRPERM - The user does not')).toMatchObject({
    name: 'ProfilerPermissionError',
  });
  expect(fault('==ERROR== LibraryNotLoaded', 0)).toMatchObject({
    code: 'FFMA_UNAVAILABLE',
    name: 'ProfilerBlockedError',
  });
  expect(fault("Failed to find metric 'x__y.sum'\nFailed to find metric z.avg")).toMatchObject({
    name: 'UnknownMetricsError',
    metrics: ['x__y.sum', 'z.avg'],
  });
  expect(
    fault('==ERROR== Failed to prepare kernel for profiling\n==ERROR== Unknown Error on device 0.')?.message,
  ).toBe(
    'Nsight Compute could not use the counters: Failed to prepare kernel for profiling Unknown Error on device 0. ' +
      'Another program may hold them (DCGM: dcgmi profile --pause), or ncu may be older than the driver: take the ncu ' +
      'of the CUDA version that nvidia-smi shows.',
  );
  expect(fault('boom', 3)?.message).toBe('Nsight Compute ended with code 3: boom');
  expect(fault('', undefined, 'SIGKILL')?.message).toMatch(/ended by SIGKILL/);
  expect(fault('==WARNING== No kernels were profiled.', 0)?.message).toMatch(/profiled no launch/);
  expect(fault('==PROF== Disconnected', 0)).toBeUndefined();
});

test('every metric has a name of its own, and asks for what it needs', () => {
  const names = profileMetrics.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, asks, of } of profileMetrics) {
    const seen = new Set<string>();
    of((ask) => {
      seen.add(ask);
      return 1;
    });
    expect([...seen].sort(), name).toEqual([...asks].sort());
    expect(
      of(() => undefined),
      name,
    ).toBeUndefined();
  }
  expect(new Set(askedMetrics).size).toBe(askedMetrics.length);
});
