import { toolVersions } from '../result/provenance.js';
import type { BenchResult, ResultRow } from '../result/schema.js';
import { UsageError } from '../usage-error.js';
import { compareRow } from './compare-row.js';
import { failuresOf } from './failures.js';
import { type ComparedFile, type FilePair, matchRows } from './match.js';
import { type CompareOptions, ruleOf } from './options.js';
import type { ComparedRow, ComparisonPair, ComparisonResult, LoneRow } from './schema.js';
import { warningsOf } from './warnings.js';

function factsOf({ from, result }: ComparedFile): ComparisonPair['base'] {
  const { createdAt, tool, git, device, protocol, experiment } = result;
  const { driver } = device.details;
  return {
    from,
    createdAt,
    tool,
    device: { name: device.name, ...(driver === undefined ? {} : { driver: String(driver) }) },
    protocol: { name: protocol.name, version: protocol.version },
    ...(git === undefined ? {} : { git }),
    ...(experiment === undefined ? {} : { experiment: experiment.name }),
  };
}

const loneOf =
  ({ from }: ComparedFile) =>
  ({ id, package: owner, problem }: ResultRow): LoneRow => ({ from, id, package: owner.name, problem });

/** @throws UsageError */
function checkTimed({ from, result }: ComparedFile): void {
  if (result.rows.some(({ times }) => times !== undefined)) return;
  const counted = result.rows.some(({ counters }) => counters !== undefined);
  throw new UsageError(
    `${from} has no times${counted ? ': it was counted on an emulator' : ''}, so there is nothing to compare.`,
    { remedy: 'ffma bench --device cuda --json writes results that have.' },
  );
}

/**
 * Compares pairs of results, row by row.
 * @param notes what was left out before, as sentences
 * @throws UsageError where a file has no times, or no pair has a row in common; ArgumentError for options out of range
 */
export function comparePairs(
  pairs: readonly FilePair[],
  options: CompareOptions = {},
  notes: readonly string[] = [],
): ComparisonResult {
  const rule = ruleOf(options);
  for (const { base, new: fresh } of pairs) {
    checkTimed(base);
    checkTimed(fresh);
  }
  const compared = pairs.map((files, pair) => {
    const { both, onlyInBase, onlyInNew } = matchRows(files);
    return {
      files,
      rows: both.flatMap((rows): ComparedRow | [] => compareRow(rows, files, pair, rule) ?? []),
      onlyInBase: onlyInBase.map(loneOf(files.base)),
      onlyInNew: onlyInNew.map(loneOf(files.new)),
    };
  });
  const rows = compared.flatMap((one) => one.rows);
  const onlyInBase = compared.flatMap((one) => one.onlyInBase);
  if (rows.length === 0)
    throw new UsageError('The results have no row in common: no kernel of the same id at the same size.', {
      remedy: 'Measure both with the same kernels and --sizes.',
    });
  return {
    schemaVersion: 1,
    kind: 'comparison',
    createdAt: (options.createdAt ?? new Date()).toISOString(),
    tool: toolVersions(),
    rule,
    pairs: compared.map(({ files, rows: own }) => ({
      base: factsOf(files.base),
      new: factsOf(files.new),
      warnings: warningsOf(files, own),
    })),
    rows,
    onlyInBase,
    onlyInNew: compared.flatMap((one) => one.onlyInNew),
    notes: [...notes],
    failures: failuresOf(rows, onlyInBase, options),
  };
}

/**
 * Compares two results of `ffma bench` or `ffma experiment`, row by row.
 * @throws UsageError where one has no times, or they have no row in common; ArgumentError for options out of range
 */
export function compareResults(
  base: BenchResult,
  fresh: BenchResult,
  options: CompareOptions = {},
): ComparisonResult {
  return comparePairs(
    [{ base: { from: 'base', result: base }, new: { from: 'new', result: fresh } }],
    options,
  );
}
