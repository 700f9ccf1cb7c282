import { expect, test } from 'vitest';
import { reasonsOf, throttledBy } from './throttling.js';

const sample = (throttled: boolean, ...reasons: string[]) => ({
  smClockMHz: 1980,
  memoryClockMHz: 3201,
  powerW: 400,
  temperatureC: 50,
  reasons,
  throttled,
});

test('idling and settings are named, and are not throttling', () => {
  const samples = [sample(false, 'gpu-idle'), sample(false, 'application-clocks', 'gpu-idle')];
  expect(reasonsOf(samples)).toEqual(['gpu-idle', 'application-clocks']);
  expect(throttledBy(samples)).toEqual([]);
});

test('one throttled sample throttles the round, by what it names', () => {
  const samples = [sample(false, 'gpu-idle'), sample(true, 'software-power-cap', 'application-clocks')];
  expect(throttledBy(samples)).toEqual(['software-power-cap']);
});

test('a throttled sample without a reason is not lost', () => {
  expect(throttledBy([sample(true)])).toEqual(['unknown']);
});
