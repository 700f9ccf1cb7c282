import { shape } from '../render/numbers.js';
import { median, pairedRatio } from '../timing/statistics.js';
import type { Identity } from './records.js';
import type { SweepSize } from './schema.js';
import type { Shard } from './shard.js';
import { openFinals } from './standing.js';
import type { SweepLog } from './sweep-log.js';

/** What shards leave out, as phrases; empty where they are the whole space. */
export function missingShards(shards: readonly Shard[] = []): string[] {
  const counts = [...new Set(shards.map(({ count }) => count))];
  const missing = counts.map((count) => {
    const there = new Set(shards.filter((shard) => shard.count === count).map(({ index }) => index));
    return Array.from({ length: count }, (_, i) => i + 1)
      .filter((index) => !there.has(index))
      .map((index) => `${index}/${count}`);
  });
  return missing.some((list) => list.length === 0) ? [] : missing.flat();
}

/** What a reader of a result must know, as sentences. */
export function notesOf(
  { rankedBy, protocol }: Identity,
  sizes: readonly SweepSize[],
  shards: readonly Shard[] | undefined,
  log: SweepLog,
): string[] {
  const missing = missingShards(shards);
  const apart = sizes.filter(({ together }) => !together).map(({ size }) => shape(size));
  const throttled = log.records.filter(
    (record) => record.type === 'round' && record.used && record.throttledBy.length > 0,
  );
  const least = Number(protocol.parameters.rounds);
  return [
    ...(rankedBy === 'ratio' || rankedBy === 'nothing'
      ? []
      : [
          `Ranked by ${rankedBy}, which is counted on the emulator. It is no time: only a GPU tells what is fastest.`,
        ]),
    ...(missing.length === 0
      ? []
      : [`Not swept: ${missing.length === 1 ? 'shard' : 'shards'} ${missing.join(', ')}.`]),
    ...(apart.length === 0
      ? []
      : [
          `At ${apart.join(', ')} the finalists of the shards ran in different rounds, and are ranked by their ratios to the reference. ` +
            `ffma sweep --resume with this file runs the best of them together, in ${least} rounds.`,
        ]),
    ...sizes.flatMap((one) => notToldApart(log, one) ?? []),
    ...(throttled.length === 0
      ? []
      : [`${throttled.length} of the rounds that count were throttled, in spite of being run again.`]),
  ];
}

/** Ratio of the winner to the next in the rounds that both were in, where it may as well be 1. */
function notToldApart(log: SweepLog, { size, ranking, winner }: SweepSize): string | undefined {
  const [first, second] = ranking;
  if (first === undefined || second === undefined || winner !== first.id) return undefined;
  const final = openFinals(log, size).find(({ ids }) => ids.includes(first.id) && ids.includes(second.id));
  if (final === undefined) return undefined;
  const medians = (id: string) => final.rounds.map(({ us }) => median(us[final.ids.indexOf(id)] ?? []));
  const { low, high } = pairedRatio(medians(second.id), medians(first.id)).interval;
  if (low > 1 || high < 1) return undefined;
  return `At ${shape(size)} the rounds do not tell ${first.id} from ${second.id}: the 95 % interval of their ratio holds 1.`;
}
