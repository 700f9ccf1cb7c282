import type { DeviceLimits } from '@ffma/core';

/** A GPU whose limits and architecture are emulated. */
export interface DeviceProfile {
  /** What the emulated device is called. */
  readonly title: string;
  readonly arch: string;
  readonly limits: DeviceLimits;
}

/** By the name that `EmulatorOptions.profile` takes. Figures: CUDA C++ Programming Guide, "Compute Capabilities". */
export const profiles = {
  h200: {
    title: 'H200',
    arch: 'sm_90',
    limits: {
      smCount: 132,
      warpSize: 32,
      maxThreadsPerBlock: 1024,
      maxThreadsPerSm: 2048,
      maxBlocksPerSm: 32,
      registersPerSm: 65536,
      sharedBytesPerSm: 233472,
      sharedBytesPerBlock: 49152,
      sharedBytesPerBlockOptin: 232448,
      sharedBytesReservedPerBlock: 1024,
      maxBlockDim: [1024, 1024, 64],
      maxGridDim: [2 ** 31 - 1, 65535, 65535],
      l2Bytes: 62914560,
    },
  },
} as const satisfies Record<string, DeviceProfile>;

export type ProfileName = keyof typeof profiles;
