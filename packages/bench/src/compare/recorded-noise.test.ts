import { expect, test } from 'vitest';
import type { ResultRow } from '../result/schema.js';
import { halvesOf, recorded } from '../test-support/recorded-halves.js';
import { compareResults } from './compare-results.js';

const files = ['h200-2026-11-30.json', 'h200-confirm.json'];
const seeds = Array.from({ length: 20 }, (_, i) => i + 1);
const few = seeds.slice(0, 4);

/** Every kernel but the reference, whose own time is in the ratios of all others. */
const slowed = (factor: number) => (row: ResultRow) => (row.role === 'reference' ? 1 : factor);

function verdictsOf(file: string, factor: number, by: 'auto' | 'time', of = seeds) {
  const result = recorded(file);
  return of.map((seed) => {
    const { base, new: fresh } = halvesOf(result, seed, slowed(factor));
    const { rows, failures } = compareResults(base, fresh, { failOn: 0.03, by });
    const judged = rows.filter(({ role }) => role !== 'reference');
    return {
      failures: failures.length,
      rows: judged.length,
      verdicts: new Set(judged.map(({ verdict }) => verdict)),
    };
  });
}

test.each(files)('halves of the rounds of %s are the same, 20 of 20 for every row', (file) => {
  for (const { verdicts, failures } of verdictsOf(file, 1, 'auto')) {
    expect([...verdicts]).toEqual(['same']);
    expect(failures).toBe(0);
  }
});

test.each(files)('of %s, one half with 5 percent more time is slower, 20 of 20 for every row', (file) => {
  for (const { verdicts, failures, rows } of verdictsOf(file, 1.05, 'auto')) {
    expect([...verdicts]).toEqual(['slower']);
    expect(failures).toBe(rows);
  }
});

test('the same holds for the times themselves', () => {
  const file = files[1] as string;
  for (const { verdicts } of verdictsOf(file, 1, 'time', few)) expect([...verdicts]).toEqual(['same']);
  for (const { verdicts } of verdictsOf(file, 1.05, 'time', few)) expect([...verdicts]).toEqual(['slower']);
});

test('5 % less time is faster', () => {
  const [first] = verdictsOf(files[0] as string, 1 / 1.05, 'auto', few);
  expect([...(first?.verdicts ?? [])]).toEqual(['faster']);
});

test('also of halves that have more of the slow rounds, by chance, nothing is said to have changed', () => {
  const result = recorded('h200-confirm.json');
  const verdicts = seeds.flatMap((seed) => {
    const { base, new: fresh } = halvesOf(result, seed, () => 1, 'by pairs');
    return compareResults(base, fresh).rows.map(({ verdict }) => verdict);
  });
  const unclear = verdicts.filter((verdict) => verdict === 'unclear').length;
  expect(new Set(verdicts)).toEqual(new Set(['same', 'unclear']));
  expect(unclear / verdicts.length).toBeLessThan(0.1);
});
