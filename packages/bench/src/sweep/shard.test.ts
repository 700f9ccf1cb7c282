import { expect, test } from 'vitest';
import { inShard, parseShard } from './shard.js';

const ids = Array.from({ length: 3000 }, (_, i) => `k07_bm${i}_bn${(i * 7) % 128}`);

test('every variant is in exactly one shard, and shards are of about one size', () => {
  for (const count of [1, 2, 7]) {
    const shards = Array.from({ length: count }, (_, i) =>
      ids.filter((id) => inShard(id, { index: i + 1, count })),
    );
    expect(shards.flat().sort()).toEqual([...ids].sort());
    for (const shard of shards) expect(Math.abs(shard.length - 3000 / count)).toBeLessThan(150);
  }
});

test('a variant stays where it is, whatever else there is', () => {
  // By `printf k07 | sha256sum`: a shard that was swept before an update must still be that shard after it.
  const shardOf = (id: string) => [1, 2, 3, 4, 5].find((index) => inShard(id, { index, count: 5 }));
  expect(['k07', 'k12_bm256', 'k50_bm8_bn8_nodeep', 'k03'].map(shardOf)).toEqual([2, 3, 1, 3]);
});

test('shards are counted from 1', () => {
  expect(parseShard('2/8')).toEqual({ index: 2, count: 8 });
  for (const wrong of ['0/4', '5/4', '1', '1/0', 'a/b', '1/99999', '-1/2'])
    expect(() => parseShard(wrong), wrong).toThrow(/written like 2\/8/);
});
