import { expect, test } from 'vitest';
import { UsageError } from '../usage-error.js';
import { parseSizes } from './sizes.js';

test('sizes are cubes or m×n×k', () => {
  expect(parseSizes('256, 1024x512x64,3×2×1')).toEqual([
    { m: 256, n: 256, k: 256 },
    { m: 1024, n: 512, k: 64 },
    { m: 3, n: 2, k: 1 },
  ]);
});

test.each(['', '12x', '1x2', '0', '-4', '1e3', '4x4x4x4', '2147483648', '16,'])('%j is refused', (text) => {
  expect(() => parseSizes(text)).toThrow(UsageError);
});
