import { isDeepStrictEqual } from 'node:util';
import type { BenchResult, ResultRow } from '../result/schema.js';
import type { RowTimes } from '../result/times-schema.js';
import type { RoundFigure } from './level.js';
import { type FilePair, settingsOf } from './match.js';
import type { CompareBy } from './options.js';

/** What is compared of a row: logarithms of times, or of times relative to a reference's of the same round. */
export interface Samples {
  readonly by: 'ratio' | 'time';
  readonly reference?: { readonly id: string; readonly package: string };
  readonly base: readonly RoundFigure[];
  readonly new: readonly RoundFigure[];
}

export type Timed = ResultRow & { readonly times: RowTimes };

/** Pedantic or not, float32 is float32. */
const precisionOf = ({ artefact }: ResultRow) => (artefact?.mathMode === 'tf32' ? 'tf32' : 'fp32');

/** Logarithms of the times of each round. */
export const byTime = ({ rounds }: RowTimes): RoundFigure[] =>
  rounds.map(({ round, medianUs }) => ({ round, value: Math.log(medianUs) }));

const byRatio = ({ rounds, ratio }: RowTimes): RoundFigure[] =>
  (ratio?.perRound ?? []).map((value, i) => ({ round: rounds[i]?.round ?? i + 1, value: -Math.log(value) }));

/** The row that ratios at the size of a row are to. */
function referenceOf({ times, problem }: Timed, { rows }: BenchResult): ResultRow | undefined {
  const to = times.ratio?.to;
  return rows.find(
    (row) => row.id === to?.id && row.package.name === to?.package && isDeepStrictEqual(row.problem, problem),
  );
}

/** Why two rows have no ratio to the same thing, as the end of a sentence; undefined where they have. */
function noCommonReference(base: Timed, fresh: Timed, files: FilePair): string | undefined {
  const [from, to] = [base.times.ratio?.to, fresh.times.ratio?.to];
  if (from === undefined || to === undefined)
    return `${from === undefined ? (to === undefined ? 'neither file' : 'the base') : 'the new file'} has no ratio to a reference`;
  if (!isDeepStrictEqual(from, to)) return `the reference was ${from.id} and is ${to.id}`;
  const [old, now] = [referenceOf(base, files.base.result), referenceOf(fresh, files.new.result)];
  const [before, after] = [old?.artefact, now?.artefact];
  if (before === undefined || after === undefined || before.sha256 === after.sha256) return undefined;
  const versions = [before.compiler, after.compiler];
  const named = versions[0] === versions[1] ? 'other bytes' : versions.join(' and ');
  return `the reference ${to.id} is not the same (${named})`;
}

/** Why figures of two results are never set side by side, as a sentence; undefined where they can be. */
function incomparable(base: Timed, fresh: Timed, files: FilePair): string | undefined {
  const [old, now] = [files.base.result, files.new.result];
  if (old.protocol.name !== now.protocol.name)
    return `Times were taken by ${old.protocol.name}, and now by ${now.protocol.name}.`;
  const [before, after] = [settingsOf(old, base), settingsOf(now, fresh)];
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [before[name] ?? 'not said', after[name] ?? 'not said'];
    if (was !== is) return `It was measured with ${name} ${was}, and now with ${name} ${is}.`;
  }
  const [was, is] = [precisionOf(base), precisionOf(fresh)];
  return was === is ? undefined : `It computed in ${was}, and now in ${is}.`;
}

/**
 * What to compare of two rows that have times.
 * @returns a sentence where nothing of them can be set side by side
 */
export function samplesOf(base: Timed, fresh: Timed, files: FilePair, by: CompareBy): Samples | string {
  const never = incomparable(base, fresh, files);
  if (never !== undefined) return never;
  const apart = by === 'time' ? 'times are asked for' : noCommonReference(base, fresh, files);
  const reference = fresh.times.ratio?.to;
  if (apart === undefined && reference !== undefined)
    return { by: 'ratio', reference, base: byRatio(base.times), new: byRatio(fresh.times) };
  if (by === 'ratio' && fresh.role !== 'reference') return `There is no ratio to compare: ${apart}.`;
  const [old, now] = [files.base.result.device, files.new.result.device];
  if (old.name !== now.name)
    return `Times of ${old.name} and ${now.name} are not set side by side${by === 'time' ? '' : `, and ${apart}`}.`;
  return { by: 'time', base: byTime(base.times), new: byTime(fresh.times) };
}

export const isTimed = (row: ResultRow): row is Timed => row.times !== undefined;
