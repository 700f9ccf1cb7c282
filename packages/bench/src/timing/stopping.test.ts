import { expect, test } from 'vitest';
import { allNarrow, endedBy, LEAST_ROUNDS, type RoundTimes, relativeWidth } from './stopping.js';

/** Rounds of one launch each: the times of every contestant in each round. */
const rounds = (...contestants: (readonly number[])[]): RoundTimes[] =>
  (contestants[0] as readonly number[]).map((_, round) => contestants.map((us) => [us[round] as number]));

const steady = [100, 100, 100, 100, 100];
const noisy = [100, 104, 96, 100, 108];
const clock = [100, 140, 120, 100, 160];
const fixed = { rounds: 5 };

test('a fixed number of rounds ends it, and nothing before', () => {
  expect(endedBy(fixed, rounds(steady.slice(1), steady.slice(1)), 0)).toBeUndefined();
  expect(endedBy(fixed, rounds(steady, noisy), 0)).toBe('rounds');
});

test('narrow intervals of all ratios end it; one that is wide does not', () => {
  const until = { rounds: 100, untilWidth: 0.01 };
  expect(endedBy(until, rounds(steady, steady, steady), 0)).toBe('interval');
  expect(endedBy(until, rounds(steady, steady, noisy), 0)).toBeUndefined();
  expect(endedBy({ ...until, untilWidth: 0.2 }, rounds(steady, steady, noisy), 0)).toBe('interval');
});

test('it is the ratios that count: a clock that slows both sides does not widen them', () => {
  const until = { rounds: 100, untilWidth: 0.001 };
  const half = clock.map((us) => us / 2);
  expect(endedBy(until, rounds(clock, half), 0)).toBe('interval');
  expect(endedBy(until, rounds(clock, half), 0, { reference: 'none' })).toBeUndefined();
});

test('intervals of fewer than five rounds end nothing', () => {
  const few = rounds(steady.slice(1), steady.slice(1));
  expect(few).toHaveLength(LEAST_ROUNDS - 1);
  expect(endedBy({ rounds: 100, untilWidth: 0.5 }, few, 0)).toBeUndefined();
});

test('the most rounds end it where intervals stay wide, and it is said so', () => {
  expect(endedBy({ rounds: 5, untilWidth: 0.01 }, rounds(steady, noisy), 0)).toBe('max-rounds');
  expect(endedBy({ rounds: 5, untilWidth: 0.01 }, rounds(steady, steady), 0)).toBe('interval');
});

test('the time limit ends it after the round in which it is over, but not before one counts', () => {
  const limited = { rounds: 100, timeLimitMs: 1000 };
  expect(endedBy(limited, rounds(steady), 999)).toBeUndefined();
  expect(endedBy(limited, rounds(steady), 1000)).toBe('time-limit');
  expect(endedBy(limited, [], 5000)).toBeUndefined();
  expect(endedBy({ ...limited, rounds: 5 }, rounds(steady), 1000)).toBe('rounds');
});

test('who is not ranked is not waited for, and the reference may be any of them', () => {
  const times = rounds(noisy, steady, steady);
  expect(allNarrow(times, 0.01)).toBe(false);
  expect(allNarrow(times, 0.01, { reference: 1 })).toBe(false);
  expect(allNarrow(times, 0.01, { reference: 1, ranked: (i) => i !== 0 })).toBe(true);
  const seen: unknown[] = [];
  allNarrow(times, 0.01, { reference: 1, ranked: (i, us) => seen.push([i, us.flat()]) > 0 });
  expect(seen[0]).toEqual([0, noisy]);
});

test('of one contestant alone its own time has to be known', () => {
  expect(allNarrow(rounds(steady), 0.01)).toBe(true);
  expect(allNarrow(rounds(noisy), 0.01)).toBe(false);
});

test('the width of an interval is a share of the median', () => {
  expect(relativeWidth([4, 4, 4, 4])).toBe(0);
  expect(relativeWidth([2, 2, 2, 1, 3])).toBe(1);
});
