import { expect, test } from 'vitest';
import { renderBesideCounters } from '../render/beside-counters.js';
import type { BenchResult } from '../result/schema.js';
import { besideCounters } from './beside-counters.js';
import { profileMetrics } from './metrics.js';
import type { ProfileResult } from './schema.js';

const same = {
  id: 'k06_a',
  package: { name: '@x/kernels', version: '1.0.0' },
  problem: { m: 64, n: 64, k: 64, alpha: 1, beta: 0, lda: 64, ldb: 64, ldc: 64 },
};
const launch = (metrics: Record<string, number | null>, main = true) => ({ kernel: 'k06', main, metrics });
const profile = (...launches: ReturnType<typeof launch>[]) =>
  ({ rows: [{ ...same, launches }] }) as unknown as ProfileResult;
const counted = (values: Record<string, number>, problem = same.problem) =>
  ({
    rows: [{ ...same, problem, counters: { values, launches: [{ instructions: { ffma: 100 } }] } }],
  }) as unknown as BenchResult;

test('counts of all launches stand beside the emulator, and what was modelled is told', () => {
  const ncu = profile(
    launch({ 'global.load.sectors': 4, 'instructions.ffma': 0, 'l2.readHitRate': 10 }, false),
    launch({ 'global.load.sectors': 60, 'instructions.ffma': 100, 'l2.readHitRate': 80 }),
  );
  const [row, ...others] = besideCounters(
    ncu,
    counted({ 'global.load.sectors': 80, 'l2Model.readHitRate': 0.8 }),
  );
  expect(others).toEqual([]);
  expect(row?.figures).toEqual([
    { name: 'instructions.ffma', kind: 'count', emulator: 100, profiler: 100 },
    { name: 'global.load.sectors', kind: 'count', emulator: 80, profiler: 64 },
    { name: 'l2Model.readHitRate', kind: 'model', emulator: 0.8, profiler: 0.8 },
  ]);
  const lines = renderBesideCounters([row!]);
  expect(lines).toContain('| `global.load.sectors` | 80 | 64 | +25.00 % |');
  expect(lines).toContain('| `instructions.ffma` | 100 | 100 | equal |');
});

test('a figure that one of a plan lacks is none, and another size is another row', () => {
  const lacking = profile(launch({ 'global.store.sectors': 1 }), launch({ 'global.store.sectors': null }));
  const [row] = besideCounters(lacking, counted({ 'global.store.sectors': 1 }));
  expect(row?.figures.find(({ name }) => name === 'global.store.sectors')).toMatchObject({ profiler: null });
  expect(besideCounters(lacking, counted({}, { ...same.problem, m: 128 }))).toEqual([]);
});

test('every figure that is compared is one of a profile', () => {
  const known = new Set(profileMetrics.map(({ name }) => name));
  const all = Object.fromEntries([...known].map((name) => [name, 1]));
  const [row] = besideCounters(profile(launch(all)), counted({}));
  expect(row?.figures.filter(({ profiler }) => profiler === null)).toEqual([]);
});
