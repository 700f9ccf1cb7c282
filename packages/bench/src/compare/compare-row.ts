import type { ResultRow } from '../result/schema.js';
import { type JudgeOptions, judge } from './judge.js';
import { centreOf } from './level.js';
import { type FilePair, type RowPair, settingsOf } from './match.js';
import { isTimed, type Samples, samplesOf } from './samples.js';
import type { ComparedRow } from './schema.js';

type Side = ComparedRow['base'];

/** To nine digits, which is more than was measured. */
const rounded = (value: number) => Number(value.toPrecision(9));

function sideOf(row: ResultRow, figures: Samples['base'] | undefined): Side {
  const { times } = row;
  return {
    version: row.package.version,
    ...(times === undefined ? {} : { medianUs: times.medianUs }),
    ...(figures === undefined ? {} : { level: rounded(Math.exp(centreOf(figures))) }),
    perRound: (figures ?? []).map(({ value }) => rounded(Math.exp(value))),
  };
}

/** Why a row of the new file has no times, as a sentence. */
function noTimes({ correctness: { status, failures }, unranked }: ResultRow): string {
  if (status === 'refused') return `It is refused now: ${failures.join(' ') || 'no reason is given.'}`;
  return unranked ?? 'It was not timed.';
}

const isSameBytes = ({ base, new: fresh }: RowPair) =>
  base.artefact !== undefined && base.artefact.sha256 === fresh.artefact?.sha256;

type Found = Pick<ComparedRow, 'verdict'> & Partial<ComparedRow>;

function verdictOf(
  { base, new: fresh }: RowPair,
  files: FilePair,
  rule: JudgeOptions & { by: 'auto' | 'ratio' | 'time' },
): Found & { readonly samples?: Samples } {
  if (fresh.correctness.status === 'failed')
    return { verdict: 'failed', reason: fresh.correctness.failures.join(' ') || 'It is wrong.' };
  if (!isTimed(base)) return { verdict: 'incomparable', reason: 'The base has no times of it.' };
  if (!isTimed(fresh)) return { verdict: 'failed', reason: noTimes(fresh) };
  const samples = samplesOf(base, fresh, files, rule.by);
  if (typeof samples === 'string') return { verdict: 'incomparable', reason: samples };
  const { by, reference } = samples;
  const judged = judge(samples.base, samples.new, rule);
  const few = judged.interval === undefined ? { reason: 'There are too few rounds to say.' } : {};
  return { ...judged, ...few, by, ...(reference === undefined ? {} : { reference }), samples };
}

/** Judges a row; undefined where neither file has times of it, and nothing is wrong. */
export function compareRow(
  rows: RowPair,
  files: FilePair,
  pair: number,
  rule: JudgeOptions & { by: 'auto' | 'ratio' | 'time' },
): ComparedRow | undefined {
  const { base, new: fresh } = rows;
  if (!isTimed(base) && !isTimed(fresh) && fresh.correctness.status !== 'failed') return undefined;
  const { samples, ...found } = verdictOf(rows, files, rule);
  return {
    pair,
    id: fresh.id,
    kernel: fresh.kernel,
    package: fresh.package.name,
    ...(fresh.role === undefined ? {} : { role: fresh.role }),
    problem: fresh.problem,
    settings: { ...settingsOf(files.new.result, fresh) },
    ...found,
    ...(isSameBytes(rows) ? { sameBytes: true as const } : {}),
    base: sideOf(base, samples?.base),
    new: sideOf(fresh, samples?.new),
  };
}
