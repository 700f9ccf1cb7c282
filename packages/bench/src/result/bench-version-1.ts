import { medianInterval } from '../timing/bootstrap.js';
import { noiseOf, outliersOf } from '../timing/noise.js';
import type { JsonObject, Migration } from './kind.js';

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isTimes = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'number');

/** Changes the objects of a list; what is no list, or no object, stays for the schema to name. */
function each(list: unknown, change: (one: JsonObject) => JsonObject): unknown {
  return Array.isArray(list) ? list.map((one) => (isObject(one) ? change(one) : one)) : list;
}

function withInterval(ratio: unknown): unknown {
  if (!isObject(ratio) || !isTimes(ratio.perRound)) return ratio;
  return { ...ratio, interval: medianInterval(ratio.perRound) };
}

function timesFrom(times: JsonObject): JsonObject {
  const rounds = each(times.rounds, (round) =>
    isTimes(round.launchesUs) ? { ...round, outliers: outliersOf(round.launchesUs) } : round,
  );
  const us = Array.isArray(rounds)
    ? rounds.map((round) => (isObject(round) ? round.launchesUs : undefined))
    : [undefined];
  return {
    ...times,
    rounds,
    ...(us.every(isTimes) ? { noise: noiseOf(us) } : {}),
    launched: 'singly',
    ...('ratio' in times ? { ratio: withInterval(times.ratio) } : {}),
  };
}

/**
 * Version 1 had no intervals, noise or outliers: they follow from the times, of which it has all. It always launched
 * singly and ran a fixed number of rounds.
 */
export const benchFromVersion1: Migration = (old) => ({
  ...old,
  rows: each(old.rows, (row) => (isObject(row.times) ? { ...row, times: timesFrom(row.times) } : row)),
  ...('sessions' in old
    ? {
        sessions: each(old.sessions, (session) => ({
          ...session,
          endedBy: session.interrupted === true ? 'interrupted' : 'rounds',
        })),
      }
    : {}),
});
