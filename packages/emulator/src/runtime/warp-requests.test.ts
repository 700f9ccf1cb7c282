import { describe, expect, test } from 'vitest';
import { WarpRequests } from './warp-requests.js';

/** Requests that were counted, as `site: lanes @ addresses`. */
function collector() {
  const counted: string[] = [];
  const count = (site: number, lanes: number, addresses: Uint32Array) => {
    const taking = [...Array(32).keys()].filter((lane) => lanes & (1 << lane));
    counted.push(`${site}: ${taking.map((lane) => `${lane}@${addresses[lane]}`).join(' ')}`);
  };
  return { counted, count };
}

describe('WarpRequests', () => {
  test('a request is counted when no live lane can join it', () => {
    const { counted, count } = collector();
    const requests = new WarpRequests();
    requests.add(7, 0, 100);
    requests.add(7, 0, 200);
    requests.add(7, 31, 131);
    requests.close(0x80000001 | 0, count);
    expect(counted).toEqual(['7: 0@100 31@131']);
    expect(requests.inStep(0x80000001 | 0)).toBe(false);
    requests.add(7, 31, 231);
    requests.close(0x80000001 | 0, count);
    expect(counted.slice(1)).toEqual(['7: 0@200 31@231']);
    expect(requests.inStep(0x80000001 | 0)).toBe(true);
  });

  test('a lane that has exited is not waited for, one that lags is', () => {
    const { counted, count } = collector();
    const requests = new WarpRequests();
    for (let i = 0; i < 100; i++) requests.add(1, 3, i);
    requests.close(0b1100, count);
    expect(counted).toEqual([]);
    requests.add(1, 2, 55);
    requests.close(0b1100, count);
    expect(counted).toEqual(['1: 2@55 3@0']);
    requests.close(0b1000, count);
    expect(counted).toHaveLength(100);
    expect(counted[99]).toBe('1: 3@99');
  });

  test('sites are apart; in the end all is counted', () => {
    const { counted, count } = collector();
    const requests = new WarpRequests();
    requests.add(1, 0, 4);
    requests.add(2, 1, 8);
    requests.close(3, count);
    expect(counted).toEqual([]);
    requests.close(0, count);
    expect(counted.sort()).toEqual(['1: 0@4', '2: 1@8']);
    expect(requests.inStep(0)).toBe(true);
  });

  test('many open requests, closed a few at a time', () => {
    const { counted, count } = collector();
    const requests = new WarpRequests();
    for (let turn = 0; turn < 50; turn++) {
      for (let i = 0; i < 20; i++) requests.add(0, 0, turn * 20 + i);
      for (let i = 0; i < 19; i++) requests.add(0, 1, turn * 19 + i);
      requests.close(3, count);
    }
    requests.close(0, count);
    const alone = Array.from({ length: 1000 }, (_, i) => (i < 950 ? `0: 0@${i} 1@${i}` : `0: 0@${i}`));
    expect(counted).toEqual(alone);
  });
});
