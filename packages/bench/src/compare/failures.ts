import { shape } from '../render/numbers.js';
import { tenths } from '../render/times.js';
import type { CompareOptions } from './options.js';
import type { ComparedRow, LoneRow } from './schema.js';

const labelOf = ({ id, problem }: Pick<ComparedRow, 'id' | 'problem'>) => `${id} at ${shape(problem)}`;

function failureOf(row: ComparedRow, { failOn, failOnUnclear }: CompareOptions): string[] {
  const { verdict, reason, role, referenceMoved, change = 0, interval } = row;
  if (verdict === 'failed') return [`${labelOf(row)} failed: ${reason}`];
  if (role === 'reference') return [];
  const slower = change > (failOn ?? Number.POSITIVE_INFINITY) && (interval?.low ?? 0) > 0;
  if (failOn !== undefined && slower && !referenceMoved)
    return [`${labelOf(row)} is ${tenths(change)} % slower; up to ${tenths(failOn)} % is allowed.`];
  if (failOnUnclear && verdict === 'unclear')
    return [`${labelOf(row)} is unclear.${reason === undefined ? '' : ` ${reason}`}`];
  if (failOnUnclear && verdict === 'incomparable') return [`${labelOf(row)} cannot be compared: ${reason}`];
  return [];
}

/** Why a comparison fails, as sentences: first what is wrong now, always; then the rest, where it was asked for. */
export function failuresOf(
  rows: readonly ComparedRow[],
  missing: readonly LoneRow[],
  options: CompareOptions,
): string[] {
  const gone = options.failOnMissing ? missing.map((row) => `${labelOf(row)} is not in the new file.`) : [];
  const of = (failed: boolean) => rows.filter(({ verdict }) => (verdict === 'failed') === failed);
  return [...[...of(true), ...of(false)].flatMap((row) => failureOf(row, options)), ...gone];
}
