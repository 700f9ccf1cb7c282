import { expect, test } from 'vitest';
import { launchFigures } from '../profile/launch-figures.js';
import { askedMetrics, profileMetrics } from '../profile/metrics.js';
import type { ProfileResult, ProfileRow } from '../profile/schema.js';
import { stallMetric } from '../profile/stalls.js';
import { renderProfile, renderProfileMarkdown } from './profile.js';
import { renderProfileDetails } from './profile-details.js';
import { shellCommand, shellList } from './shell.js';
import { plain } from './style.js';
import { widthOf } from './text.js';

function launch(kernel: string, main: boolean, lacking: readonly string[] = []) {
  const worst = stallMetric('math_pipe_throttle');
  const figures = new Map(
    askedMetrics
      .filter((name) => !lacking.includes(name))
      .map((name) => [name, name === worst ? 99 : 62.5678]),
  );
  const opcodes = new Map([
    ['FFMA', 900],
    ['LDS.128', 100],
  ]);
  return launchFigures({ kernel, grid: [1, 2, 3], block: [256, 1, 1], figures, opcodes }, main, new Set());
}

const row = (id: string, parts: Partial<ProfileRow> = {}): ProfileRow => ({
  id,
  kernel: id,
  package: { name: '@x/kernels', version: '1.0.0' },
  problem: { m: 1024, n: 1024, k: 1024, alpha: 1, beta: 0, lda: 1024, ldb: 1024, ldc: 1024 },
  status: 'profiled',
  launches: [launch(`${id}_prepare`, false), launch(id, true)],
  ...parts,
});

const result = (rows: readonly ProfileRow[]): ProfileResult => ({
  schemaVersion: 1,
  kind: 'profile',
  createdAt: '2026-11-30T12:00:00.000Z',
  tool: {},
  profiler: { name: 'Nsight Compute', version: '2025.3' },
  protocol: { name: 'one-launch', version: 1, cache: 'cold', clocks: 'unchanged', warmUpLaunches: 2 },
  durations: 'profiled',
  host: { platform: 'linux x64', release: '6', cpu: 'c', cores: 2, memoryBytes: 1, node: '20', v8: '11' },
  device: { kind: 'cuda', name: 'NVIDIA H200', arch: 'sm_90', limits: {}, details: {} },
  metrics: profileMetrics.map(({ name, title, unit, meaning }) => ({ name, title, unit, meaning })),
  rows: [...rows],
  notes: [],
});

test('tables fit 80 columns, launches beside the multiplication stand below it, and reasons are told', () => {
  const long = 'a_kernel_with_a_long_name_128x128x16_8x8_s3';
  const rows = [
    row(long),
    row('k11', { status: 'refused', reason: 'm must be a multiple of 256.', launches: [] }),
  ];
  const lines = renderProfile(result(rows), plain, 80);
  expect(lines.filter((line) => widthOf(line) > 80)).toEqual([]);
  const text = lines.join('\n');
  expect(text).toMatch(/^\+ prepare/m);
  expect(text).toMatch(/refused +k11 1024³: m must be a multiple/);
  expect(text).toMatch(/90 %/);
  expect(renderProfileMarkdown(result(rows)).join('\n')).toContain('refused: k11: m must be');
});

test('details name every metric, and say why one is missing', () => {
  const lacking = launch('k02', true, ['lts__t_sector_hit_rate.pct']);
  const lines = renderProfileDetails(result([row('k02', { launches: [lacking] })]), plain, 80);
  expect(lines.filter((line) => widthOf(line) > 80)).toEqual([]);
  const text = lines.join(' ').replaceAll(/\s+/g, ' ');
  for (const { name } of profileMetrics) expect(text).toContain(name);
  expect(text).toMatch(/l2\.hitRate – ncu gave no lts__t_sector_hit_rate\.pct\./);
  expect(text).toContain('1000 executed, 90 % of them FFMA: FFMA 900 (90 %), LDS 100 (10 %)');
});

test('a command is quoted for a shell, and broken where its words allow', () => {
  expect(shellCommand(['echo', "it's", 'a|b', ''], 80)).toEqual([`echo 'it'\\''s' 'a|b' ''`]);
  expect(shellCommand(['aaaa', 'bbbb', 'cccc'], 12)).toEqual(['aaaa bbbb \\', '  cccc']);
  expect(shellList('x', ['one', 'two', 'three'], 9)).toEqual(['x=one,\\', 'two,\\', 'three']);
});
