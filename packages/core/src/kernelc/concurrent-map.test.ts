import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { concurrentMap } from './concurrent-map.js';

describe('concurrentMap', () => {
  it('keeps the order of the items and never runs more than the limit', async () => {
    let under = 0;
    let most = 0;
    const results = await concurrentMap([5, 1, 4, 2, 3], 2, async (ms) => {
      most = Math.max(most, ++under);
      await wait(ms);
      under--;
      return ms * 10;
    });
    expect(results.map((result) => result.status === 'fulfilled' && result.value)).toEqual([
      50, 10, 40, 20, 30,
    ]);
    expect(most).toBe(2);
  });

  it('goes on after a failure, thrown or rejected', async () => {
    const results = await concurrentMap(['a', 'b', 'c'], 1, (item): Promise<string> => {
      if (item === 'a') throw new Error('thrown');
      return item === 'b' ? Promise.reject(new Error('rejected')) : Promise.resolve(item);
    });
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  });

  it('takes no items', async () => {
    expect(await concurrentMap([], 4, async () => 1)).toEqual([]);
  });
});
