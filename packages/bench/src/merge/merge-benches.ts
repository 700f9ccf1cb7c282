import { isDeepStrictEqual } from 'node:util';
import { shape } from '../render/numbers.js';
import type { BenchResult, ResultRow } from '../result/schema.js';
import { canonical, united } from './canonical.js';
import { MergeError, type Named } from './merge-error.js';

/** A model, not the one card; of the emulator, how it was set does not matter to what it counts. */
const model = ({ device: { kind, name, arch, details } }: BenchResult) => [
  kind,
  name,
  arch,
  details.driver,
  details.profile,
];

const same: Readonly<Record<string, (result: BenchResult) => unknown>> = {
  'the model of the device, or its driver': model,
  'how it was measured': ({ protocol }) => protocol,
  'the math mode': ({ mathMode }) => mathMode,
  'the versions of the ffma packages': ({ tool }) => tool,
};

const sizeOf = ({ problem }: Pick<ResultRow, 'problem'>) => shape(problem);
/** Tells rows apart for a person; two of one size may still differ in alpha, beta or strides. */
const rowName = ({ package: { name }, id, ...row }: ResultRow) => `${name}/${id} at ${sizeOf(row)}`;
const rowKey = (row: ResultRow) => `${rowName(row)} ${canonical(row.problem)}`;

/** Where kernels of a size were timed together, that size is one whole. @throws MergeError */
function checkSessions(files: readonly Named<BenchResult>[]): void {
  const seen = new Map<string, { from: string; text: string }>();
  for (const { from, result } of files) {
    for (const session of result.sessions ?? []) {
      const problem = canonical(session.problem);
      const text = canonical(session);
      const other = seen.get(problem);
      if (other !== undefined && other.text !== text) {
        throw new MergeError(
          `${other.from} and ${from} both have times of ${shape(session.problem)}, taken at different times.`,
          {
            remedy: 'Kernels of a size are timed together: measure that size again with all of them.',
          },
        );
      }
      seen.set(problem, { from, text });
    }
  }
}

/** A row that two files have must be the same in both, but for whether it was asked for. @throws MergeError */
function checkRows(files: readonly Named<BenchResult>[]): void {
  const seen = new Map<string, { from: string; row: ResultRow }>();
  for (const { from, result } of files) {
    for (const row of result.rows) {
      const other = seen.get(rowKey(row));
      const differing = (['artefact', 'correctness', 'counters', 'times'] as const).find(
        (part) => other !== undefined && !isDeepStrictEqual(other.row[part], row[part]),
      );
      if (other !== undefined && differing !== undefined)
        throw new MergeError(
          `${other.from} and ${from} do not agree on the ${differing} of ${rowName(row)}.`,
        );
      seen.set(rowKey(row), { from, row });
    }
  }
}

function rowsOf(results: readonly BenchResult[]): ResultRow[] {
  const all = new Map<string, ResultRow>();
  for (const row of united(results.flatMap(({ rows }) => rows))) {
    const key = rowKey(row);
    if (all.get(key)?.asked !== true) all.set(key, row);
  }
  const volume = ({ problem: { m, n, k } }: ResultRow) => m * n * k;
  const first = ({ role }: ResultRow) => (role === 'reference' ? 0 : 1);
  return [...all.values()].sort(
    (x, y) => volume(x) - volume(y) || first(x) - first(y) || (rowKey(x) < rowKey(y) ? -1 : 1),
  );
}

/**
 * Puts results of ffma bench together that were measured in the same way on the same model: other sizes, or, of
 * counters, other kernels. Whatever the order of the files, the result is the same.
 * @throws MergeError
 */
export function mergeBenches(files: readonly Named<BenchResult>[]): BenchResult {
  const sorted = files.toSorted((x, y) => (canonical(x.result) < canonical(y.result) ? -1 : 1));
  const [first, ...others] = sorted as [Named<BenchResult>, ...Named<BenchResult>[]];
  for (const { from, result } of others) {
    const differs = Object.entries(same).filter(([, of]) => !isDeepStrictEqual(of(first.result), of(result)));
    if (differs.length > 0) {
      const what = differs.map(([name]) => name).join('; in ');
      throw new MergeError(`${first.from} and ${from} do not go together: they differ in ${what}.`);
    }
  }
  checkSessions(sorted);
  checkRows(sorted);
  const results = sorted.map(({ result }) => result);
  const { experiment: _, interrupted: __, sessions: ___, ...envelope } = first.result;
  const sessions = united(results.flatMap((result) => result.sessions ?? []));
  return {
    ...envelope,
    createdAt: results
      .map(({ createdAt }) => createdAt)
      .sort()
      .at(-1) as string,
    ...(results.some(({ interrupted }) => interrupted === true) ? { interrupted: true as const } : {}),
    rows: rowsOf(results),
    ...(sessions.length === 0 ? {} : { sessions }),
  };
}
