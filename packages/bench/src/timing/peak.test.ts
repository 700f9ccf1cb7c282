import { expect, test } from 'vitest';
import { hopper } from '../test-support/limits.js';
import { peakOf, tflopsOf } from './peak.js';

const at = (MHz: number) => ({ attributes: { clockRateKHz: MHz * 1000 } });

test('the peak of an H200 is 66.9 TFLOP/s', () => {
  const peak = peakOf({ arch: 'sm_90', limits: hopper, properties: at(1980) });
  expect(peak).toMatchObject({ smCount: 132, lanesPerSm: 128, clockMHz: 1980 });
  expect(typeof peak === 'string' ? Number.NaN : peak.tflops).toBeCloseTo(66.9, 1);
});

test('an A100 has half as many lanes an SM', () => {
  const peak = peakOf({ arch: 'sm_80', limits: { ...hopper, smCount: 108 }, properties: at(1410) });
  expect(typeof peak === 'string' ? Number.NaN : peak.tflops).toBeCloseTo(19.5, 1);
});

test('what is not known is said', () => {
  expect(peakOf({ arch: 'sm_999', limits: hopper, properties: at(1980) })).toMatch(/SM of sm_999/);
  for (const properties of [undefined, at(0), { attributes: {} }])
    expect(peakOf({ arch: 'sm_90', limits: hopper, properties })).toMatch(/highest SM clock/);
});

test('2·m·n·k in a time is a rate', () => {
  expect(tflopsOf(2 * 1024 ** 3, 63.9)).toBeCloseTo(33.6, 1);
});
