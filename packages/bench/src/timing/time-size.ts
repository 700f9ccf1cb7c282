import { availableParallelism } from 'node:os';
import { type Device, gemmFlops, type Stream } from '@ffma/core';
import type { DataSetName } from '@ffma/verify';
import type { Size } from '../bench/sizes.js';
import { verdictName } from './check.js';
import { DeviceProblem } from './device-problem.js';
import { Entrant, type Entry } from './entrant.js';
import { type Measurement, type MeasureOptions, measure, type Round } from './measure.js';
import { type Peak, peakOf } from './peak.js';
import { rank } from './rank.js';
import type { TimingDevice } from './timing-device.js';

export interface TimeSizeOptions {
  readonly size: Size;
  /** In the order in which they run in each round; the reference first. */
  readonly entries: readonly Entry[];
  /** One of `entries`. */
  readonly reference: Entry | undefined;
  readonly protocol: MeasureOptions;
  /** Compile variants that were not built. */
  readonly compile: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Called before each piece of work with what it is. */
  readonly onWork?: ((what: string) => void) | undefined;
}

/** One size, measured: valid while the entrants are on the device. */
export interface TimedSize {
  readonly size: Size;
  readonly entrants: readonly Entrant[];
  /** One of the entrants. */
  readonly reference: Entrant | undefined;
  /** Those that were right before they were timed, in the order in which they ran. */
  readonly timed: readonly Entrant[];
  /** Undefined where nobody was right. */
  readonly measurement: Measurement | undefined;
  readonly peak: Peak | string;
}

/** The canary cannot be longer: past it, sums of 12-bit integers are not exact. */
const LONGEST_CANARY = 4096;

/** Puts all on the device, several at a time: those that are compiled for this size take long. */
async function loadAll(
  device: Device,
  entrants: readonly Entrant[],
  set: DataSetName,
  { size, compile, signal, onWork }: TimeSizeOptions,
): Promise<void> {
  const waiting = [...entrants];
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (signal?.aborted === true) return;
      if (next.open) onWork?.(`${next.id}: compile`);
      await next.load(device, size, verdictName({ shape: size, set }), compile);
    }
  };
  const lanes = Array.from({ length: availableParallelism() }, lane);
  // All of them come to an end, also where one throws: what they loaded is closed after that.
  await Promise.allSettled(lanes);
  await Promise.all(lanes);
}

async function checkAll(
  stream: Stream,
  entrants: readonly Entrant[],
  problem: DeviceProblem,
  { signal, onWork }: TimeSizeOptions,
): Promise<void> {
  for (const entrant of entrants) {
    if (signal?.aborted === true) return;
    onWork?.(`${entrant.id}: check on ${problem.set}`);
    await entrant.check(stream, problem);
  }
}

function timesOf(rounds: readonly Round[], contestant: number): (readonly number[])[] {
  return rounds.filter(({ used }) => used).map(({ us }) => us[contestant] as readonly number[]);
}

async function timeAll(
  device: TimingDevice,
  timed: readonly Entrant[],
  problem: DeviceProblem,
  { protocol, signal, onWork }: TimeSizeOptions,
): Promise<Measurement> {
  const { rounds: asked = 15 } = protocol;
  const say = (round: number) => onWork?.(`round ${round} of ${asked}`);
  say(1);
  const contestants = timed.map((entrant) => entrant.contestant(problem));
  const onRound = (round: Round) => {
    protocol.onRound?.(round);
    if (round.round < asked) say(round.used ? round.round + 1 : round.round);
  };
  return measure(device, contestants, { ...protocol, signal, onRound });
}

/** All but loading and closing. Undefined where the signal ended it before a round was complete. */
async function checkAndTime(
  device: TimingDevice,
  stream: Stream,
  entrants: readonly Entrant[],
  options: TimeSizeOptions,
): Promise<TimedSize | undefined> {
  const { size, signal, onWork } = options;
  const integers: DataSetName = size.k <= LONGEST_CANARY ? 'canary' : 'integers';
  await loadAll(device, entrants, integers, options);
  {
    onWork?.('make integers');
    using exact = await DeviceProblem.upload(device, stream, size, integers);
    await checkAll(stream, entrants, exact, options);
  }
  onWork?.('make random numbers');
  using problem = await DeviceProblem.upload(device, stream, size, 'uniform');
  await checkAll(stream, entrants, problem, options);
  if (signal?.aborted === true) return undefined;
  const reference = entrants.find(({ entry }) => entry === options.reference);
  const timed = entrants.filter(({ passed }) => passed);
  const peak = peakOf(device);
  if (timed.length === 0) return { size, entrants, reference, timed, measurement: undefined, peak };
  const measurement = await timeAll(device, timed, problem, options);
  if (!measurement.rounds.some(({ used }) => used)) return undefined;
  for (const [i, entrant] of timed.entries()) {
    onWork?.(`${entrant.id}: check again`);
    entrant.us = timesOf(measurement.rounds, i);
    await entrant.checkAgain(stream, problem);
  }
  const right = timed.filter(({ passed }) => passed);
  const beside = right.find((entrant) => entrant === reference);
  rank(right, beside, gemmFlops(size), typeof peak === 'string' ? undefined : peak);
  return { size, entrants, reference, timed, measurement, peak };
}

/**
 * Everything about one size: every kernel is checked, on integers that only exact float32 gets right and on the
 * numbers that it is timed with; those that are right are timed against each other; and what the timed operations
 * compute is checked again.
 *
 * @param use makes of it what is to be kept; kernels and memory are closed after it
 * @returns undefined where the signal ended it before a round was complete
 * @throws DeviceLostError, OutOfMemoryError
 */
export async function timeSize<T>(
  device: TimingDevice,
  options: TimeSizeOptions,
  use: (timed: TimedSize) => T,
): Promise<T | undefined> {
  const entrants = options.entries.map((entry) => new Entrant(entry));
  using stream = device.createStream();
  try {
    const timed = await checkAndTime(device, stream, entrants, options);
    return timed && use(timed);
  } finally {
    for (const entrant of entrants) entrant.close();
  }
}
