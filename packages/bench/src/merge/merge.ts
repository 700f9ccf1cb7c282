import type { AnyResult, ResultKindName, ResultOf } from '../result/kinds.js';
import { mergeBenches } from './merge-benches.js';
import { MergeError, type Named } from './merge-error.js';
import { mergeSweeps } from './merge-sweeps.js';

const ofOneKind = <Kind extends ResultKindName>(files: readonly Named<AnyResult>[], kind: Kind) =>
  files.filter((file): file is Named<ResultOf<Kind>> => file.result.kind === kind);

/**
 * Puts result files of one kind together: sweeps, or results of ffma bench.
 * @throws MergeError for other kinds, for different ones, and for results that do not go together
 */
export function mergeResults(files: readonly Named<AnyResult>[]): AnyResult {
  const [first, ...others] = files;
  if (first === undefined) throw new MergeError('There is nothing to merge.');
  const other = others.find(({ result }) => result.kind !== first.result.kind);
  if (other !== undefined) {
    throw new MergeError(
      `${first.from} is a ${first.result.kind} result and ${other.from} a ${other.result.kind} result; only results of one kind go together.`,
    );
  }
  if (first.result.kind === 'sweep') return mergeSweeps(ofOneKind(files, 'sweep'));
  if (first.result.kind === 'bench') return mergeBenches(ofOneKind(files, 'bench'));
  throw new MergeError(`${first.from} is a ${first.result.kind} result; those are not merged.`, {
    remedy: 'Results of ffma sweep and ffma bench are.',
  });
}
