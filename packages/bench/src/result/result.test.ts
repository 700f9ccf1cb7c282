import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../test-support/kernel-folders.js';
import { writeAtomically } from './output.js';
import { hostFacts, toolVersions } from './provenance.js';
import { parseResult, readResult, stringifyResult } from './store.js';

test('a file is written whole, over an old one, and nothing else is left', async () => {
  using folder = temporaryFolder({ 'r.json': 'old' });
  await writeAtomically(join(folder.path, 'r.json'), 'new');
  expect(readdirSync(folder.path)).toEqual(['r.json']);
  expect(readFileSync(join(folder.path, 'r.json'), 'utf8')).toBe('new');
});

test('what cannot be written or read is said with the path', async () => {
  using folder = temporaryFolder({ 'text.json': 'hello', 'other.json': { schemaVersion: 2 } });
  await expect(writeAtomically(join(folder.path, 'no', 'r.json'), '')).rejects.toThrow(
    /r\.json cannot be written: ENOENT/,
  );
  await expect(readResult(join(folder.path, 'gone.json'))).rejects.toThrow(/gone\.json cannot be read/);
  await expect(readResult(join(folder.path, 'text.json'))).rejects.toThrow(/text\.json is no JSON/);
  await expect(readResult(join(folder.path, 'other.json'))).rejects.toThrow(
    /is no result of ffma: it does not say its "kind"\. .*ffma bench --json/,
  );
});

test('versions and host are those at work', () => {
  expect(Object.keys(toolVersions())).toEqual([
    '@ffma/bench',
    '@ffma/core',
    '@ffma/emulator',
    '@ffma/verify',
  ]);
  expect(hostFacts()).toMatchObject({
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
  });
});

test('a result from before there were times is still one', () => {
  const row = {
    id: 'k01_bm32',
    kernel: 'k01',
    package: { name: '@x/ladder', version: '1.0.0' },
    params: { BM: 32 },
    exactness: 'k-order',
    asked: true,
    problem: { m: 8, n: 8, k: 8, alpha: 1, beta: 0, lda: 8, ldb: 8, ldc: 8 },
    artefact: { ranAs: 'emulated', sha256: 'a'.repeat(64), arch: 'compute_90', compiler: 'nvcc 13.0.88' },
    correctness: {
      status: 'passed',
      cases: { passed: 2, failed: 0, refused: 0 },
      gates: ['exact'],
      failures: [],
    },
    counters: { level: 'ptx', values: { 'ffma.share': 0.5, 'atomics.total': null }, launches: [] },
  };
  const old = {
    schemaVersion: 1,
    kind: 'bench',
    createdAt: '2026-11-30T12:00:00.000Z',
    tool: { '@ffma/bench': '0.1.0' },
    protocol: { name: 'counters', version: 1 },
    mathMode: 'fp32',
    host: hostFacts(),
    device: { kind: 'emulator', name: 'emulated H200', arch: 'sm_90', limits: {}, details: { fma: 'f64' } },
    rows: [row],
  };
  expect(parseResult(JSON.stringify(old))).toEqual({ ...old, schemaVersion: 2 });
});

test('a list of numbers is one line of the file, and text that looks like one stays', () => {
  const parts = { name: 'x', arch: 'sm_90', limits: { grid: [1, 2, 3] as [number, number, number] } };
  const text = stringifyResult({
    schemaVersion: 2,
    kind: 'bench',
    createdAt: '2026-11-30T12:00:00.000Z',
    tool: {},
    protocol: { name: 'counters', version: 1 },
    mathMode: 'fp32',
    host: { ...hostFacts(), cpu: '[\n 1,\n 2\n]' },
    device: { kind: 'cuda', details: {}, ...parts },
    rows: [],
  });
  expect(text).toContain('"grid": [1, 2, 3]');
  expect(parseResult(text).host.cpu).toBe('[\n 1,\n 2\n]');
});
