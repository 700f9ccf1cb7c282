import { isDeepStrictEqual } from 'node:util';
import { type Size, sameSize, sizeFrom } from '../bench/sizes.js';
import { shape } from '../render/numbers.js';
import { uuidDigest } from '../result/provenance.js';
import type { BenchResult, ResultRow } from '../result/schema.js';
import type { Session } from '../result/times-schema.js';
import { UsageError } from '../usage-error.js';
import type { Entry } from './entrant.js';

/** What a result has of one size. */
export interface SizePart {
  readonly size: Size;
  readonly rows: readonly ResultRow[];
  readonly session: Session | undefined;
}

/** Details of a device, whether its UUID was kept as it is or not. */
function detailsOf({ details: { uuid, ...others } }: BenchResult['device']) {
  return uuid === undefined ? others : { ...others, gpu: uuidDigest(String(uuid)) };
}

const identity = ({ device, protocol, tool }: BenchResult) => ({
  'the device': [device.name, device.arch, detailsOf(device)],
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

const refOf = ({ kernel: { gemm, kernel } }: Entry) => ({ id: gemm.id, package: kernel.package.name });

const isRowOf = (row: ResultRow, entry: Entry) =>
  isDeepStrictEqual(refOf(entry), { id: row.id, package: row.package.name });

/** Whether a row is of what would run now: the same version and, of what was built, the same bytes. */
function isCurrent(row: ResultRow, { kernel: { kernel }, asked }: Entry): boolean {
  const { version, manifest } = kernel.package;
  if (row.package.version !== version || (asked && !row.asked)) return false;
  const built = (manifest?.artefacts ?? []).filter(({ id }) => id === row.id);
  return built.length === 0 || built.some(({ sha256 }) => sha256 === row.artefact?.sha256);
}

/** Sizes of an earlier result, in its order, with all that it has of each. */
export function earlierSizes(earlier: BenchResult | undefined): SizePart[] {
  const { rows = [], sessions = [] } = earlier ?? {};
  const parts = new Map<string, SizePart>();
  for (const size of rows.map(({ problem }) => sizeFrom(problem))) {
    const here = ({ problem }: { problem: Size }) => sameSize(problem, size);
    parts.set(shape(size), {
      size,
      rows: rows.filter(here),
      session: sessions.find(here),
    });
  }
  return [...parts.values()];
}

/** Whether it is whole, and whatever would run now ran then, in the same session, beside the same reference. */
function isWhole({ rows, session }: SizePart, entries: readonly Entry[], reference: Entry | undefined) {
  if (session === undefined || session.interrupted) return false;
  const beside = rows.find(({ role }) => role === 'reference');
  if ((beside === undefined) !== (reference === undefined)) return false;
  return entries.every((entry) => {
    const row = rows.find((one) => isRowOf(one, entry));
    return row !== undefined && isCurrent(row, entry) && (row === beside) === (entry === reference);
  });
}

/**
 * What an earlier result has of a size, where that stays as it is, also what nobody asks for now; undefined where the
 * size is to be measured. Kernels are timed against each other, so that it is measured as a whole or not at all.
 * @throws UsageError where kernels that somebody had measured at it would not be measured again
 */
export function keptPart(
  part: SizePart | undefined,
  entries: readonly Entry[],
  reference: Entry | undefined,
): SizePart | undefined {
  if (part === undefined || isWhole(part, entries, reference)) return part;
  const lost = part.rows.filter((row) => row.asked && !entries.some((entry) => isRowOf(row, entry)));
  if (lost.length === 0) return undefined;
  throw new UsageError(
    `The earlier result has ${lost.map(({ id }) => id).join(', ')} at ${shape(part.size)}, which would be lost: ` +
      'kernels of a size are timed together, and this one has to be measured anew.',
    { remedy: 'Name those kernels too, or write to another file.' },
  );
}
