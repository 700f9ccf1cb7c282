import { expect, test } from 'vitest';
import { studentQuantile } from './student.js';

// From printed tables.
test.each([
  [0.95, 1, 12.706],
  [0.95, 2, 4.303],
  [0.99, 5, 4.032],
  [0.99, 13, 3.012],
  [0.95, 30, 2.042],
  [0.99, 1000, 2.581],
])('%d of the distribution with %d degrees of freedom lie within %d', (confidence, degrees, t) => {
  expect(studentQuantile(confidence, degrees)).toBeCloseTo(t, 3);
});

test('more confidence is wider, more degrees are narrower', () => {
  expect(studentQuantile(0.99, 9)).toBeGreaterThan(studentQuantile(0.95, 9));
  expect(studentQuantile(0.95, 9)).toBeGreaterThan(studentQuantile(0.95, 9.5));
});
