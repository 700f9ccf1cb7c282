import { describe, expect, it } from 'vitest';
import { axisNumber, logTicks, roundTicks } from './axis.js';
import { fitted, textWidth } from './drawing.js';
import { scaleOf } from './scale.js';
import { spreadApart } from './spread-apart.js';

describe('labels that are spread apart', () => {
  it('stay where nothing is near, and in their order where much is', () => {
    expect(spreadApart([10, 50, 90], 15, 0, 100)).toEqual([10, 50, 90]);
    expect(spreadApart([50, 50], 10, 0, 100)).toEqual([45, 55]);
    expect(spreadApart([52, 50, 51], 10, 0, 100)).toEqual([61, 41, 51]);
  });

  it('stay within bounds, and are never nearer than the gap', () => {
    expect(spreadApart([0, 1, 100], 12, 0, 100)).toEqual([0, 12, 100]);
    const placed = spreadApart([98, 99, 99, 97, 20], 15, 0, 100).sort((x, y) => x - y);
    expect(placed.at(-1)).toBe(100);
    for (const [i, one] of placed.slice(1).entries())
      expect(one - (placed[i] as number)).toBeGreaterThanOrEqual(15);
  });
});

describe('ticks', () => {
  it('are round and reach around what they are of', () => {
    expect(roundTicks(0, 131, 6)).toEqual([0, 50, 100, 150]);
    expect(roundTicks(97.2, 119, 4)).toEqual([90, 100, 110, 120]);
    expect(logTicks(18.8, 2800)).toEqual([10, 100, 1000, 10_000]);
    expect(logTicks(3, 60)).toEqual([2, 5, 10, 20, 50, 100]);
    expect(logTicks(10, 100)).toEqual([10, 20, 50, 100]);
    for (const alone of [1, 10, 50, 60, 1000, 0.02]) {
      const ticks = logTicks(alone, alone);
      expect(ticks.length, String(alone)).toBeGreaterThan(1);
      expect(ticks[0]).toBeLessThanOrEqual(alone);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(alone);
    }
  });

  it('are written with thin spaces between thousands', () => {
    expect([0.5, 66.9, 2000, 1_000_000].map(axisNumber)).toEqual([
      '0.5',
      '66.9',
      '2\u202f000',
      '1\u202f000\u202f000',
    ]);
  });
});

it('a scale goes to pixels and back', () => {
  for (const type of ['linear', 'log'] as const) {
    const scale = scaleOf(type, [10, 1000], [300, 0]);
    expect([scale.to(10), scale.to(1000)]).toEqual([300, 0]);
    expect(scale.from(scale.to(70))).toBeCloseTo(70);
  }
  expect(scaleOf('log', [10, 1000], [300, 0]).to(100)).toBeCloseTo(150);
});

it('text that is too long is cut and marked', () => {
  expect(fitted('k01', 100)).toBe('k01');
  const cut = fitted('k13_f_128x256x16_rows_tagged', 100);
  expect(cut).toMatch(/^k13_f_.*…$/);
  expect(textWidth(cut)).toBeLessThanOrEqual(100);
});
