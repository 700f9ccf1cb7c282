import { gemmFlops, gemmProblem } from '@ffma/core';
import { digestsOf } from '../bench/digests.js';
import { batchOf, sizeFrom } from '../bench/sizes.js';
import { rowIdentity } from '../result/row-identity.js';
import type { ResultRow } from '../result/schema.js';
import type { RowTimes, Session } from '../result/times-schema.js';
import { correctnessFrom } from './check.js';
import type { Entrant } from './entrant.js';
import type { Measurement, Round } from './measure.js';
import { noiseOf, outliersOf } from './noise.js';
import { tflopsOf } from './peak.js';
import { spread } from './statistics.js';
import { reasonsOf } from './throttling.js';
import type { TimedSize } from './time-size.js';

/** To the nanosecond: events know no less. */
const nano = (us: number) => Math.round(us * 1000) / 1000;

function refOf({ entry: { kernel } }: Entrant) {
  return { id: kernel.gemm.id, package: kernel.kernel.package.name };
}

function timesOf(entrant: Entrant, { size, measurement, reference }: TimedSize): RowTimes | undefined {
  const { us, ratio } = entrant;
  if (us.length === 0 || !entrant.passed || measurement === undefined) return undefined;
  const used = measurement.rounds.filter((round) => round.used);
  const rounds = us.map((launches, i) => {
    const { median: medianUs, min: minUs, max: maxUs } = spread(launches.map(nano));
    const launchesUs = launches.map(nano);
    const outliers = outliersOf(launchesUs);
    return { round: (used[i] as Round).round, medianUs, minUs, maxUs, launchesUs, outliers };
  });
  const all = spread(rounds.map(({ medianUs }) => medianUs));
  return {
    medianUs: all.median,
    minUs: all.min,
    maxUs: all.max,
    tflops: tflopsOf(gemmFlops(size) * batchOf(size), all.median),
    rounds,
    noise: noiseOf(rounds.map(({ launchesUs }) => launchesUs)),
    launched: entrant.launched,
    ...(ratio === undefined || reference === undefined
      ? {}
      : { ratio: { to: refOf(reference), ...ratio, perRound: [...ratio.perRound] } }),
  };
}

function rowOf(entrant: Entrant, timed: TimedSize): ResultRow {
  const { gemm } = entrant.entry.kernel;
  const { size, scalars } = timed;
  const { alignment: _, ...problem } = gemmProblem({ m: size.m, n: size.n, k: size.k, ...scalars });
  const times = timesOf(entrant, timed);
  const { artefact } = entrant.loaded ?? {};
  return {
    ...rowIdentity(entrant.entry.kernel),
    asked: entrant.entry.asked,
    ...(entrant === timed.reference ? { role: 'reference' as const } : {}),
    ...(gemm.specialised === true ? { specialised: true as const } : {}),
    problem: size.batch === undefined ? problem : { ...problem, batch: size.batch },
    ...(artefact === undefined ? {} : { artefact: { ...artefact, mathMode: entrant.mathMode } }),
    ...digestsOf(entrant.entry.kernel, artefact),
    correctness: correctnessFrom(entrant.verdicts),
    ...(times === undefined ? {} : { times }),
    ...(entrant.unranked === undefined || !entrant.passed ? {} : { unranked: entrant.unranked }),
  };
}

function roundOf({ round, attempt, used, throttledBy, clocks }: Round): Session['rounds'][number] {
  return {
    round,
    attempt,
    used,
    throttledBy: [...throttledBy],
    ...(clocks.length === 0
      ? {}
      : {
          clocks: {
            smMHz: clocks.map((one) => one.smClockMHz),
            memoryMHz: clocks.map((one) => one.memoryClockMHz),
            powerW: clocks.map((one) => Math.round(one.powerW * 10) / 10),
            temperatureC: clocks.map((one) => one.temperatureC),
            reasons: reasonsOf(clocks),
          },
        }),
  };
}

function notesOf({ reference, timed, peak }: TimedSize, { noClocks, rounds }: Measurement): string[] {
  const notes: string[] = [];
  if (reference === undefined) {
    notes.push('There was no reference, so that nothing is said of how the times compare with it.');
  } else if (reference.us.length === 0 || !reference.passed) {
    const why = correctnessFrom(reference.verdicts).failures[0] ?? reference.unranked;
    notes.push(`The reference ${reference.id} could not be used: ${why}`);
  }
  if (timed.some(({ launched }) => launched === 'graph'))
    for (const { id } of timed.filter(({ launched }) => launched === 'singly'))
      notes.push(`${id} was launched singly, beside graphs: a library launches its kernels itself.`);
  if (typeof peak === 'string') notes.push(`${peak} So no figure was held against the physical peak.`);
  if (noClocks !== undefined)
    notes.push(`Clocks were not read, so that nobody knows of throttling: ${noClocks}`);
  const kept = rounds.filter(({ used, throttledBy }) => used && throttledBy.length > 0).length;
  if (kept > 0) notes.push(`${kept} of the rounds that count were throttled, in spite of being run again.`);
  return notes;
}

function sessionOf(timed: TimedSize, measurement: Measurement): Session {
  const { size, reference, peak, timed: order } = timed;
  return {
    startedAt: measurement.startedAt.toISOString(),
    problem: sizeFrom(size),
    order: order.map(refOf),
    ...(reference === undefined ? {} : { reference: refOf(reference) }),
    flushBytes: measurement.flushBytes,
    rounds: measurement.rounds.map(roundOf),
    ...(typeof peak === 'string' ? {} : { peak: { ...peak } }),
    endedBy: measurement.endedBy,
    notes: notesOf(timed, measurement),
    ...(measurement.interrupted ? { interrupted: true as const } : {}),
  };
}

/** What a result file keeps of one size: a row for each kernel, and what they went through together. */
export function resultOf(timed: TimedSize): { rows: ResultRow[]; session: Session | undefined } {
  const { entrants, measurement } = timed;
  return {
    rows: entrants.map((entrant) => rowOf(entrant, timed)),
    session: measurement && sessionOf(timed, measurement),
  };
}
