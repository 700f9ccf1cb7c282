import { describe, expect, it } from 'vitest';
import { someSchedules } from './schedule.js';
import { blockOrder, TurnOrder } from './turn-order.js';

const ascending = (count: number) => Array.from({ length: count }, (_, i) => i);
const sorted = (list: readonly number[]) => [...list].sort((a, b) => a - b);

describe.each(someSchedules(9))('$order, seed $seed', (schedule) => {
  it('starts each block once', () => {
    const at = blockOrder(schedule, 130);
    expect(sorted(ascending(130).map(at))).toEqual(ascending(130));
  });

  it('gives each warp and each group one turn of a turn', () => {
    for (const warps of [1, 2, 3, 8, 32]) {
      const order = new TurnOrder(schedule, warps);
      order.start(7);
      for (let turn = 0; turn < 20; turn++) {
        order.next();
        expect(sorted(ascending(warps).map((i) => order.warp(i)))).toEqual(ascending(warps));
        for (const groups of [1, 5, 8]) {
          expect(sorted(ascending(groups).map((i) => order.group(i, groups)))).toEqual(ascending(groups));
        }
      }
    }
  });
});

describe('orders', () => {
  const turns = (order: 'random' | 'adversarial', seed: number, block: number) => {
    const of = new TurnOrder({ order, seed }, 8);
    of.start(block);
    return ascending(6).map(() => {
      of.next();
      return ascending(8)
        .map((i) => of.warp(i))
        .join('');
    });
  };

  it.each(['random', 'adversarial'] as const)('%s differs by turn, block and seed, and repeats', (order) => {
    expect(turns(order, 3, 0)).toEqual(turns(order, 3, 0));
    expect(turns(order, 3, 0)).not.toEqual(turns(order, 4, 0));
    expect(turns(order, 3, 0)).not.toEqual(turns(order, 3, 1));
    expect(new Set(turns(order, 3, 0)).size).toBeGreaterThan(2);
  });

  it('adversarial: one first, the others from the highest down', () => {
    for (const turn of turns('adversarial', 5, 2)) {
      const [first, ...rest] = turn;
      expect(rest.join('')).toBe('76543210'.replace(first!, ''));
    }
  });

  it('reverse: the highest block and warp first', () => {
    const of = new TurnOrder({ order: 'reverse' }, 4);
    of.next();
    expect(ascending(4).map((i) => of.warp(i))).toEqual([3, 2, 1, 0]);
    expect(blockOrder({ order: 'reverse' }, 10)(0)).toBe(9);
    expect(blockOrder(undefined, 10)(3)).toBe(3);
  });
});
