import type { DeviceLimits } from '@ffma/core';

/** Compute capability 9.0, as an H200 states it. */
export const hopper: DeviceLimits = {
  smCount: 132,
  warpSize: 32,
  maxThreadsPerBlock: 1024,
  maxThreadsPerSm: 2048,
  maxBlocksPerSm: 32,
  registersPerSm: 65_536,
  sharedBytesPerSm: 233_472,
  sharedBytesPerBlock: 49_152,
  sharedBytesPerBlockOptin: 232_448,
  sharedBytesReservedPerBlock: 1024,
  maxBlockDim: [1024, 1024, 64],
  maxGridDim: [2 ** 31 - 1, 65_535, 65_535],
  l2Bytes: 60 * 2 ** 20,
};
