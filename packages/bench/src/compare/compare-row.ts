import { signed } from '../render/numbers.js';
import type { ResultRow } from '../result/schema.js';
import { sameClocks } from './clocks.js';
import { type Judgement, judge } from './judge.js';
import { centreOf, LEAST_ROUNDS } from './level.js';
import { type FilePair, type RowPair, settingsOf } from './match.js';
import type { Rule } from './options.js';
import { byTime, isTimed, type Samples, samplesOf, type Timed } from './samples.js';
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

/**
 * Why a ratio is not believed, as a sentence. A ratio cancels what slows kernel and reference alike, but holds what
 * only the reference does, which can be a tenth of its time from one run to the next. At the same clocks nothing slows
 * both, so that times must say the same.
 */
function contradiction(
  judged: Judgement,
  base: Timed,
  fresh: Timed,
  files: FilePair,
  rule: Rule,
): string | undefined {
  if (judged.verdict === 'unclear') return undefined;
  const [before, after] = [byTime(base.times), byTime(fresh.times)];
  const moved = Math.abs(centreOf(after) - centreOf(before) - Math.log1p(judged.change));
  if (moved <= Math.log1p(rule.threshold)) return undefined;
  if (!sameClocks(files.base.result, files.new.result, fresh.problem)) return undefined;
  const times = judge(before, after, rule);
  if (times.verdict === judged.verdict) return undefined;
  const id = fresh.times.ratio?.to.id;
  return (
    `Relative to ${id} it is ${judged.verdict} (${signed(judged.change)} %), but by time, at the same clocks, ` +
    `${times.verdict} (${signed(times.change)} %): ${id} itself moved. Measure both again, or compare --by time.`
  );
}

function judgeRow(
  base: Timed,
  fresh: Timed,
  files: FilePair,
  rule: Rule,
): Found & { readonly samples?: Samples } {
  const samples = samplesOf(base, fresh, files, rule.by);
  if (typeof samples === 'string') return { verdict: 'incomparable', reason: samples };
  const { by, reference } = samples;
  if (Math.min(samples.base.length, samples.new.length) === 0)
    return { verdict: 'incomparable', reason: 'A side has no rounds that count.' };
  const judged = judge(samples.base, samples.new, rule);
  const found = { ...judged, by, ...(reference === undefined ? {} : { reference }), samples };
  if (judged.interval === undefined)
    return { ...found, reason: `It takes ${LEAST_ROUNDS} rounds on each side to say.` };
  const reason = by === 'ratio' ? contradiction(judged, base, fresh, files, rule) : undefined;
  return reason === undefined ? found : { ...found, verdict: 'unclear', reason, referenceMoved: true };
}

function verdictOf({ base, new: fresh }: RowPair, files: FilePair, rule: Rule) {
  if (fresh.correctness.status === 'failed')
    return { verdict: 'failed' as const, reason: fresh.correctness.failures.join(' ') || 'It is wrong.' };
  if (!isTimed(base)) return { verdict: 'incomparable' as const, reason: 'The base has no times of it.' };
  if (!isTimed(fresh)) return { verdict: 'failed' as const, reason: noTimes(fresh) };
  return judgeRow(base, fresh, files, rule);
}

/** Judges a row; undefined where neither file has times of it, and nothing is wrong. */
export function compareRow(
  rows: RowPair,
  files: FilePair,
  pair: number,
  rule: Rule,
): ComparedRow | undefined {
  const { base, new: fresh } = rows;
  if (!isTimed(base) && !isTimed(fresh) && fresh.correctness.status !== 'failed') return undefined;
  const { samples, ...found }: Found & { samples?: Samples } = verdictOf(rows, files, rule);
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
