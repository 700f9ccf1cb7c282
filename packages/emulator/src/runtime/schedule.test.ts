import { describe, expect, it } from 'vitest';
import { parseSchedule, scheduleText, someSchedules } from './schedule.js';

describe('schedules', () => {
  it('are all different, as many as are asked for, and the first five have every order', () => {
    const texts = someSchedules(40).map(scheduleText);
    expect(new Set(texts).size).toBe(40);
    expect(texts.slice(0, 5)).toEqual([
      'forward',
      'reverse+early',
      'random:1',
      'adversarial:1',
      'adversarial:2+early',
    ]);
    expect(someSchedules(2)).toHaveLength(2);
  });

  it('can be read from what is written', () => {
    for (const schedule of someSchedules(20)) {
      expect(parseSchedule(scheduleText(schedule))).toEqual(schedule);
    }
    expect(parseSchedule('random')).toEqual({ order: 'random' });
    expect(scheduleText({ order: 'random' })).toBe('random:1');
  });

  it.each([
    '',
    'sideways',
    'forward:1',
    'random:',
    'random:-1',
    'random:4294967296',
    'random:1+late',
    'RANDOM',
  ])("'%s' is none", (text) => {
    expect(parseSchedule(text)).toBeUndefined();
  });
});
