import type { Size } from '../bench/sizes.js';
import { shape } from '../render/numbers.js';
import { sortedRefusals } from '../sweep/declared.js';
import { deriveResult } from '../sweep/derive-result.js';
import { differences } from '../sweep/identity.js';
import { keyOf } from '../sweep/keys.js';
import type { SweepRecord } from '../sweep/records.js';
import type { SweepResult } from '../sweep/schema.js';
import { canonical, united } from './canonical.js';
import { MergeError, type Named } from './merge-error.js';

/** What a record says of a candidate that another one must say, too; undefined where several may stand side by side. */
function claimOf(record: SweepRecord): { readonly about: string; readonly says: unknown } | undefined {
  if (record.type === 'compiled') {
    const { ms: _, ...says } = record;
    return { about: `how ${keyOf(record.id, record.size)} compiles`, says };
  }
  if (record.type === 'counted')
    return { about: `what ${keyOf(record.id, record.size)} counts`, says: record.values };
  return undefined;
}

/** One record for each claim: of those that differ in nothing but how long they took, the first. @throws MergeError */
function agreed(records: readonly SweepRecord[]): SweepRecord[] {
  const claims = new Map<string, string>();
  return records.filter((record) => {
    const claim = claimOf(record);
    if (claim === undefined) return true;
    const says = canonical(claim.says);
    const other = claims.get(claim.about);
    if (other !== undefined && other !== says) {
      throw new MergeError(`The results do not agree on ${claim.about}: ${other} and ${says}.`, {
        remedy: 'One of them was made by something else; leave it out.',
      });
    }
    claims.set(claim.about, says);
    return other === undefined;
  });
}

/** Verdicts that contradict each other, as sentences: they are kept, and the bad one stands. */
function contradictions(records: readonly SweepRecord[]): string[] {
  const verdicts = new Map<string, Set<string>>();
  for (const record of records) {
    if (record.type !== 'checked') continue;
    const about = `${keyOf(record.id, record.size)} (${record.level})`;
    verdicts.set(about, (verdicts.get(about) ?? new Set()).add(record.status));
  }
  return [...verdicts]
    .filter(([, statuses]) => statuses.size > 1)
    .map(
      ([about, statuses]) =>
        `${about} was judged ${[...statuses].sort().join(' and ')}; it counts as failed.`,
    )
    .sort();
}

/** Refusals of a size: each shard knows those of its own candidates. */
function refusedAt(size: Size, results: readonly SweepResult[]): SweepResult['sizes'][number]['refused'] {
  const refusals = new Map<string, string[]>();
  for (const one of results.flatMap(({ sizes }) =>
    sizes.filter((other) => shape(other.size) === shape(size)),
  )) {
    for (const { reason, ids } of one.refused)
      refusals.set(reason, [...new Set([...(refusals.get(reason) ?? []), ...ids])]);
  }
  return sortedRefusals(refusals);
}

function sizesIn(results: readonly SweepResult[]): Size[] {
  const all = results.flatMap(({ sizes }) => sizes.map(({ size }) => size));
  const unique = new Map(all.map((size) => [shape(size), size]));
  return [...unique.values()].sort(
    (x, y) => x.m * x.n * x.k - y.m * y.n * y.k || (shape(x) < shape(y) ? -1 : 1),
  );
}

/**
 * Puts sweeps of the same kernel, space, device and protocol together: shards, or other sizes. Whatever the order of
 * the files, the result is the same.
 * @throws MergeError where they do not go together, or contradict each other in what cannot differ
 */
export function mergeSweeps(files: readonly Named<SweepResult>[]): SweepResult {
  const [first, ...others] = files.toSorted((x, y) =>
    canonical(x.result) < canonical(y.result) ? -1 : 1,
  ) as [Named<SweepResult>, ...Named<SweepResult>[]];
  for (const { from, result } of others) {
    const differs = differences(first.result.identity, result.identity);
    if (canonical(first.result.space) !== canonical(result.space)) differs.push('what the rules refuse');
    if (differs.length > 0)
      throw new MergeError(
        `${first.from} and ${from} do not go together: they differ in ${differs.join('; in ')}.`,
      );
  }
  const results = [first, ...others].map(({ result }) => result);
  const records = agreed(united(results.flatMap((result) => result.records)));
  const variants = united(
    results.flatMap((result) => result.variants.map(({ id, params }) => ({ id, params }))),
  );
  const refused = sizesIn(results).map((size) => ({ size, refused: refusedAt(size, results) }));
  const merged = deriveResult({
    identity: first.result.identity,
    declared: { space: first.result.space, variants, refused },
    records,
    interrupted: results.some(({ interrupted }) => interrupted === true),
    createdAt: results
      .map(({ createdAt }) => createdAt)
      .sort()
      .at(-1) as string,
  });
  return { ...merged, notes: [...merged.notes, ...contradictions(records)] };
}
