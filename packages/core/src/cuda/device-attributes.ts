import type { DeviceLimits } from '../device/limits.js';

/** CUdevice_attribute numbers. */
export const deviceAttributes = {
  maxThreadsPerBlock: 1,
  maxBlockDimX: 2,
  maxBlockDimY: 3,
  maxBlockDimZ: 4,
  maxGridDimX: 5,
  maxGridDimY: 6,
  maxGridDimZ: 7,
  sharedBytesPerBlock: 8,
  warpSize: 10,
  clockRateKHz: 13,
  smCount: 16,
  eccEnabled: 32,
  memoryClockRateKHz: 36,
  memoryBusBits: 37,
  l2Bytes: 38,
  maxThreadsPerSm: 39,
  computeCapabilityMajor: 75,
  computeCapabilityMinor: 76,
  sharedBytesPerSm: 81,
  registersPerSm: 82,
  sharedBytesPerBlockOptin: 97,
  maxBlocksPerSm: 106,
  sharedBytesReservedPerBlock: 111,
  memoryPools: 115,
  clusterLaunch: 120,
} as const;

export type DeviceAttributes = { readonly [name in keyof typeof deviceAttributes]: number };

/** Values by name, from values in the order of the numbers above. */
export function namedAttributes(values: readonly number[]): DeviceAttributes {
  const names = Object.keys(deviceAttributes);
  return Object.fromEntries(names.map((name, i) => [name, values[i]])) as DeviceAttributes;
}

export function limitsOf(attributes: DeviceAttributes): DeviceLimits {
  const { maxBlockDimX, maxBlockDimY, maxBlockDimZ, maxGridDimX, maxGridDimY, maxGridDimZ } = attributes;
  return {
    smCount: attributes.smCount,
    warpSize: attributes.warpSize,
    maxThreadsPerBlock: attributes.maxThreadsPerBlock,
    maxThreadsPerSm: attributes.maxThreadsPerSm,
    maxBlocksPerSm: attributes.maxBlocksPerSm,
    registersPerSm: attributes.registersPerSm,
    sharedBytesPerSm: attributes.sharedBytesPerSm,
    sharedBytesPerBlock: attributes.sharedBytesPerBlock,
    sharedBytesPerBlockOptin: attributes.sharedBytesPerBlockOptin,
    sharedBytesReservedPerBlock: attributes.sharedBytesReservedPerBlock,
    maxBlockDim: [maxBlockDimX, maxBlockDimY, maxBlockDimZ],
    maxGridDim: [maxGridDimX, maxGridDimY, maxGridDimZ],
    l2Bytes: attributes.l2Bytes,
  };
}
