import type { Environment } from '../compile/find-executable.js';
import { UnavailableError } from '../errors.js';
import type { LibraryReport, NativeBinding } from './binding.js';
import { libraries, libraryCandidates } from './library-paths.js';
import { missingLibrary } from './missing-library.js';

const emulator = "Use openDevice('emulator'), which runs the same kernels on the CPU.";

/** 13000 as `13.0`. */
export function cudaVersion(version: number): string {
  return `${Math.floor(version / 1000)}.${Math.floor((version % 1000) / 10)}`;
}

/** Why no candidate would do, as one sentence. */
function reasonOf({ attempts }: LibraryReport, oldest: number, env: Environment): string {
  const old = attempts.find(({ problem }) => problem === 'incomplete');
  if (old !== undefined) {
    return (
      `The NVIDIA driver is too old: ${old.path} has no function ${old.reason}, ` +
      `as drivers for CUDA ${cudaVersion(oldest)} and newer have.`
    );
  }
  const why = missingLibrary(libraries.cuda, attempts, env);
  return attempts.some(({ problem }) => problem === 'broken')
    ? `The NVIDIA driver's library ${why}.`
    : `There is no NVIDIA driver on this machine: ${why}.`;
}

/** Opens the driver and starts it. @returns its CUDA version. @throws UnavailableError with one sentence why not */
export function openDriver(
  binding: NativeBinding,
  env: Environment = process.env,
): { version: number; path: string } {
  const report = binding.openLibrary('cuda', libraryCandidates(libraries.cuda, env));
  const oldest = binding.oldestDriver;
  if (!report.found || report.path === undefined) {
    throw new UnavailableError(reasonOf(report, oldest, env), {
      remedy: report.attempts.some(({ problem }) => problem === 'incomplete')
        ? `Install a driver for CUDA ${cudaVersion(oldest)} or newer.`
        : emulator,
      details: { attempts: report.attempts.map(({ path, problem, reason }) => ({ path, problem, reason })) },
    });
  }
  const version = Number(report.version);
  if (version < oldest) {
    throw new UnavailableError(
      `The NVIDIA driver is too old: it is for CUDA ${cudaVersion(version)}, but ${cudaVersion(oldest)} is needed.`,
      { remedy: `Install a driver for CUDA ${cudaVersion(oldest)} or newer.` },
    );
  }
  return { version, path: report.path };
}
