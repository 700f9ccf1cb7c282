import { gemmFlops } from '@ffma/core';
import type { Size } from '../bench/sizes.js';
import { shape } from '../render/numbers.js';
import { UsageError } from '../usage-error.js';
import type { Compiled, RoundRecord } from './records.js';
import type { SweepResult, SweptVariant } from './schema.js';
import { SweepLog } from './sweep-log.js';

/** What Kernel Tuner writes where there is no time. */
type NoTime = 'InvalidConfig' | 'CompilationFailedConfig' | 'RuntimeFailedConfig';

export interface KernelTunerEntry {
  readonly [parameter: string]: unknown;
  /** Mean, in ms. */
  readonly time: number | NoTime;
  /** Each launch, in ms. */
  readonly times?: readonly number[];
  /** In ms, as all times of Kernel Tuner. */
  readonly compile_time: number;
  readonly verification_time: number;
  readonly benchmark_time: number;
  readonly strategy_time: number;
  readonly framework_time: number;
  readonly timestamp: string;
}

/**
 * A cache file of Kernel Tuner, schema version 1.1.0, which its dashboards and simulated runs read.
 * Source: github.com/KernelTuner/kernel_tuner, kernel_tuner/schema/cache/1.1.0/schema.json.
 */
export interface KernelTunerCache {
  readonly schema_version: '1.1.0';
  readonly device_name: string;
  readonly kernel_name: string;
  readonly problem_size: readonly number[];
  readonly tune_params_keys: readonly string[];
  readonly tune_params: Readonly<Record<string, readonly (number | boolean)[]>>;
  readonly objective: 'time';
  readonly cache: Readonly<Record<string, KernelTunerEntry>>;
}

/** All launches of a candidate that count, in ms: of the last rung that it was in. */
function launchesOf(rounds: readonly RoundRecord[], id: string): { times: number[]; at: string } | undefined {
  const own = rounds.filter(({ heat, used }) => used && heat.includes(id));
  const last = own.at(-1);
  if (last === undefined) return undefined;
  const same = own.filter(({ rung, heat }) => rung === last.rung && heat.join() === last.heat.join());
  const us = same.flatMap((round) => round.us[round.heat.indexOf(id)] ?? []);
  return { times: us.map((one) => one / 1000), at: last.at };
}

const failures: Readonly<Record<SweptVariant['outcome'], NoTime | undefined>> = {
  built: undefined,
  unknown: undefined,
  refused: 'CompilationFailedConfig',
  spills: 'InvalidConfig',
  'too large': 'InvalidConfig',
  wrong: 'RuntimeFailedConfig',
};

const mean = (values: readonly number[]) => values.reduce((x, y) => x + y, 0) / values.length;

/**
 * A sweep at one size as a cache file of Kernel Tuner. What a rule refused, and what was not timed at this size, is not
 * in it, as there. A candidate that left the tournament early has fewer launches than one of the final.
 * @throws UsageError where the sweep has no times of that size
 */
export function kernelTunerCache(result: SweepResult, size: Size): KernelTunerCache {
  const { identity, variants, records, createdAt } = result;
  const here = ({ size: other }: { size: Size }) => shape(other) === shape(size);
  const rounds = records.flatMap((record) => (record.type === 'round' && here(record) ? [record] : []));
  if (rounds.length === 0)
    throw new UsageError(`The sweep has no times of ${shape(size)} that could be exported.`);
  const log = new SweepLog(records);
  const keys = Object.keys(identity.space);
  const entryOf = ({ id, params, outcome }: SweptVariant): [string, KernelTunerEntry] | undefined => {
    const compiled: Compiled | undefined = log.compiled(id) ?? log.compiled(id, size);
    const launches = launchesOf(rounds, id);
    const wrong = log.fault(id, size) === undefined ? undefined : ('RuntimeFailedConfig' as const);
    const time = failures[outcome] ?? wrong ?? (launches && mean(launches.times));
    if (time === undefined) return undefined;
    const timed = typeof time === 'number' && launches !== undefined;
    return [
      keys.map((key) => String(params[key])).join(','),
      {
        ...params,
        time,
        ...(timed ? { times: launches.times, 'GFLOP/s': gemmFlops(size) / (time as number) / 1e6 } : {}),
        compile_time: compiled?.ms ?? 0,
        verification_time: 0,
        benchmark_time: timed ? launches.times.reduce((x, y) => x + y, 0) : 0,
        strategy_time: 0,
        framework_time: 0,
        timestamp: launches?.at ?? createdAt,
      },
    ];
  };
  return {
    schema_version: '1.1.0',
    device_name: identity.device.name,
    kernel_name: identity.kernel,
    problem_size: [size.m, size.n, size.k],
    tune_params_keys: keys,
    tune_params: identity.space,
    objective: 'time',
    cache: Object.fromEntries(variants.map(entryOf).filter((entry) => entry !== undefined)),
  };
}
