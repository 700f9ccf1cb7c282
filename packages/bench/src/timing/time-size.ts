import { gemmFlops, type Stream } from '@ffma/core';
import type { Scalars } from '../bench/scalars.js';
import { batchOf, type Size } from '../bench/sizes.js';
import { Entrant, type Entry } from './entrant.js';
import { checkAll, loadAll } from './load-and-check.js';
import { type Measurement, type MeasureOptions, measure, type Round } from './measure.js';
import { type Peak, peakOf } from './peak.js';
import { integersFor, ProblemBatch } from './problem-batch.js';
import { protocolOf } from './protocol.js';
import { canRank, rank } from './rank.js';
import type { Comparison } from './stopping.js';
import type { TimingDevice } from './timing-device.js';
import type { WorkKind } from './work.js';

export interface TimeSizeOptions {
  readonly size: Size;
  readonly scalars: Scalars;
  /** In the order in which they run in each round; the reference first. */
  readonly entries: readonly Entry[];
  /** One of `entries`. */
  readonly reference: Entry | undefined;
  readonly protocol: MeasureOptions;
  /** Compile variants that were not built. */
  readonly compile: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Called before each piece of work with what it is. */
  readonly onWork?: ((kind: WorkKind, what: string) => void) | undefined;
}

/** One size, measured: valid while the entrants are on the device. */
export interface TimedSize {
  readonly size: Size;
  readonly scalars: Scalars;
  readonly entrants: readonly Entrant[];
  /** One of the entrants. */
  readonly reference: Entrant | undefined;
  /** Those that were right before they were timed, in the order in which they ran. */
  readonly timed: readonly Entrant[];
  /** Undefined where nobody was right. */
  readonly measurement: Measurement | undefined;
  readonly peak: Peak | string;
}

function timesOf(rounds: readonly Round[], contestant: number): (readonly number[])[] {
  return rounds.filter(({ used }) => used).map(({ us }) => us[contestant] as readonly number[]);
}

/** Operations of a size, whatever its scalars. */
const flopsOf = (size: Size) => gemmFlops(size) * batchOf(size);

/** Whose ratios have to be known well before the session may end: those that {@link rank} will rank. */
function comparisonOf(
  timed: readonly Entrant[],
  reference: Entrant | undefined,
  size: Size,
  peak: Peak | undefined,
): Comparison {
  const place = reference === undefined ? -1 : timed.indexOf(reference);
  const rules = { flops: flopsOf(size), peak, reference: place < 0 ? undefined : reference };
  return {
    reference: place < 0 ? 'none' : place,
    ranked: (contestant, us) => canRank(timed[contestant] as Entrant, us, rules),
  };
}

async function timeAll(
  device: TimingDevice,
  timed: readonly Entrant[],
  problems: ProblemBatch,
  comparison: Comparison,
  { protocol, signal, onWork }: TimeSizeOptions,
): Promise<Measurement> {
  const { rounds: asked, untilWidth } = protocolOf(protocol);
  const most = untilWidth === undefined ? `${asked}` : `at most ${asked}`;
  const say = (round: number) => onWork?.('round', `round ${round} of ${most}`);
  say(1);
  const contestants = timed.map((entrant) => entrant.contestant(problems));
  const onRound = (round: Round) => {
    protocol.onRound?.(round);
    if (round.round < asked) say(round.used ? round.round + 1 : round.round);
  };
  return measure(device, contestants, { ...protocol, comparison, signal, onRound });
}

/** All but loading and closing. Undefined where the signal ended it before a round was complete. */
async function checkAndTime(
  device: TimingDevice,
  stream: Stream,
  entrants: readonly Entrant[],
  options: TimeSizeOptions,
): Promise<TimedSize | undefined> {
  const { size, scalars, signal, onWork } = options;
  const { m, n, k } = size;
  const integers = integersFor({ m, n, k, ...scalars });
  await loadAll(device, entrants, integers, options);
  {
    onWork?.('data', 'make integers');
    using exact = await ProblemBatch.upload(device, stream, size, scalars, integers);
    await checkAll(stream, entrants, exact, options);
  }
  onWork?.('data', 'make random numbers');
  using problems = await ProblemBatch.upload(device, stream, size, scalars, 'uniform');
  await checkAll(stream, entrants, problems, options);
  if (signal?.aborted === true) return undefined;
  const reference = entrants.find(({ entry }) => entry === options.reference);
  const timed = entrants.filter(({ passed }) => passed);
  const peak = peakOf(device);
  const known = typeof peak === 'string' ? undefined : peak;
  const made = { size, scalars, entrants, reference, timed, peak };
  if (timed.length === 0) return { ...made, measurement: undefined };
  const comparison = comparisonOf(timed, reference, size, known);
  const measurement = await timeAll(device, timed, problems, comparison, options);
  if (!measurement.rounds.some(({ used }) => used)) return undefined;
  for (const [i, entrant] of timed.entries()) {
    onWork?.('check', `${entrant.id}: check again`);
    entrant.us = timesOf(measurement.rounds, i);
    await entrant.checkAgain(stream, problems);
  }
  const right = timed.filter(({ passed }) => passed);
  const beside = right.find((entrant) => entrant === reference);
  rank(right, beside, flopsOf(size), known);
  return { ...made, measurement };
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
  const entrants = options.entries.map(
    (entry) => new Entrant(entry, options.protocol.graph ? 'graph' : 'singly'),
  );
  using stream = device.createStream();
  try {
    const timed = await checkAndTime(device, stream, entrants, options);
    return timed && use(timed);
  } finally {
    for (const entrant of entrants) entrant.close();
  }
}
