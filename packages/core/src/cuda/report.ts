import { FfmaError } from '../errors.js';
import type { NativeBinding } from './binding.js';
import { type CudaDeviceProperties, readProperties } from './device-properties.js';
import { cudaVersion, openDriver } from './driver.js';
import { libraries, libraryCandidates } from './library-paths.js';
import { addon } from './loader.js';
import { missingLibrary } from './missing-library.js';

/** A part that may be missing: where it is, or the sentence that says why it is not there. */
export type Part =
  | { readonly available: true; readonly path: string; readonly version: string }
  | { readonly available: false; readonly reason: string };

/** What there is of CUDA on this machine. */
export interface CudaReport {
  readonly addon: Part;
  readonly driver: Part;
  readonly nvrtc: Part;
  readonly nvml: Part;
  /** Every visible GPU; empty where the driver does not start. */
  readonly devices: readonly CudaDeviceProperties[];
}

function part(find: () => { path: string; version: string }): Part {
  try {
    return { available: true, ...find() };
  } catch (error) {
    if (!(error instanceof FfmaError)) throw error;
    return { available: false, reason: error.message };
  }
}

function library(binding: NativeBinding, which: 'nvrtc' | 'nvml'): Part {
  const { found, path, version, attempts } = binding.openLibrary(which, libraryCandidates(libraries[which]));
  if (!found || path === undefined) {
    const why = missingLibrary(libraries[which], attempts);
    return { available: false, reason: `${why[0]?.toUpperCase()}${why.slice(1)}.` };
  }
  return {
    available: true,
    path,
    version: typeof version === 'number' ? cudaVersion(version) : (version ?? 'unknown'),
  };
}

/** Looks for everything, throws nothing, and opens no device. */
export function cudaReport(): CudaReport {
  const addonPart = part(() => {
    const { path, binding } = addon();
    return { path, version: `interface ${binding.interfaceVersion}` };
  });
  if (!addonPart.available) {
    const missing: Part = {
      available: false,
      reason: 'It is reached through the CUDA addon, which is not there.',
    };
    return { addon: addonPart, driver: missing, nvrtc: missing, nvml: missing, devices: [] };
  }
  const { binding } = addon();
  let devices: CudaDeviceProperties[] = [];
  const driver = part(() => {
    const { path, version } = openDriver(binding);
    devices = Array.from({ length: binding.deviceCount() }, (_, index) =>
      readProperties(binding, index, version),
    );
    return { path, version: `CUDA ${cudaVersion(version)}` };
  });
  return {
    addon: addonPart,
    driver,
    nvrtc: library(binding, 'nvrtc'),
    nvml: library(binding, 'nvml'),
    devices,
  };
}
