import { KernelFaultError } from '@ffma/core';
import { expect, test } from 'vitest';
import { matrixLayout } from '../data/matrix-image.js';
import { matrixPlace } from './matrix-place.js';

const BASE = 0x7f00_0000_1000n;
const layout = matrixLayout('c', 3, 5, 8, { guards: 'none' });
const matrices = [{ layout, address: BASE }];
const at = (bytes: number) =>
  new KernelFaultError('out-of-bounds', 'Out of bounds.', {
    kernel: 'k',
    address: `0x${(BASE + BigInt(bytes)).toString(16)}, somewhere`,
  });

test.each([
  [0, 'That is row 0, column 0 of C (3×5).'],
  [4 * (2 * 8 + 4), 'That is row 2, column 4 of C (3×5).'],
  [4 * (8 + 5), 'That is row 1, column 5 of C (3×5), past the end of the row.'],
  [4 * (3 * 8 - 3), 'That is row 2, column 5 of C (3×5), past the end of the row.'],
  [4 * (3 * 8 + 1), 'That is row 3, column 1 of C (3×5), past its last row.'],
  [-8, 'That is 2 elements before the first element of C (3×5).'],
  [4 * 100, undefined],
])('byte %i', (bytes, sentence) => {
  expect(matrixPlace(at(bytes), matrices)).toBe(sentence);
});

test('a band in front is before the first element', () => {
  const banded = [{ layout: matrixLayout('a', 3, 5, 8), address: BASE }];
  expect(matrixPlace(at(4 * 256), banded)).toBe('That is row 0, column 0 of A (3×5).');
  expect(matrixPlace(at(4 * 255), banded)).toBe('That is just before the first element of A (3×5).');
});

test('what names no address of global memory', () => {
  const shared = new KernelFaultError('race', 'Race.', { kernel: 'k', address: 'byte 0 of the 64 bytes' });
  for (const error of [shared, new Error('0x7f0000001000'), undefined])
    expect(matrixPlace(error, matrices)).toBeUndefined();
});
