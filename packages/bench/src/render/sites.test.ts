import { expect, test } from 'vitest';
import type { ResultRow } from '../result/schema.js';
import { detailLines, detailMarkdown } from './counter-details.js';
import { sitesLines, sitesMarkdown } from './sites.js';
import { plain } from './style.js';
import { widthOf } from './text.js';

type Site = NonNullable<ResultRow['counters']>['launches'][number]['sites'][number];

const site = (of: Partial<Site>): Site => ({
  ptxLine: 7,
  instruction: 'ld.shared.f32 %f1, [%r1];',
  source: { file: 'kernels/course/k05-patch/kernel.cu', line: 61 },
  space: 'shared',
  kind: 'load',
  requests: 100,
  sectors: 0,
  bytesRequested: 12_800,
  bytesUsed: 0,
  wavefronts: 200,
  idealWavefronts: 100,
  ...of,
});
const sites = [
  site({}),
  site({ ptxLine: 8 }),
  site({ ptxLine: 9, wavefronts: 400 }),
  site({
    space: 'global',
    kind: 'store',
    sectors: 1600,
    bytesUsed: 12_800,
    wavefronts: 0,
    idealWavefronts: 0,
  }),
  site({ source: { file: 'kernel.cu', line: 99 }, requests: 0 }),
  { ...site({ kind: 'copy' }), source: undefined },
];
const model = {
  'l2Model.readHitRate': 0.875,
  'l2Model.dramReadBytes': 987 * 2 ** 20,
};
const compiled = {
  registers: 255,
  spillBytes: 0,
  sharedBytes: 8192,
  blocksPerSm: 1,
  warpsPerSm: 8,
  occupancy: 0.125,
  limitedBy: ['registers'],
};

function row(id: string, values: Record<string, number | null>, of: object = {}): ResultRow {
  const launch = {
    kernel: id,
    grid: [1, 1, 1],
    block: [256, 1, 1],
    sharedBytes: 0,
    instructions: {},
    sites,
    ...of,
  };
  return {
    id,
    kernel: id.split('_')[0],
    package: { name: '@x/ladder', version: '1.0.0' },
    asked: true,
    problem: { m: 64, n: 64, k: 64 },
    counters: { level: 'ptx', values, launches: [launch] },
  } as unknown as ResultRow;
}

const figures = {
  'shared.wavefrontsPerFfma': 1.03,
  'shared.bankConflicts': 123_456_789,
  'barriers.perThread': 128,
};

test('accesses of one source line and cost are one line; those that never ran are left out; all fits 80 columns', () => {
  const lines = sitesLines([row('k05', figures)], plain, 80);
  expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(80);
  const text = lines.join('\n');
  expect(text).toMatch(/kernel\.cu:61 +shared load +200 +– +– +2 +1\n/);
  expect(text).toMatch(/kernel\.cu:61 +shared load +100 +– +– +4 +1\n/);
  expect(text).toMatch(/kernel\.cu:61 +global store +100 +16 +8 +– +–\n/);
  expect(text).toMatch(/PTX 7 +shared copy +100/);
  expect(text).not.toContain('kernel.cu:99');
  expect(sitesMarkdown([row('k05', figures)]).join('\n')).toContain(
    '| kernel.cu:61 | shared load | 200 | – | – | 2 | 1 |',
  );
});

test('figures of ptxas and of the model stand beside the counted ones, the model named so', () => {
  const rows = [row('k05', { ...figures, ...model }, { compiled }), row('k06', { ...figures, ...model })];
  const lines = detailLines(rows, plain, 80);
  expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(80);
  const text = lines.join('\n');
  expect(text).toMatch(/L2 hit\* +DRAM\*\n/);
  expect(text).toMatch(/k05 +1\.03 +123M +128 +255 +0 +12\.5 % +87\.5 % +987 MiB\n/);
  expect(text).toMatch(/k06 +1\.03 +123M +128 +– +– +– /);
  expect(text.replaceAll(/\s+/g, ' ')).toContain('a model of the L2 cache says');
  expect(detailMarkdown(rows).join('\n')).toContain(
    '| k05 | 1.03 | 123M | 128 | 255 | 0 | 12.5 % | 87.5 % | 987 MiB |',
  );
});

test('without a model there is no column for one; results that counted less have no second table', () => {
  const text = detailLines([row('k05', figures)], plain, 80).join('\n');
  expect(text).toMatch(/wav\.\/FFMA/);
  expect(text).not.toMatch(/L2|DRAM/);
  expect(detailLines([row('k05', { 'ffma.share': 0.5 })], plain, 80)).toEqual([]);
});
