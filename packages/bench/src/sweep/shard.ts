import { createHash } from 'node:crypto';
import { UsageError } from '../usage-error.js';

/** One part of a space: `index` from 1 to `count`. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

const MOST_SHARDS = 10_000;

/** `2/8` → the second of eight. @throws UsageError */
export function parseShard(text: string): Shard {
  const [, index = 0, count = 0] = (/^(\d{1,5})\/(\d{1,5})$/.exec(text.trim()) ?? []).map(Number);
  if (!(count >= 1 && count <= MOST_SHARDS && index >= 1 && index <= count))
    throw new UsageError(
      `A shard is written like 2/8, each from 1 on, the first at most the second, but is '${text}'.`,
    );
  return { index, count };
}

/** An integer below 2^32 that depends on the text alone. */
export function hashOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0);
}

/** Whether a variant is in a shard: by its id alone, so that it stays there when the space grows. */
export function inShard(id: string, { index, count }: Shard): boolean {
  return hashOf(id) % count === index - 1;
}

export const shardText = ({ index, count }: Shard) => `${index}/${count}`;
