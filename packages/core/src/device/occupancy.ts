import type { DeviceLimits } from './limits.js';

/** Which resource keeps another block from fitting on the multiprocessor. */
export type OccupancyLimit = 'threads' | 'blocks' | 'registers' | 'shared';

export interface Occupancy {
  /** Blocks resident on one multiprocessor. */
  readonly blocksPerSm: number;
  readonly warpsPerSm: number;
  /** Resident warps ÷ the most there can be. */
  readonly share: number;
  /** Blocks that each resource alone would allow. */
  readonly allows: Readonly<Record<OccupancyLimit, number>>;
  /** What holds it back, tightest; several where they tie. */
  readonly limitedBy: readonly OccupancyLimit[];
}

/** What a launch takes of a multiprocessor, for each block. */
export interface BlockResources {
  readonly threads: number;
  readonly registersPerThread: number;
  /** Static plus dynamic, in bytes; what the system reserves for a block (1 KiB from sm_80 on) comes on top. */
  readonly sharedBytes: number;
}

// The units in which a multiprocessor of compute capability 8.0 to 10.x hands out its resources (the "Limits"
// sheet of NVIDIA's CUDA Occupancy Calculator): registers by warp, warps by the four schedulers, shared memory.
const REGISTER_UNIT = 256;
const WARP_UNIT = 4;
const SHARED_UNIT = 128;

const up = (value: number, unit: number) => Math.ceil(value / unit) * unit;
const down = (value: number, unit: number) => Math.floor(value / unit) * unit;

/**
 * Resident blocks and warps by the formula of the CUDA Occupancy Calculator (compute capability 8.0 and up): what the
 * driver's own query gives, asked without a driver, so that the plan of a persistent kernel can count on it.
 * A block that does not fit at all has 0 blocks.
 */
export function occupancyOf(block: BlockResources, limits: DeviceLimits): Occupancy {
  const warpsPerBlock = Math.ceil(block.threads / limits.warpSize);
  const maxWarps = Math.floor(limits.maxThreadsPerSm / limits.warpSize);
  const warpRegisters = up(Math.max(1, block.registersPerThread) * limits.warpSize, REGISTER_UNIT);
  const warpsByRegisters = down(Math.floor(limits.registersPerSm / warpRegisters), WARP_UNIT);
  const blockShared = up(block.sharedBytes + limits.sharedBytesReservedPerBlock, SHARED_UNIT);
  const fits =
    block.threads <= limits.maxThreadsPerBlock && block.sharedBytes <= limits.sharedBytesPerBlockOptin;
  const allows = {
    threads: Math.floor(maxWarps / warpsPerBlock),
    blocks: limits.maxBlocksPerSm,
    registers: Math.floor(warpsByRegisters / warpsPerBlock),
    shared: blockShared === 0 ? limits.maxBlocksPerSm : Math.floor(limits.sharedBytesPerSm / blockShared),
  };
  const blocksPerSm = fits ? Math.min(...Object.values(allows)) : 0;
  return {
    blocksPerSm,
    warpsPerSm: blocksPerSm * warpsPerBlock,
    share: (blocksPerSm * warpsPerBlock) / maxWarps,
    allows,
    limitedBy: (Object.keys(allows) as OccupancyLimit[]).filter(
      (name) => allows[name] === Math.min(...Object.values(allows)),
    ),
  };
}
