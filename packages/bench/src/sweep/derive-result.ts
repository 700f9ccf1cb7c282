import { gemmFlops } from '@ffma/core';
import type { Size } from '../bench/sizes.js';
import { tflopsOf } from '../timing/peak.js';
import { countedStandings } from './count-stage.js';
import type { Declared } from './declared.js';
import { notesOf } from './notes.js';
import type { Identity, SessionRecord, SweepRecord } from './records.js';
import type { Ranked, SweepResult, SweepSize, SweptVariant } from './schema.js';
import { type Shard, shardText } from './shard.js';
import { openFinals, standings } from './standing.js';
import { SweepLog } from './sweep-log.js';

export interface ResultParts {
  readonly identity: Identity;
  readonly declared: Declared;
  readonly records: readonly SweepRecord[];
  readonly interrupted: boolean;
  readonly createdAt: string;
}

function variantOf(log: SweepLog, { id, params }: Pick<SweptVariant, 'id' | 'params'>): SweptVariant {
  const own = log.records.filter((record) => record.type === 'compiled' && record.id === id);
  const compiled = own.flatMap((record) => (record.type === 'compiled' ? [record] : []));
  const built = compiled.find(({ outcome }) => outcome === 'built') ?? compiled[0];
  const wrong = log.records.find(
    (record) => record.type === 'checked' && record.id === id && record.status !== 'passed',
  );
  const { registers, sharedBytes, blocksPerSm } = built ?? {};
  const facts = {
    ...(registers === undefined ? {} : { registers }),
    ...(sharedBytes === undefined ? {} : { sharedBytes }),
    ...(blocksPerSm === undefined ? {} : { blocksPerSm }),
  };
  if (built === undefined) return { id, params, outcome: 'unknown' };
  if (built.outcome !== 'built')
    return {
      id,
      params,
      outcome: built.outcome,
      ...(built.reason === undefined ? {} : { reason: built.reason }),
      ...facts,
    };
  if (wrong?.type === 'checked')
    return { id, params, outcome: 'wrong', reason: wrong.failures[0] ?? wrong.status, ...facts };
  const checked = log.checked(id, 'quick') !== undefined;
  return { id, params, outcome: checked ? 'built' : 'unknown', ...facts };
}

function timedRanking(log: SweepLog, size: Size): Ranked[] {
  return standings(log, size).map(({ id, rung, medianUs, ratio: { median, min, max, wins, rounds } }) => ({
    id,
    rung,
    rounds,
    medianUs,
    tflops: tflopsOf(gemmFlops(size), medianUs),
    ratio: { median, min, max, wins },
  }));
}

function sizeOf(
  log: SweepLog,
  { rankedBy, protocol }: Identity,
  { size, refused }: Pick<SweepSize, 'size' | 'refused'>,
  whole: boolean,
): SweepSize {
  if (rankedBy === 'nothing') return { size, refused, ranking: [], together: true };
  if (rankedBy !== 'ratio') {
    const ranking = countedStandings(log, size, rankedBy).map(({ id, value }) => ({ id, counter: value }));
    const winner = whole ? ranking[0]?.id : undefined;
    return { size, refused, ranking, ...(winner === undefined ? {} : { winner }), together: true };
  }
  const least = Number(protocol.parameters.rounds);
  const finals = openFinals(log, size, least);
  const ranking = timedRanking(log, size);
  const ended = log.finished(size).length > 0 && ranking[0]?.rung === 'final' && ranking[0].rounds === least;
  const winner = ended ? ranking[0]?.id : undefined;
  return { size, refused, ranking, ...(winner === undefined ? {} : { winner }), together: finals.length < 2 };
}

/** Shards in their order, each once; undefined where one process had the whole space. */
function shardsOf(sessions: readonly SessionRecord[]): Shard[] | undefined {
  if (sessions.some(({ shard }) => shard === undefined)) return undefined;
  const all = new Map(
    sessions.flatMap(({ shard }) => (shard === undefined ? [] : [[shardText(shard), shard]])),
  );
  return [...all.values()].sort((x, y) => x.count - y.count || x.index - y.index);
}

/** Everything that a result file says, from what is declared and what was recorded. */
export function deriveResult({
  identity,
  declared,
  records,
  interrupted,
  createdAt,
}: ResultParts): SweepResult {
  const log = new SweepLog(records);
  const sessions = records.flatMap((record) => (record.type === 'session' ? [record] : []));
  const first = sessions.toSorted((x, y) =>
    x.at + x.session < y.at + y.session ? -1 : 1,
  )[0] as SessionRecord;
  const shards = shardsOf(sessions);
  const sizes = declared.refused.map((one) => sizeOf(log, identity, one, !interrupted));
  return {
    schemaVersion: 1,
    kind: 'sweep',
    createdAt,
    tool: { ...identity.tool },
    ...(interrupted ? { interrupted: true as const } : {}),
    identity,
    host: first.host,
    device: first.device,
    space: declared.space,
    ...(shards === undefined ? {} : { shards }),
    variants: declared.variants
      .map((variant) => variantOf(log, variant))
      .sort((x, y) => (x.id < y.id ? -1 : 1)),
    sizes,
    notes: notesOf(identity, sizes, shards, log),
    records: [...records],
  };
}
