import {
  type Derived,
  type GemmProblem,
  type PlanDevice,
  type Resources,
  type Rule,
  residentBlocks,
} from '@ffma/core';
import type { WarpTiles } from '@ffma/core/tiles';

/** What decides how many blocks a persistent kernel is launched with, and how much each has to do. */
export interface StreamParams extends WarpTiles {
  /** Most blocks on a multiprocessor; 0: as many as fit. */
  readonly BLOCKS_PER_SM: number;
  /** Whether tiles are computed whole while there are enough for all blocks. Else all are shared. */
  readonly HYBRID: boolean;
}

/** What BLOCKS_PER_SM may be. */
export const boundedBlocks: Rule<{ readonly BLOCKS_PER_SM: number }> = {
  sentence: 'BLOCKS_PER_SM is the most blocks on a multiprocessor, or 0 for as many as fit',
  holds: ({ BLOCKS_PER_SM }) => BLOCKS_PER_SM >= 0,
};

export interface Stream {
  /** Blocks, never more than are resident at a time. */
  readonly blocks: number;
  /** Tiles of C. */
  readonly tiles: number;
  /** Tiles that are computed whole, as many by each block; all of them where k is 0. */
  readonly whole: number;
  /** Most blocks that share one tile, and therefore partial sums of an element. */
  readonly shares: number;
}

/**
 * How a problem is dealt out to the blocks that a device can hold.
 * @throws UnsupportedError naming the limits of the device where it holds none
 */
export function streamOf(
  { m, n, k }: GemmProblem,
  p: StreamParams,
  figures: Derived,
  { limits }: PlanDevice,
  { main: { registers, sharedBytes, estimated } }: Resources,
): Stream {
  const fitting = residentBlocks(
    `${p.BM}×${p.BN}×${p.BK} tiles`,
    {
      threads: figures.threads,
      registersPerThread: registers,
      estimated,
      sharedBytes: sharedBytes + (figures.dynamicSharedBytes ?? 0),
    },
    limits,
  );
  const resident = p.BLOCKS_PER_SM > 0 ? Math.min(p.BLOCKS_PER_SM, fitting) : fitting;
  const tiles = (m / p.BM) * (n / p.BN);
  const chunks = k / p.BK;
  const blocks = Math.max(1, Math.min(resident * limits.smCount, tiles * Math.max(1, chunks)));
  // Without chunks there is nothing to share: C is what it was, times beta, tile by tile.
  const shared = p.HYBRID ? tiles % blocks : tiles;
  const whole = chunks === 0 ? tiles : tiles - shared;
  const line = (tiles - whole) * chunks;
  // A tile is cut where a share ends in it: the shortest share is the whole part of line / blocks.
  const shortest = Math.max(1, Math.floor(line / blocks));
  return {
    blocks,
    tiles,
    whole,
    shares: line === 0 ? 1 : Math.min(chunks, Math.ceil(chunks / shortest) + 1),
  };
}
