import { availableParallelism } from 'node:os';
import { ArgumentError, checkOptionsObject, type DeviceOptions, shown } from '@ffma/core';
import { ORDERS, type Schedule } from '../runtime/schedule.js';
import { allSanitizers, keepsShadow, SANITIZER_NAMES, type Sanitizers } from '../sanitizers.js';
import { type CounterOptions, checkedCounters, type L2Options } from './counter-options.js';
import { type ProfileName, profiles } from './profiles.js';

export interface EmulatorOptions extends DeviceOptions {
  /** GPU whose limits and architecture are emulated. Default `h200`. */
  readonly profile?: ProfileName;
  /** Worker threads, 1 to 256. Default: one a core. */
  readonly workers?: number;
  /**
   * What is looked for while kernels run: all, some, or with `false` nothing that takes time. What an object leaves out
   * is on. Range, alignment, barriers that never open and copies that nobody waits for are checked even then. Default true.
   */
  readonly checks?: boolean | Partial<Sanitizers>;
  /** Takes kernels with instructions whose results are near a GPU's, not the same bits. Default false. */
  readonly approximations?: boolean;
  /** Counts what kernels do; see `takeProfiles`. `{ l2: true }` also models a cache. Default false. */
  readonly counters?: boolean | CounterOptions;
  /**
   * How exact FMAs are computed; the bits are the same. `relaxed` needs relaxed SIMD in the engine and a
   * processor that fuses (in Node 20 it sets a process-wide V8 flag); `f64` works everywhere. Default `auto`:
   * relaxed where it is already enabled and fuses.
   */
  readonly fma?: 'auto' | 'relaxed' | 'f64';
  /** Keep translated kernels on disk, in the cache folder of ffma. Default true. */
  readonly cache?: boolean;
  /**
   * In which order blocks start and warps run. With one, runs repeat: launches whose blocks meet in memory, by atomics
   * or by waiting, take one worker. Default: by number, on all workers, and nothing said of who comes first.
   */
  readonly schedule?: Schedule;
}

function refuse(name: string, value: unknown, rule: string): never {
  throw new ArgumentError(`The emulator option ${name} must be ${rule}, but is ${shown(value)}.`);
}

/** @throws ArgumentError naming the member */
function checkSchedule(schedule: Schedule): void {
  if (typeof schedule !== 'object' || schedule === null)
    refuse('schedule', schedule, 'an object with an order');
  const { order, seed = 1, copies = 'late', ...unknown } = schedule;
  if (!ORDERS.includes(order)) refuse('schedule.order', order, `one of ${ORDERS.join(', ')}`);
  if (!Number.isInteger(seed) || seed < 0 || seed > 0xffffffff)
    refuse('schedule.seed', seed, 'an integer in 0..4294967295');
  if (!['late', 'early'].includes(copies)) refuse('schedule.copies', copies, "'late' or 'early'");
  const [name] = Object.keys(unknown);
  if (name !== undefined) refuse('schedule', name, 'made of order, seed and copies');
}

/** @throws ArgumentError naming the member */
function checkedSanitizers(checks: boolean | Partial<Sanitizers>): Sanitizers {
  // Waiting for copies is looked at once a thread, so it stays on.
  if (typeof checks === 'boolean') return { ...allSanitizers(checks), synccheck: true };
  if (typeof checks !== 'object' || checks === null)
    refuse('checks', checks, `a boolean, or an object of ${SANITIZER_NAMES.join(', ')}`);
  for (const [name, value] of Object.entries(checks)) {
    if (!SANITIZER_NAMES.includes(name as keyof Sanitizers))
      refuse('checks', name, `made of ${SANITIZER_NAMES.join(', ')}`);
    if (typeof value === 'boolean' || (name === 'racecheck' && value === 'global')) continue;
    refuse(`checks.${name}`, value, name === 'racecheck' ? "a boolean or 'global'" : 'a boolean');
  }
  return { ...allSanitizers(true), ...checks };
}

/** Fills in defaults. @throws ArgumentError for unknown options and values */
export function checkedOptions(options: EmulatorOptions): Required<
  Omit<EmulatorOptions, keyof DeviceOptions | 'schedule' | 'counters'>
> & {
  profile: ProfileName;
  workers: number;
  checks: boolean;
  approximations: boolean;
  sanitizers: Sanitizers;
  counters: boolean;
  l2: L2Options | undefined;
  fma: 'auto' | 'relaxed' | 'f64';
  cache: boolean;
  schedule: Schedule | undefined;
} {
  checkOptionsObject('an emulator', options);
  const {
    profile = 'h200',
    workers = availableParallelism(),
    checks = true,
    approximations = false,
    counters = false,
    fma = 'auto',
    cache = true,
    schedule,
    ...unknown
  } = options;
  const [name] = Object.keys(unknown);
  if (name !== undefined) {
    throw new ArgumentError(
      `The emulator has no option '${name}'; it has profile, workers, checks, approximations, counters, fma, cache, schedule.`,
    );
  }
  if (!Object.hasOwn(profiles, profile))
    refuse('profile', profile, `one of ${Object.keys(profiles).join(', ')}`);
  if (!Number.isInteger(workers) || workers < 1 || workers > 256)
    refuse('workers', workers, 'an integer in 1..256');
  if (typeof approximations !== 'boolean') refuse('approximations', approximations, 'a boolean');
  if (typeof cache !== 'boolean') refuse('cache', cache, 'a boolean');
  if (!['auto', 'relaxed', 'f64'].includes(fma)) refuse('fma', fma, "'auto', 'relaxed' or 'f64'");
  if (schedule !== undefined) checkSchedule(schedule);
  const sanitizers = checkedSanitizers(checks);
  return {
    profile,
    workers,
    checks: keepsShadow(sanitizers),
    sanitizers,
    approximations,
    ...checkedCounters(counters),
    fma,
    cache,
    schedule,
  };
}
