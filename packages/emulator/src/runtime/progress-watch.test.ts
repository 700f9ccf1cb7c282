import { describe, expect, test } from 'vitest';
import type { LaunchRecord } from './launch-record.js';
import { controlWords, ProgressWatch } from './progress-watch.js';

function watchers(count: number): ProgressWatch[] {
  const i32 = new Int32Array(new SharedArrayBuffer(4 * controlWords(count)));
  const launch = { control: 0, slots: new Array(count).fill({}) } as unknown as LaunchRecord;
  return Array.from({ length: count }, (_, worker) => new ProgressWatch(i32, launch, worker));
}

/** Goes round once; `active`: some block got somewhere. */
function sweep(watch: ProgressWatch, active = false): boolean {
  watch.begin();
  if (active) watch.progress();
  return watch.end(5000);
}

describe('a grid is stuck', () => {
  test('only when all workers have been idle for long', () => {
    const [one, other] = watchers(2) as [ProgressWatch, ProgressWatch];
    for (let i = 0; i < 40; i++) expect(sweep(one)).toBe(false);
    for (let i = 0; i < 18; i++) expect(sweep(other)).toBe(false);
    expect(sweep(other)).toBe(true);
    expect(sweep(one)).toBe(true);
  });

  test('not while one works, and counting starts anew when it has got somewhere', () => {
    const [one, other] = watchers(2) as [ProgressWatch, ProgressWatch];
    for (let i = 0; i < 18; i++) expect([sweep(one), sweep(other)]).toEqual([false, false]);
    expect(sweep(other, true)).toBe(false);
    for (let i = 0; i < 18; i++) expect(sweep(one)).toBe(false);
    for (let i = 0; i < 18; i++) expect(sweep(other)).toBe(false);
  });

  test('not before a worker that has not begun has been heard; one that is done is not waited for', () => {
    const [one, other] = watchers(2) as [ProgressWatch, ProgressWatch];
    for (let i = 0; i < 100; i++) expect(sweep(one)).toBe(false);
    other.begin();
    other.finish();
    for (let i = 0; i < 18; i++) expect(sweep(one)).toBe(false);
    expect(sweep(one)).toBe(true);
  });
});
