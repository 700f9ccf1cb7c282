import { expect, test } from 'vitest';
import { UsageError } from '../usage-error.js';
import { parseProduct, parseSize, parseSizes, sameSize, sizeText } from './sizes.js';

test('sizes are cubes or m×n×k', () => {
  expect(parseSizes('256, 1024x512x64,3×2×1')).toEqual([
    { m: 256, n: 256, k: 256 },
    { m: 1024, n: 512, k: 64 },
    { m: 3, n: 2, k: 1 },
  ]);
});

test('a batch is b and a number before its size; a batch of one is none', () => {
  expect(parseSizes('b8x256,B16×1024×512×64,b1x5')).toEqual([
    { m: 256, n: 256, k: 256, batch: 8 },
    { m: 1024, n: 512, k: 64, batch: 16 },
    { m: 5, n: 5, k: 5 },
  ]);
  expect(sameSize(parseSize('b1x5'), parseSize('5'))).toBe(true);
  expect(sameSize(parseSize('b2x5'), parseSize('5'))).toBe(false);
});

test.each(['7', '7x8x9', 'b3x7', 'b3x7x8x9'])('%s is written as it is read', (text) => {
  expect(sizeText(parseSize(text))).toBe(text);
});

test.each(['b8', 'b0x4', 'b257x4', 'bx4', 'b2x3x4', '8xb4'])('%j is refused as a batch', (text) => {
  expect(() => parseSize(text)).toThrow(UsageError);
});

test.each(['', '12x', '1x2', '0', '-4', '1e3', '4x4x4x4', '2147483648', '16,'])('%j is refused', (text) => {
  expect(() => parseSizes(text)).toThrow(UsageError);
});

test('where one product is meant a batch is refused with one of its products', () => {
  expect(parseProduct('b1x8')).toEqual({ m: 8, n: 8, k: 8 });
  expect(() => parseProduct('b4x8x9x10')).toThrow(
    "Batches are timed by ffma bench, but not here, and 'b4x8x9x10' is one. Use one of its products: 8x9x10.",
  );
});
