import { UnavailableError } from '../errors.js';
import type { NativeBinding } from './binding.js';
import { libraries, libraryCandidates } from './library-paths.js';
import { missingLibrary } from './missing-library.js';

/** Opens NVIDIA's management library. @returns the driver's version, e.g. `580.159.04`. @throws UnavailableError */
export function openNvml(binding: NativeBinding): string | undefined {
  const { found, version, attempts } = binding.openLibrary('nvml', libraryCandidates(libraries.nvml));
  if (found) return version === undefined ? undefined : String(version);
  const why = missingLibrary(libraries.nvml, attempts);
  throw new UnavailableError(`The clocks cannot be read, because NVML is not there: ${why}.`, {
    remedy: 'It comes with the NVIDIA driver; in a container, add the utility driver capability.',
    details: { attempts: attempts.map(({ path, problem, reason }) => ({ path, problem, reason })) },
  });
}

/** The driver's version where NVML is there, else undefined. */
export function driverRelease(binding: NativeBinding): string | undefined {
  try {
    return openNvml(binding);
  } catch (error) {
    if (error instanceof UnavailableError) return undefined;
    throw error;
  }
}
