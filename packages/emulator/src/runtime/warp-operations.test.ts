import { describe, expect, test } from 'vitest';
import { shuffleSource } from './warp-operations.js';

describe('shuffleSource', () => {
  test.each([
    // How, lane, by, clamp and segment, source, valid.
    ['up', 5, 2, 0, 3, true],
    ['up', 1, 2, 0, 1, false],
    ['up', 17, 2, 0x1000, 17, false],
    ['down', 30, 1, 31, 31, true],
    ['down', 31, 1, 31, 31, false],
    ['down', 14, 2, 0x101f, 14, false],
    ['bfly', 3, 16, 31, 19, true],
    ['bfly', 3, 16, 0x101f, 3, false],
    ['bfly', 20, 5, 31, 17, true],
    ['idx', 7, 40, 31, 8, true],
    ['idx', 27, 3, 0x181f, 27, true],
    ['idx', 12, 20, 15, 12, false],
  ] as const)('.%s of lane %i by %i, %i: lane %i', (how, own, by, c, lane, valid) => {
    expect(shuffleSource(how, own, by, c)).toEqual({ lane, valid });
  });
});
