import { count } from '../render/numbers.js';
import { uuidDigest } from '../result/provenance.js';
import type { BenchResult } from '../result/schema.js';
import { clockOf, clocksDiffer, throttledRounds } from './clocks.js';
import type { ComparedFile, FilePair } from './match.js';
import type { ComparedRow } from './schema.js';

/** Tells one GPU from another of its model; undefined where the file does not say. */
function gpuOf({ device: { details } }: BenchResult): unknown {
  return details.uuid === undefined ? details.gpu : uuidDigest(String(details.uuid));
}

function ofOne({ from, result }: ComparedFile): string[] {
  const throttled = throttledRounds(result);
  return [
    ...(result.interrupted ? [`${from} was interrupted: not all was measured.`] : []),
    ...(throttled > 0 ? [`${from}: the GPU was throttled in ${count(throttled, 'round')} that count.`] : []),
  ];
}

function ofDevices(old: BenchResult, now: BenchResult, times: boolean): string[] {
  const [before, after] = [old.device, now.device];
  if (before.name !== after.name)
    return [
      `The GPUs are not the same: ${before.name} and ${after.name}. A kernel may suit one more than the other.`,
    ];
  const [was, is] = [before.details.driver, after.details.driver];
  const [mhz, nowMHz] = [clockOf(old), clockOf(now)];
  return [
    ...(was === is ? [] : [`The drivers are not the same: ${was ?? 'not said'} and ${is ?? 'not said'}.`]),
    ...(times && gpuOf(old) !== gpuOf(now)
      ? [`Times are of two GPUs of one model (${before.name}), which need not be equally fast.`]
      : []),
    ...(times && clocksDiffer(mhz, nowMHz)
      ? [`The SM clock was ${mhz} MHz, and now ${nowMHz} MHz: times differ by that too.`]
      : []),
  ];
}

function ofProtocols({ protocol: old }: BenchResult, { protocol: now }: BenchResult): string[] {
  const [before, after] = [old.parameters?.launches, now.parameters?.launches];
  return [
    ...(old.version === now.version
      ? []
      : [`Times were taken by version ${old.version} of ${old.name}, and now by version ${now.version}.`]),
    ...(before === after ? [] : [`A round was ${before} launches, and now is ${after}.`]),
  ];
}

function ofExperiments({ experiment: old }: BenchResult, { experiment: now }: BenchResult): string[] {
  if (old === undefined || now === undefined || old.name === now.name) return [];
  return [`They are of two experiments: ${old.name} and ${now.name}.`];
}

/** What makes the figures of two files less comparable, as sentences. */
export function warningsOf({ base, new: fresh }: FilePair, rows: readonly ComparedRow[]): string[] {
  const times = rows.some(({ by, role }) => by === 'time' && role !== 'reference');
  return [
    ...ofOne(base),
    ...ofOne(fresh),
    ...ofDevices(base.result, fresh.result, times),
    ...ofProtocols(base.result, fresh.result),
    ...ofExperiments(base.result, fresh.result),
  ];
}
