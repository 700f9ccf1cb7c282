import type { NativeBinding } from './binding.js';
import { type DeviceAttributes, deviceAttributes, namedAttributes } from './device-attributes.js';
import { cudaVersion } from './driver.js';
import { driverRelease } from './nvml.js';

/** What tells one GPU from another. */
export interface CudaDeviceProperties {
  /** Number among the visible GPUs. */
  readonly index: number;
  readonly name: string;
  /** `GPU-xxxxxxxx-…`, the same whatever is visible. */
  readonly uuid: string;
  readonly computeCapability: readonly [major: number, minor: number];
  readonly totalBytes: number;
  readonly attributes: DeviceAttributes;
  /** CUDA version of the driver, e.g. `13.0`. */
  readonly cudaVersion: string;
  /** The driver's own version, e.g. `580.159.04`; undefined without NVML. */
  readonly driverVersion: string | undefined;
}

export function readProperties(binding: NativeBinding, index: number, version: number): CudaDeviceProperties {
  const { name, uuid, totalBytes, attributes } = binding.deviceInfo(index, Object.values(deviceAttributes));
  const named = namedAttributes(attributes);
  return {
    index,
    name,
    uuid,
    computeCapability: [named.computeCapabilityMajor, named.computeCapabilityMinor],
    totalBytes,
    attributes: named,
    cudaVersion: cudaVersion(version),
    driverVersion: driverRelease(binding),
  };
}
