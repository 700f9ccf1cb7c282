import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseResult } from '../result/store.js';
import { FakeTimingDevice } from '../test-support/fake-timing-device.js';
import { measure } from './measure.js';
import { median, pairedRatio } from './statistics.js';
import type { Contestant } from './stopwatch.js';

/** What an H200 gave, with the times of all launches. */
const path = new URL('../../../../results/h200-2026-11-30.json', import.meta.url);
const recorded = parseResult(readFileSync(path, 'utf8'));
const at512 = recorded.rows.filter(({ problem, times }) => problem.m === 512 && times !== undefined);

/** Plays the recorded launches again, in the order in which they ran, on a GPU whose clock is the record. */
async function replay(options: Parameters<typeof measure>[2] = {}) {
  const series = Object.fromEntries(
    at512.map(({ id, times }) => [id, times!.rounds.flatMap(({ launchesUs }) => launchesUs)]),
  );
  const clock = Object.entries(series).map(([id, us]) => [id, (n: number) => us[n] as number] as const);
  const device = new FakeTimingDevice({ times: Object.fromEntries(clock) });
  const contestants = Object.keys(series).map(
    (name): Contestant => ({ name, enqueue: () => device.launched(name) }),
  );
  return measure(device, contestants, { warmUpMs: 0, ...options });
}

test('a recorded clock gives the recorded figures: every launch, median and paired ratio', async () => {
  const { rounds } = await replay();
  expect(rounds).toHaveLength(15);
  const mediansOf = (i: number) => rounds.map(({ us }) => median(us[i] as readonly number[]));
  for (const [i, { id, times }] of at512.entries()) {
    expect(rounds[3]?.us[i]?.[7], id).toBeCloseTo(times!.rounds[3]!.launchesUs[7]!, 6);
    expect(median(mediansOf(i)), id).toBeCloseTo(times!.medianUs, 6);
    if (times?.ratio === undefined) continue;
    const ratio = pairedRatio(mediansOf(0), mediansOf(i));
    expect(ratio.median, id).toBeCloseTo(times.ratio.median, 6);
    expect(ratio.wins).toBe(times.ratio.wins);
    expect(ratio.interval.low, id).toBeCloseTo(times.ratio.interval.low, 6);
    expect(ratio.interval.high, id).toBeCloseTo(times.ratio.interval.high, 6);
  }
  expect(at512.length).toBeGreaterThan(3);
});

test('with a width the same record ends early where its ratios are steady, and later where more is asked', async () => {
  const { endedBy, rounds } = await replay({ untilWidth: 0.05, rounds: 15 });
  expect(endedBy).toBe('interval');
  expect(rounds.length).toBeLessThan(15);
  const strict = await replay({ untilWidth: 0.0001, rounds: 15 });
  expect(strict.endedBy).toBe('max-rounds');
  expect(strict.rounds).toHaveLength(15);
});

test('intervals of all recorded ratios are narrow, and hold the median', () => {
  const ratios = recorded.rows.flatMap(({ times }) => times?.ratio ?? []);
  expect(ratios.length).toBeGreaterThan(6);
  for (const { median: middle, interval } of ratios) {
    expect((interval.high - interval.low) / middle).toBeLessThan(0.05);
    expect(interval.low).toBeLessThanOrEqual(middle);
    expect(interval.high).toBeGreaterThanOrEqual(middle);
  }
});
