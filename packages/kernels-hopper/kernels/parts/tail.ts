import {
  ceilDiv,
  type GemmProblem,
  type PlanDevice,
  type Resources,
  type Rule,
  residentBlocks,
} from '@ffma/core';
import { type TiledRing, tiledRingFigures } from './k-major.js';

/** What decides how the work of a persistent kernel is dealt out. */
export interface TailParams extends TiledRing {
  /** Fewest stages of a share, and fewest that sharing must save; 0: no tile is shared. */
  readonly SHARE_STAGES: number;
}

export const sharedOrNot: Rule<{ readonly SHARE_STAGES: number }> = {
  sentence: 'SHARE_STAGES is the fewest stages of a share, or 0 where no tile is shared',
  holds: ({ SHARE_STAGES }) => SHARE_STAGES >= 0,
};

export interface Tail {
  /** Blocks, never more than are resident at a time. */
  readonly blocks: number;
  /** Tiles that are computed whole. The others are fewer than blocks, and all are shared. */
  readonly whole: number;
  /** Blocks that have a share of the tiles that are left, each of at least SHARE_STAGES stages; 0 where none is left. */
  readonly shares: number;
  /** Most blocks that share one tile, and therefore partial sums of an element. */
  readonly parts: number;
}

/**
 * How a problem with products is dealt out to the blocks that a device can hold. The tiles that are left behind full
 * waves are shared by as many blocks as get SHARE_STAGES stages each, if that makes the last wave shorter by as much.
 * @throws UnsupportedError naming the limits of the device where it holds no block
 */
export function tailOf(
  { m, n, k }: GemmProblem,
  p: TailParams,
  { limits }: PlanDevice,
  { main: { registers, sharedBytes, estimated } }: Resources,
): Tail {
  const { threads, dynamicSharedBytes } = tiledRingFigures(p);
  const block = {
    threads,
    registersPerThread: registers,
    estimated,
    sharedBytes: sharedBytes + dynamicSharedBytes,
  };
  const resident = residentBlocks(`${p.BM}×${p.BN}×${p.STEPS} tiles`, block, limits) * limits.smCount;
  const tiles = ceilDiv(m, p.BM) * ceilDiv(n, p.BN);
  const stages = ceilDiv(k, p.STEPS);
  const left = tiles % resident;
  const line = left * stages;
  const shares = p.SHARE_STAGES === 0 ? 0 : Math.min(resident, Math.floor(line / p.SHARE_STAGES));
  const saved = shares === 0 ? 0 : stages - Math.ceil(line / shares);
  if (saved < Math.max(1, p.SHARE_STAGES)) {
    return { blocks: Math.min(resident, tiles), whole: tiles, shares: 0, parts: 1 };
  }
  // A tile is cut where a share begins behind its first stage: one such place every line / shares stages.
  const parts = Math.min(stages, shares, Math.ceil(((stages - 1) * shares) / line) + 1);
  return { blocks: tiles === left ? shares : resident, whole: tiles - left, shares, parts };
}
