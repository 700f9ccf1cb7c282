import { type Device, UnsupportedError } from '@ffma/core';
import { measure } from '../timing/measure.js';
import { peakOf, tflopsOf } from '../timing/peak.js';
import type { Protocol } from '../timing/protocol.js';
import { spread } from '../timing/statistics.js';
import type { TimingDevice } from '../timing/timing-device.js';
import {
  type CeilingRun,
  type CeilingWork,
  ceilingWork,
  copyRun,
  ffmaRun,
  outerProductRun,
  readRun,
} from './ceiling-runs.js';
import { checkCeiling, ONE } from './check-ceiling.js';
import type { ComputeCeiling, MemoryCeiling, RooflineResult } from './schema.js';

/** What a roofline is drawn with. */
export type Ceilings = Pick<RooflineResult, 'protocol' | 'compute' | 'memory' | 'notes'> & {
  readonly nominalTflops?: number | undefined;
};

export interface MeasureCeilingsOptions {
  readonly protocol?: Partial<Protocol> | undefined;
  /** Default: what an H200 takes about 2 ms for. */
  readonly work?: CeilingWork | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Calls `use` with every run, ready and shown to be right; gives back what they hold. */
export async function withCeilings<T>(
  device: Device,
  work: CeilingWork,
  use: (runs: readonly CeilingRun[]) => Promise<T>,
): Promise<T> {
  using stream = device.createStream();
  using from = await device.allocate(work.bytes);
  using to = await device.allocate(work.bytes);
  from.fill(stream, ONE);
  using ffma = await ffmaRun(device, work);
  using outer = await outerProductRun(device, stream, work);
  using read = await readRun(device, from, work);
  using copy = copyRun(from, to);
  const runs = [ffma, outer, copy, read];
  for (const run of runs) await checkCeiling(stream, run, work);
  return await use(runs);
}

type Spread = Pick<ComputeCeiling, 'medianUs' | 'minUs' | 'maxUs'>;

function computeCeiling(
  { name, title, flops }: CeilingRun,
  us: Spread,
  nominal: number | undefined,
): ComputeCeiling {
  const tflops = tflopsOf(flops, us.medianUs);
  if (nominal !== undefined && tflops > nominal) {
    throw new UnsupportedError(
      `${name} came out at ${tflops.toFixed(1)} TFLOP/s, over the ${nominal.toFixed(1)} that this GPU can reach.`,
      { remedy: 'That is an error of measurement, not a record: run ffma doctor.' },
    );
  }
  return {
    name,
    title,
    tflops,
    flops,
    ...(nominal === undefined ? {} : { ofNominal: tflops / nominal }),
    ...us,
  };
}

function memoryCeiling({ name, title, bytes }: CeilingRun, us: Spread): MemoryCeiling {
  return { name, title, gbps: bytes / us.medianUs / 1e3, bytes, ...us };
}

/**
 * Measures what a GPU can do at most: FFMAs of independent chains, an outer product of registers, a copy within the
 * device and a read, by the protocol of benchmarks with the caches as they are. Each is first shown to be right.
 * @throws UnsupportedError where a ceiling is wrong or above the physical peak; OutOfMemoryError
 */
export async function measureCeilings(
  device: TimingDevice,
  options: MeasureCeilingsOptions = {},
): Promise<Ceilings> {
  const { work = ceilingWork, signal } = options;
  const peak = peakOf(device);
  const nominal = typeof peak === 'string' ? undefined : peak.tflops;
  const { runs, measurement } = await withCeilings(device, work, async (ready) => ({
    runs: ready,
    // Buffers are larger than any cache, and a flush would leave writes to be finished in the time of what follows.
    measurement: await measure(device, ready, {
      launches: 10,
      rounds: 5,
      l2: 'warm',
      ...options.protocol,
      signal,
    }),
  }));
  const used = measurement.rounds.filter((round) => round.used);
  if (used.length === 0) throw new UnsupportedError('The measurement was ended before a round was complete.');
  const spreadOf = (i: number): Spread => {
    const { median, min, max } = spread(used.map(({ us }) => spread(us[i] as readonly number[]).median));
    return { medianUs: median, minUs: min, maxUs: max };
  };
  const all = runs.map((run, i) => ({ run, us: spreadOf(i) }));
  const throttled = used.filter(({ throttledBy }) => throttledBy.length > 0).length;
  const { rounds, launches, l2, warmUpMs } = measurement.protocol;
  return {
    protocol: {
      name: 'alternating-rounds',
      version: 1,
      parameters: { rounds, launches, l2, warmUpMs, iterations: work.iterations, bytes: work.bytes },
    },
    compute: all.filter(({ run }) => run.flops > 0).map(({ run, us }) => computeCeiling(run, us, nominal)),
    memory: all.filter(({ run }) => run.bytes > 0).map(({ run, us }) => memoryCeiling(run, us)),
    nominalTflops: nominal,
    notes: [
      ...(typeof peak === 'string' ? [`${peak} So no ceiling was held against the physical peak.`] : []),
      ...(measurement.noClocks === undefined
        ? []
        : [`Clocks were not read, so that nobody knows of throttling: ${measurement.noClocks}`]),
      ...(throttled > 0
        ? [`${throttled} of the rounds that count were throttled, in spite of being run again.`]
        : []),
    ],
  };
}
