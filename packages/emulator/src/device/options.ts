import { availableParallelism } from 'node:os';
import { ArgumentError, checkOptionsObject, type DeviceOptions, shown } from '@ffma/core';
import { type ProfileName, profiles } from './profiles.js';

export interface EmulatorOptions extends DeviceOptions {
  /** GPU whose limits and architecture are emulated. Default `h200`. */
  readonly profile?: ProfileName;
  /** Worker threads, 1 to 256. Default: one a core. */
  readonly workers?: number;
  /** Memory checks: unallocated memory, uninitialised reads. Range and alignment are always checked. Default true. */
  readonly checks?: boolean;
  /** Counts instructions and sectors; see `takeProfiles`. Default false. */
  readonly counters?: boolean;
  /**
   * How exact FMAs are computed; the bits are the same. `relaxed` needs relaxed SIMD in the engine and a
   * processor that fuses (in Node 20 it sets a process-wide V8 flag); `f64` works everywhere. Default `auto`:
   * relaxed where it is already enabled and fuses.
   */
  readonly fma?: 'auto' | 'relaxed' | 'f64';
  /** Keep translated kernels on disk, in the cache folder of ffma. Default true. */
  readonly cache?: boolean;
}

function refuse(name: string, value: unknown, rule: string): never {
  throw new ArgumentError(`The emulator option ${name} must be ${rule}, but is ${shown(value)}.`);
}

/** Fills in defaults. @throws ArgumentError for unknown options and values */
export function checkedOptions(options: EmulatorOptions): Required<
  Omit<EmulatorOptions, keyof DeviceOptions>
> & {
  profile: ProfileName;
  workers: number;
  checks: boolean;
  counters: boolean;
  fma: 'auto' | 'relaxed' | 'f64';
  cache: boolean;
} {
  checkOptionsObject('an emulator', options);
  const {
    profile = 'h200',
    workers = availableParallelism(),
    checks = true,
    counters = false,
    fma = 'auto',
    cache = true,
    ...unknown
  } = options;
  const [name] = Object.keys(unknown);
  if (name !== undefined) {
    throw new ArgumentError(
      `The emulator has no option '${name}'; it has profile, workers, checks, counters, fma, cache.`,
    );
  }
  if (!Object.hasOwn(profiles, profile))
    refuse('profile', profile, `one of ${Object.keys(profiles).join(', ')}`);
  if (!Number.isInteger(workers) || workers < 1 || workers > 256)
    refuse('workers', workers, 'an integer in 1..256');
  if (typeof checks !== 'boolean') refuse('checks', checks, 'a boolean');
  if (typeof counters !== 'boolean') refuse('counters', counters, 'a boolean');
  if (typeof cache !== 'boolean') refuse('cache', cache, 'a boolean');
  if (!['auto', 'relaxed', 'f64'].includes(fma)) refuse('fma', fma, "'auto', 'relaxed' or 'f64'");
  return { profile, workers, checks, counters, fma, cache };
}
