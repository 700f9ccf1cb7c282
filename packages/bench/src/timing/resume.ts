import { isDeepStrictEqual } from 'node:util';
import type { Size } from '../bench/sizes.js';
import type { BenchResult, ResultRow } from '../result/schema.js';
import type { Session } from '../result/times-schema.js';
import { UsageError } from '../usage-error.js';
import type { Entry } from './entrant.js';

/** One size of an earlier result. */
export interface KeptSize {
  readonly rows: readonly ResultRow[];
  readonly session: Session;
}

const identity = ({ device, protocol, tool }: BenchResult) => ({
  'the device': [device.name, device.arch, device.details],
  'how times are taken': protocol,
  'the versions of the packages': tool,
});

/**
 * @param now a result of this run, without rows
 * @throws UsageError naming what an earlier result was made with that is not the same now
 */
export function checkResumable(earlier: BenchResult, now: BenchResult): void {
  const [before, after] = [identity(earlier), identity(now)];
  for (const [what, value] of Object.entries(after)) {
    const old = before[what as keyof typeof before];
    // As JSON keeps it: what is undefined is not there.
    if (isDeepStrictEqual(old, JSON.parse(JSON.stringify(value)))) continue;
    throw new UsageError(`The earlier result cannot be resumed: ${what} changed since.`, {
      remedy: 'Write to another file, or leave out --resume.',
    });
  }
}

/** Whether a row is of what would run now: the same version and, of what was built, the same bytes. */
function isOf(row: ResultRow, { kernel: { gemm, kernel }, asked }: Entry): boolean {
  const { name, version, manifest } = kernel.package;
  if (row.id !== gemm.id || row.asked !== asked) return false;
  if (row.package.name !== name || row.package.version !== version) return false;
  const built = (manifest?.artefacts ?? []).filter(({ id }) => id === row.id);
  return built.length === 0 || built.some(({ sha256 }) => sha256 === row.artefact?.sha256);
}

/** What an earlier result has of a size, if that is whole and of the same kernels; undefined where it is not. */
export function keptSize(
  { rows, sessions }: BenchResult,
  { m, n, k }: Size,
  entries: readonly Entry[],
  reference: Entry | undefined,
): KeptSize | undefined {
  const here = ({ problem }: { problem: Size }) => problem.m === m && problem.n === n && problem.k === k;
  const session = sessions?.find(here);
  const own = rows.filter(here);
  if (session === undefined || session.interrupted || own.length !== entries.length) return undefined;
  const same = own.every((row, i) => {
    const entry = entries[i] as Entry;
    return isOf(row, entry) && (row.role === 'reference') === (entry === reference);
  });
  return same ? { rows: own, session } : undefined;
}
