import { FfmaError, type FfmaErrorOptions, UnavailableError } from '@ffma/core';

/** Counters of the GPU are kept from this user. */
export class ProfilerPermissionError extends UnavailableError {
  constructor(output: string) {
    super('Nsight Compute may not read the counters of this GPU (ERR_NVGPUCTRPERM).', {
      remedy:
        'Run as root (in a container also with --cap-add=SYS_ADMIN), or let every user read them: set ' +
        'NVreg_RestrictProfilingToAdminUsers=0 for the nvidia kernel module and reboot; see ' +
        'https://developer.nvidia.com/ERR_NVGPUCTRPERM.',
      native: 'ERR_NVGPUCTRPERM',
      details: { output },
    });
  }
}

/** ncu is there, but this machine does not let it work. */
export class ProfilerBlockedError extends UnavailableError {}

/** ncu ended without figures of a launch, for a reason that may be of that launch alone. */
export class ProfilerFailedError extends FfmaError {
  constructor(message: string, options?: FfmaErrorOptions) {
    super('FFMA_UNSUPPORTED', message, options);
  }
}

/** ncu printed something that is not understood. */
export class ProfilerOutputError extends FfmaError {
  constructor(fault: string, options: FfmaErrorOptions = {}) {
    super('FFMA_UNSUPPORTED', `What Nsight Compute printed is not understood: ${fault}.`, {
      remedy: 'It was written for the raw page of ncu 2022.2 to 2025.3.',
      ...options,
    });
  }
}

/** ncu does not have metrics that were asked of it. */
export class UnknownMetricsError extends ProfilerFailedError {
  readonly metrics: readonly string[];
  constructor(metrics: readonly string[], output: string) {
    super(`This ncu does not have ${metrics.join(', ')}.`, { details: { metrics, output } });
    this.metrics = metrics;
  }
}

/** As much of it as a sentence can hold: what ncu marks as its errors, else its last lines. */
function gist(output: string): string {
  const lines = output.split(/\r?\n/).filter((line) => line.trim() !== '');
  const errors = lines.filter((line) => line.startsWith('==ERROR=='));
  const chosen = (errors.length > 0 ? errors : lines).slice(-3);
  return chosen.map((line) => line.replace(/^==\w+==\s*/, '').trim()).join(' ');
}

const sandboxed = 'LibraryNotLoaded';

/** Whether something else uses the counters, or ncu is older than the driver: both look alike from outside. */
const COUNTERS_TAKEN = /driver resource was unavailable|Unknown Error on device|Failed to prepare kernel/i;

/**
 * What went wrong, from what ncu printed; undefined where nothing did.
 * @param output of ncu, its messages and those of the program
 * @param code its exit code, undefined where a signal ended it
 */
export function profilerFault(
  output: string,
  code: number | undefined,
  signal?: string,
): FfmaError | undefined {
  if (output.includes('ERR_NVGPUCTRPERM')) return new ProfilerPermissionError(output);
  if (output.includes(sandboxed)) {
    return new ProfilerBlockedError(
      `Nsight Compute could not load its libraries into the program that it was to profile (${sandboxed}).`,
      {
        remedy:
          'Sandboxes such as gVisor do not give profilers what they need: profile on the host itself, or in a ' +
          'container of an ordinary runtime.',
        native: sandboxed,
        details: { output },
      },
    );
  }
  const unknown = [...output.matchAll(/Failed to find metric:?\s+(?:regex:)?['"]?([\w.]+)/g)].map(
    ([, name]) => name as string,
  );
  if (unknown.length > 0) return new UnknownMetricsError([...new Set(unknown)], output);
  if (COUNTERS_TAKEN.test(output)) {
    return new ProfilerFailedError(`Nsight Compute could not use the counters: ${gist(output)}`, {
      remedy:
        'Another program may hold them (DCGM: dcgmi profile --pause), or ncu may be older than the driver: take ' +
        'the ncu of the CUDA version that nvidia-smi shows.',
      details: { output },
    });
  }
  if (signal !== undefined)
    return new ProfilerFailedError(`Nsight Compute was ended by ${signal}. ${gist(output)}`.trim(), {
      details: { output },
    });
  if (code !== 0)
    return new ProfilerFailedError(
      `Nsight Compute ended with code ${code}: ${gist(output) || 'it said nothing'}`,
      {
        details: { output },
      },
    );
  if (/No kernels were profiled/i.test(output)) {
    return new ProfilerFailedError(
      'Nsight Compute profiled no launch: none had the name that was asked for.',
      {
        details: { output },
      },
    );
  }
  return undefined;
}
