/** What a device can do: the figures that plans, launch checks and the occupancy formula use. */
export interface DeviceLimits {
  /** Streaming multiprocessors. */
  readonly smCount: number;
  readonly warpSize: number;
  readonly maxThreadsPerBlock: number;
  readonly maxThreadsPerSm: number;
  readonly maxBlocksPerSm: number;
  /** 32-bit registers per SM. */
  readonly registersPerSm: number;
  /** Shared memory of one SM, in bytes. */
  readonly sharedBytesPerSm: number;
  /** Static plus dynamic shared memory a block may use without opting in, in bytes. */
  readonly sharedBytesPerBlock: number;
  /** The same after opting in, in bytes. */
  readonly sharedBytesPerBlockOptin: number;
  /** Shared memory the system keeps per resident block, in bytes. */
  readonly sharedBytesReservedPerBlock: number;
  readonly maxBlockDim: Dim3;
  readonly maxGridDim: Dim3;
  readonly l2Bytes: number;
}

/** A grid, block or cluster extent: x, y, z; each at least 1. */
export type Dim3 = readonly [x: number, y: number, z: number];

export interface MemInfo {
  /** Bytes that can still be allocated. */
  readonly free: number;
  /** Bytes of device memory in all. */
  readonly total: number;
}
