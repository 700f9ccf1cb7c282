import { ArgumentError, type DeviceLimits, type LaunchConfig, occupancyOf, shown } from '@ffma/core';
import type { L2Parameters } from '../caches/l2-model.js';
import { threadsOf } from '../runtime/launch-record.js';

/** What the model of the L2 cache assumes, where it is not what the emulated GPU has. */
export interface L2Options {
  /** Size in bytes. Default: that of the profile. */
  readonly bytes?: number;
  /** Lines a set. Default 16. */
  readonly ways?: number;
  /** Multiprocessors that share the cache. Default: those of the profile. */
  readonly smCount?: number;
  /**
   * Registers of a thread, which only ptxas knows (a package's manifest has them): a figure for all kernels, or a
   * function of the device symbol. Where it is unknown, registers limit no block.
   */
  readonly registers?: number | ((kernel: string) => number | undefined);
}

export interface CounterOptions {
  /** Also models the L2 cache: takes time and memory for every request to global memory. Default false. */
  readonly l2?: boolean | L2Options;
}

const WAYS = 16;
/** L1 cache and shared memory of a multiprocessor together, 256 KiB on sm_80 (192) to sm_90: 228 KiB and the rest. */
const SM_CACHE_EXTRA = 28 * 1024;
const LEAST_L1 = 4096;

const isPositiveInteger = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) > 0;

function checkL2(l2: L2Options): L2Options {
  const { bytes, ways, smCount, registers, ...unknown } = l2;
  const [name] = Object.keys(unknown);
  if (name !== undefined)
    throw new ArgumentError(`counters.l2 has no option '${name}'; it has bytes, ways, smCount, registers.`);
  for (const [key, value] of Object.entries({ bytes, ways, smCount })) {
    if (value !== undefined && !isPositiveInteger(value))
      throw new ArgumentError(
        `The emulator option counters.l2.${key} must be a positive integer, but is ${shown(value)}.`,
      );
  }
  if (registers !== undefined && typeof registers !== 'function' && !isPositiveInteger(registers))
    throw new ArgumentError(
      `The emulator option counters.l2.registers must be a positive integer or a function, but is ${shown(registers)}.`,
    );
  return l2;
}

/** What `counters` asks for. @throws ArgumentError */
export function checkedCounters(counters: unknown): { counters: boolean; l2: L2Options | undefined } {
  if (typeof counters === 'boolean') return { counters, l2: undefined };
  if (typeof counters !== 'object' || counters === null)
    throw new ArgumentError(
      `The emulator option counters must be a boolean or { l2 }, but is ${shown(counters)}.`,
    );
  const { l2 = false, ...unknown } = counters as CounterOptions;
  const [name] = Object.keys(unknown);
  if (name !== undefined) throw new ArgumentError(`counters has no option '${name}'; it has l2.`);
  if (typeof l2 === 'boolean') return { counters: true, l2: l2 ? {} : undefined };
  if (typeof l2 !== 'object' || l2 === null)
    throw new ArgumentError(
      `The emulator option counters.l2 must be a boolean or an object, but is ${shown(l2)}.`,
    );
  return { counters: true, l2: checkL2(l2) };
}

/** What the caches are for one launch. */
export interface LaunchCaches {
  readonly l2: L2Parameters;
  /** L1 cache that is left for each block beside shared memory. */
  readonly l1Bytes: number;
}

/**
 * Caches of a launch: how many blocks are at work is the occupancy of a multiprocessor.
 * @param sharedBytes of a block, static and dynamic
 */
export function launchCaches(
  options: L2Options,
  kernel: string,
  config: LaunchConfig,
  sharedBytes: number,
  limits: DeviceLimits,
): LaunchCaches {
  const { bytes = limits.l2Bytes, ways = WAYS, smCount = limits.smCount, registers } = options;
  const registersPerThread = (typeof registers === 'function' ? registers(kernel) : registers) ?? 0;
  const threads = threadsOf(config.block);
  const blocksPerSm = Math.max(
    1,
    occupancyOf({ threads, registersPerThread, sharedBytes }, limits).blocksPerSm,
  );
  const taken = blocksPerSm * (sharedBytes + limits.sharedBytesReservedPerBlock);
  const l1 = limits.sharedBytesPerSm + SM_CACHE_EXTRA - taken;
  return {
    l2: { bytes, ways, residentBlocks: blocksPerSm * smCount },
    l1Bytes: Math.max(LEAST_L1, Math.floor(l1 / blocksPerSm)),
  };
}
