import { expect, test } from 'vitest';
import { shown } from './shown.js';

test.each([
  ['4', "'4'"],
  ['x'.repeat(50), `'${'x'.repeat(39)}…'`],
  [1.5, '1.5'],
  [16n, '16n'],
  [null, 'null'],
  [undefined, 'undefined'],
  [true, 'true'],
  [Symbol('x'), 'Symbol(x)'],
  [{}, 'an object'],
  [Object.create(null), 'an object'],
  [[1], 'an Array'],
  [new ArrayBuffer(1), 'an ArrayBuffer'],
  [new Map(), 'a Map'],
  [() => 1, 'a function'],
])('%o is shown as %s', (value, text) => {
  expect(shown(value)).toBe(text);
});
