import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { benchFromVersion1 } from './bench-version-1.js';
import { parseResult } from './store.js';

const committed = (name: string) =>
  readFileSync(new URL(`../../../../results/${name}.json`, import.meta.url), 'utf8');

test.each(['h200-2026-11-30', 'h200-confirm'])('%s is read, with nothing of it changed', (name) => {
  const text = committed(name);
  const old = JSON.parse(text);
  const result = parseResult(text);
  expect(result).toMatchObject({ ...old, schemaVersion: 2 });
  for (const { times } of result.rows) {
    for (const { outliers, launchesUs, medianUs } of times?.rounds ?? [])
      for (const i of outliers) expect(Math.abs((launchesUs[i] as number) - medianUs)).toBeGreaterThan(0.1);
    const { ratio } = times ?? {};
    if (ratio === undefined) continue;
    expect(ratio.min).toBeLessThanOrEqual(ratio.interval.low);
    expect(ratio.interval.low).toBeLessThanOrEqual(ratio.median);
    expect(ratio.median).toBeLessThanOrEqual(ratio.interval.high);
    expect(ratio.interval.high).toBeLessThanOrEqual(ratio.max);
  }
  expect(result.sessions?.every(({ endedBy }) => endedBy === 'rounds')).toBe(true);
  expect(result.rows.filter(({ times }) => times !== undefined).length).toBeGreaterThan(5);
});

test('an interrupted session ended so', () => {
  const { sessions } = benchFromVersion1({ sessions: [{ interrupted: true }, {}] });
  expect(sessions).toEqual([{ interrupted: true, endedBy: 'interrupted' }, { endedBy: 'rounds' }]);
});

test('what it does not understand is passed on, for the schema to name', () => {
  const odd = {
    rows: [7, { times: { rounds: 'many', ratio: 3 } }, { times: { rounds: [{ launchesUs: ['1'] }, null] } }],
    sessions: 'none',
  };
  expect(benchFromVersion1(odd)).toEqual({
    rows: [
      7,
      { times: { rounds: 'many', launched: 'singly', ratio: 3 } },
      { times: { rounds: [{ launchesUs: ['1'] }, null], launched: 'singly' } },
    ],
    sessions: 'none',
  });
  expect(benchFromVersion1({ rows: 'all' })).toEqual({ rows: 'all' });
});
