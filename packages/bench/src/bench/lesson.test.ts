import { expect, test } from 'vitest';
import { lessonOf } from './lesson.js';

const counted = (name: string, store: number | null, flop: number, overhead = 10) => ({
  name,
  values: {
    'global.store.sectorsPerRequest': store,
    'flop.perGlobalByte': flop,
    'overhead.perFfma': overhead,
  },
});

test('speaks of the figures that changed most', () => {
  expect(lessonOf(counted('b', 4, 0.5), counted('a', 32, 0.25))).toBe(
    'b moves 4 sectors per store request where a moves 32, and does 0.5 FLOP per byte of global traffic where a does 0.25.',
  );
});

test('leaves out what hardly changed', () => {
  expect(lessonOf(counted('b', 4, 8), counted('a', 4, 0.5))).toBe(
    'b does 8 FLOP per byte of global traffic where a does 0.5.',
  );
  expect(lessonOf(counted('b', 4, 8), counted('a', 4, 8))).toBe('b counts what a counts, within 2 %.');
});

test('a kernel without a base speaks for itself; missing figures are no figures', () => {
  expect(lessonOf(counted('a', 32, 0.25), undefined)).toBe(
    'a moves 32 sectors per store request and does 0.25 FLOP per byte of global traffic.',
  );
  expect(lessonOf(counted('a', null, 0.25), counted('b', 4, 0.25))).toBe(
    'a counts what b counts, within 2 %.',
  );
  expect(lessonOf({ name: 'a', values: {} }, counted('b', 4, 1))).toBe('a and b have no counter in common.');
});
