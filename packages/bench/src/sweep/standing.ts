import { gemmFlops } from '@ffma/core';
import type { Size } from '../bench/sizes.js';

import { tflopsOf } from '../timing/peak.js';
import { median, type PairedRatio, pairedRatio } from '../timing/statistics.js';
import type { RoundRecord, RungName, SessionRecord } from './records.js';
import type { SweepLog } from './sweep-log.js';

/** Candidates that were timed together, and the rounds of it that count. */
export interface Heat {
  readonly rung: RungName;
  readonly ids: readonly string[];
  readonly rounds: readonly RoundRecord[];
}

const heatKey = (ids: readonly string[]) => ids.join(' ');

/** The heats of a rung at a size, in the order in which they began. */
export function heatsOf(log: SweepLog, size: Size, rung: RungName): Heat[] {
  const heats = new Map<string, RoundRecord[]>();
  for (const round of log.rounds(size, rung)) {
    if (!round.used) continue;
    const key = heatKey(round.heat);
    heats.set(key, [...(heats.get(key) ?? []), round]);
  }
  return [...heats.values()].map((rounds) => ({ rung, ids: rounds[0]?.heat ?? [], rounds }));
}

/** Rounds of exactly these candidates that count. */
export function roundsOf(
  log: SweepLog,
  size: Size,
  rung: RungName,
  ids: readonly string[],
): readonly RoundRecord[] {
  return heatsOf(log, size, rung).find((heat) => heatKey(heat.ids) === heatKey(ids))?.rounds ?? [];
}

/** Times of a candidate in a heat, beside the reference's of the same rounds. */
export interface Timed {
  readonly ratio: PairedRatio;
  /** Median of its rounds' medians. */
  readonly medianUs: number;
  /** Its fastest launch. */
  readonly leastUs: number;
}

export function timedIn({ ids, rounds }: Heat, id: string): Timed {
  const at = ids.indexOf(id);
  const own = rounds.map(({ us }) => us[at] ?? []);
  const medians = own.map(median);
  return {
    ratio: pairedRatio(
      rounds.map(({ referenceUs }) => median(referenceUs)),
      medians,
    ),
    medianUs: median(medians),
    leastUs: Math.min(...own.flat()),
  };
}

/** Why a time cannot be: it is over what the device can do. */
function impossible(log: SweepLog, size: Size, { leastUs }: Timed): string | undefined {
  const session = log.records.find(
    (record): record is SessionRecord => record.type === 'session' && record.peakTflops !== undefined,
  );
  const tflops = tflopsOf(gemmFlops(size), leastUs);
  if (session?.peakTflops === undefined || !(tflops > session.peakTflops)) return undefined;
  return (
    `A launch of ${leastUs.toPrecision(4)} µs is ${tflops.toPrecision(3)} TFLOP/s, over the FP32 peak of ` +
    `${session.peakTflops.toPrecision(3)}: it did less work than it is counted for, or its clock is wrong.`
  );
}

/** Why a candidate is not ranked at a size, though it was timed; undefined where it is. */
export function disqualified(log: SweepLog, size: Size, id: string, timed: Timed): string | undefined {
  return log.fault(id, size) ?? impossible(log, size, timed);
}

/** A candidate at a size, as far as it came. */
export interface Standing extends Timed {
  readonly id: string;
  readonly rung: RungName;
  /** Those who were timed in the same rounds. */
  readonly heat: readonly string[];
  /** Behind the final that counts: it was in one whose best were timed again, without it. */
  readonly superseded: boolean;
}

/** @param least rounds that a final must have to count */
function heatsAt(log: SweepLog, size: Size, least: number): { heat: Heat; superseded: boolean }[] {
  const rungs = new Set(log.records.flatMap((record) => (record.type === 'round' ? [record.rung] : [])));
  const begun = ({ rounds }: Heat) => rounds[0]?.at ?? '';
  const finals = heatsOf(log, size, 'final')
    .filter(({ rounds }) => rounds.length >= least)
    .sort((x, y) => (begun(x) < begun(y) ? -1 : 1));
  const others = [...rungs].flatMap((rung) => (rung === 'final' ? [] : heatsOf(log, size, rung)));
  return [
    ...others.map((heat) => ({ heat, superseded: false })),
    ...finals.map((heat, i) => ({
      heat,
      superseded: finals.slice(i + 1).some(({ ids }) => ids.some((id) => heat.ids.includes(id))),
    })),
  ];
}

/** What counts more: a later rung, and of finals one that was not run again. */
const weight = ({ rung, superseded }: Standing) =>
  rung === 'final' ? (superseded ? Number.MAX_SAFE_INTEGER : Number.POSITIVE_INFINITY) : rung;

/**
 * Candidates of a size, best first: by the last rung that each was in, then by the median ratio to the reference there,
 * then by id. Those that are wrong, or faster than the device can be, are left out.
 * @param least rounds that a final must have to count
 */
export function standings(log: SweepLog, size: Size, least = 1): Standing[] {
  const best = new Map<string, Standing>();
  for (const { heat, superseded } of heatsAt(log, size, least)) {
    for (const id of heat.ids) {
      const standing = { id, rung: heat.rung, heat: heat.ids, superseded, ...timedIn(heat, id) };
      const other = best.get(id);
      if (other === undefined || weight(standing) >= weight(other)) best.set(id, standing);
    }
  }
  return [...best.values()]
    .filter((standing) => disqualified(log, size, standing.id, standing) === undefined)
    .sort(
      (x, y) =>
        (weight(x) === weight(y) ? 0 : weight(y) - weight(x)) ||
        y.ratio.median - x.ratio.median ||
        (x.id < y.id ? -1 : 1),
    );
}

/** Finals that count, each a heat. More than one, where shards were put together and not run again. */
export function openFinals(log: SweepLog, size: Size, least = 1): Heat[] {
  return heatsAt(log, size, least)
    .filter(({ heat, superseded }) => heat.rung === 'final' && !superseded)
    .map(({ heat }) => heat);
}
