import { expect, test } from 'vitest';
import { SectorCache } from './sector-cache.js';

const sectors = (count: number, step = 1) => Array.from({ length: count }, (_, i) => i * step);

test('a line is there sector by sector', () => {
  const cache = new SectorCache(1024, 4);
  expect([0, 0, 1, 1, 0].map((sector) => cache.read(sector))).toEqual([false, true, false, true, true]);
});

test('what fits stays, what does not goes, the least recently used first', () => {
  // One set of four lines.
  const cache = new SectorCache(512, 4);
  for (const sector of sectors(4, 4)) expect(cache.read(sector)).toBe(false);
  expect(cache.read(0)).toBe(true);
  expect(cache.read(16)).toBe(false);
  // Line 1 made room, not line 0, which had been read again.
  expect(cache.read(0)).toBe(true);
  expect(cache.read(4)).toBe(false);
});

test('a loop over more than the cache holds hits nothing; over half of it, everything', () => {
  const cache = new SectorCache(64 * 128, 64);
  const hits = (list: readonly number[]) => list.filter((sector) => cache.read(sector)).length;
  const large = sectors(65 * 4);
  expect([hits(large), hits(large)]).toEqual([0, 0]);
  const small = new SectorCache(64 * 128, 64);
  const half = sectors(32 * 4);
  expect(half.filter((sector) => small.read(sector))).toEqual([]);
  expect(half.filter((sector) => small.read(sector))).toHaveLength(128);
});

test('rows a power of two apart do not meet in one set', () => {
  const cache = new SectorCache(2 ** 20, 16);
  const column = sectors(1024, 4096 / 32);
  for (const sector of column) cache.read(sector);
  expect(column.filter((sector) => cache.read(sector)).length).toBeGreaterThan(1000);
});

test('writes fetch nothing, are read back, and go to memory when they are evicted', () => {
  const cache = new SectorCache(512, 4);
  expect(cache.write(3)).toBe(false);
  expect(cache.write(3)).toBe(true);
  expect(cache.read(3)).toBe(true);
  expect([cache.dirty, cache.writtenBack]).toEqual([1, 0]);
  for (const sector of sectors(4, 4)) cache.read(sector + 16);
  expect([cache.dirty, cache.writtenBack]).toEqual([0, 1]);
});

test('the smallest cache is a line', () => {
  const cache = new SectorCache(1, 16);
  expect([0, 1, 0, 4, 0].map((sector) => cache.read(sector))).toEqual([false, false, true, false, false]);
});
