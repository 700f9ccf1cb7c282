import { describe, expect, test } from 'vitest';
import { specialShape } from './special-shape.js';

describe('how a thread index differs between the four lanes of a group', () => {
  test.each([
    [64, 1, 1],
    [61, 1, 1],
    [8, 4, 2],
    [12, 3, 1],
    [6, 5, 2],
    [1, 37, 1],
    [2, 2, 2],
    [4, 4, 4],
  ])('%i×%i×%i', (x, y, z) => {
    const threads = x * y * z;
    for (const [dim, of] of [
      ['x', (t: number) => t % x],
      ['y', (t: number) => Math.floor(t / x) % y],
      ['z', (t: number) => Math.floor(t / (x * y))],
    ] as const) {
      const shape = specialShape('tid', dim, [x, y, z]);
      for (let first = 0; first + 4 <= threads; first += 4) {
        const lanes = [0, 1, 2, 3].map((lane) => of(first + lane));
        if (shape.stride !== undefined)
          expect(lanes).toEqual(lanes.map((_, lane) => lanes[0]! + lane * shape.stride!));
        expect(lanes[0]! % 2 ** Math.min(shape.align, 30)).toBe(0);
        if (shape.value !== undefined) expect(BigInt(lanes[0]!)).toBe(shape.value);
      }
    }
  });

  test('it steps by one along x in a block of one row, and in rows of whole groups', () => {
    expect(specialShape('tid', 'x', [61, 1, 1]).stride).toBe(1);
    expect(specialShape('tid', 'x', [16, 16, 1]).stride).toBe(1);
    expect(specialShape('tid', 'y', [16, 16, 1]).stride).toBe(0);
    expect(specialShape('tid', 'x', [6, 5, 2]).stride).toBeUndefined();
  });

  test('extents are known, blocks are shared, and an unknown register may be anything', () => {
    expect(specialShape('ntid', 'y', [8, 4, 2])).toMatchObject({ stride: 0, value: 4n });
    expect(specialShape('ctaid', 'x', [8, 4, 2])).toMatchObject({ stride: 0 });
    expect(specialShape('laneid', undefined, [8, 4, 2]).stride).toBe(1);
    expect(specialShape('lanemask_lt', undefined, [8, 4, 2]).stride).toBeUndefined();
  });
});
