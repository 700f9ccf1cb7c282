import { hasFfmaCode } from '../error-sentence.js';
import { type Protocol, protocolOf } from './protocol.js';
import { type Comparison, type EndedBy, endedBy, type RoundTimes } from './stopping.js';
import { type Contestant, Stopwatch } from './stopwatch.js';
import { throttledBy } from './throttling.js';
import type { ClockSample, TimingDevice } from './timing-device.js';

export interface MeasureOptions extends Partial<Protocol> {
  /** Whose ratios decide with `untilWidth`. Default: those of all to the first contestant. */
  readonly comparison?: Comparison | undefined;
  /** Ends the measurement after the round that is running. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each round. */
  readonly onRound?: ((round: Round) => void) | undefined;
  /** The host's clock, in ms. */
  readonly now?: (() => number) | undefined;
}

/** One turn of every contestant. */
export interface Round {
  /** From 1. A throttled round is run again under the same number. */
  readonly round: number;
  /** From 1. */
  readonly attempt: number;
  /** Whether it counts: false where it was run again. */
  readonly used: boolean;
  /** Why the GPU was slowed while it ran; empty where it was not. */
  readonly throttledBy: readonly string[];
  /** One sample in each contestant's turn, while it ran. Empty where clocks cannot be read. */
  readonly clocks: readonly ClockSample[];
  /** Times of each contestant's launches, in µs, in the order of the contestants. */
  readonly us: readonly (readonly number[])[];
}

export interface Measurement {
  readonly startedAt: Date;
  readonly protocol: Protocol;
  /** All that were run, in order. */
  readonly rounds: readonly Round[];
  /** The rule that ended it. */
  readonly endedBy: EndedBy;
  /** True where the signal ended it before a rule did. */
  readonly interrupted: boolean;
  /** Bytes written before each launch. */
  readonly flushBytes: number;
  /** Why clocks could not be read, where they could not. */
  readonly noClocks: string | undefined;
}

/** Reads clocks, or remembers why that is not possible. */
async function clockReader(device: TimingDevice) {
  let noClocks: string | undefined;
  try {
    await device.sampleClocks();
  } catch (error) {
    if (!hasFfmaCode(error) || error.code !== 'FFMA_UNAVAILABLE') throw error;
    noClocks = error.message;
  }
  return { noClocks, read: noClocks === undefined ? () => device.sampleClocks() : undefined };
}

/**
 * Times contestants against each other in alternating rounds: in each round every one of them, in order, has
 * `launches` launches timed by events, with the L2 cache flushed before each. A round in which the GPU was throttled
 * is run again. It ends by the protocol's rules. Nothing is judged here: whether results are right is the caller's to
 * know before.
 *
 * @throws OutOfMemoryError where the flush buffer does not fit; DeviceLostError where a launch brings the device down
 */
export async function measure(
  device: TimingDevice,
  contestants: readonly Contestant[],
  options: MeasureOptions = {},
): Promise<Measurement> {
  const { signal, onRound, comparison, now = performance.now.bind(performance) } = options;
  const protocol = protocolOf(options);
  const startedAt = new Date();
  const { noClocks, read } = await clockReader(device);
  using stopwatch = await Stopwatch.create(device, protocol);
  await stopwatch.warmUp(contestants, protocol.warmUpMs);
  const rounds: Round[] = [];
  let repeats = 0;
  const turnOfAll = async (round: number, attempt: number): Promise<Round> => {
    const clocks: ClockSample[] = [];
    const sample = read && (async () => clocks.push(await read()));
    const us: number[][] = [];
    for (const contestant of contestants)
      us.push(await stopwatch.time(contestant, protocol.launches, sample));
    const causes = throttledBy(clocks);
    const again = causes.length > 0 && repeats < protocol.maxRepeats;
    if (again) repeats++;
    return { round, attempt, used: !again, throttledBy: causes, clocks, us };
  };
  const began = now();
  const counted: RoundTimes[] = [];
  let ended: EndedBy | undefined;
  for (let attempt = 1; ended === undefined; ) {
    if (signal?.aborted === true) {
      ended = 'interrupted';
      break;
    }
    const done = await turnOfAll(counted.length + 1, attempt);
    rounds.push(done);
    if (done.used) counted.push(done.us);
    attempt = done.used ? 1 : attempt + 1;
    onRound?.(done);
    ended = done.used ? endedBy(protocol, counted, now() - began, comparison) : undefined;
  }
  const interrupted = ended === 'interrupted';
  return {
    startedAt,
    protocol,
    rounds,
    endedBy: ended,
    interrupted,
    flushBytes: stopwatch.flushBytes,
    noClocks,
  };
}
