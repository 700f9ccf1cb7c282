import { sep } from 'node:path';
import { readTuned, type TunedEntry, tunedName, tunedPath, tunedText, withTuned } from '@ffma/core';
import type { DiscoveredKernel } from '../discover/kernel-package.js';
import { shape } from '../render/numbers.js';
import { writeAtomically } from '../result/output.js';
import { UsageError } from '../usage-error.js';
import { missingShards } from './notes.js';
import type { SweepResult } from './schema.js';

/** Where winners of a kernel go. @throws UsageError for one that is installed, where they would be lost */
export function winnersFile({ definition, name }: Pick<DiscoveredKernel, 'definition' | 'name'>): string {
  if (definition === undefined)
    throw new UsageError(`${name} declares no parameters, so that no variant of it can be kept.`);
  const path = tunedPath(definition.source);
  if (!path.split(sep).includes('node_modules')) return path;
  throw new UsageError(`${path} belongs to an installed package: the next installation would overwrite it.`, {
    remedy: 'Leave out --write, and keep the result.',
  });
}

/** Why the winners of a result could be others; undefined where they could not. */
function unsure({ identity, shards, sizes, interrupted }: SweepResult): string | undefined {
  const missing = missingShards(shards);
  if (identity.rankedBy !== 'ratio') return 'it has no times';
  if (interrupted) return 'it was interrupted';
  if (missing.length > 0) return `${missing.join(', ')} of it was not swept`;
  return sizes.every(({ together }) => together) ? undefined : 'the finalists of its shards did not meet';
}

/** @throws UsageError where the result does not say which is the fastest */
function entriesOf(result: SweepResult): TunedEntry[] {
  const { identity, variants, sizes, createdAt } = result;
  const why = unsure(result);
  if (why !== undefined) throw new UsageError(`The result names no winner that could be kept: ${why}.`);
  return sizes.flatMap(({ size, winner, ranking }) => {
    const ranked = ranking.find(({ id }) => id === winner);
    const variant = variants.find(({ id }) => id === winner);
    if (ranked?.ratio === undefined || variant === undefined) return [];
    return [
      {
        gpu: identity.device.name,
        size: { m: size.m, n: size.n, k: size.k },
        params: { ...identity.params, ...variant.params },
        ratio: Number(ranked.ratio.median.toFixed(4)),
        reference: identity.reference?.id ?? '',
        at: createdAt,
      },
    ];
  });
}

export interface WrittenWinner {
  /** Name of the variant: `tuned_h200_4096`. */
  readonly name: string;
  readonly size: string;
  readonly path: string;
}

/**
 * Writes the winners of a sweep into `tuned.json` beside the kernel, each in place of that of the same GPU and size class.
 * @throws UsageError where the result has none, or the kernel belongs to an installed package
 */
export async function writeWinners(
  kernel: Pick<DiscoveredKernel, 'definition' | 'name'>,
  result: SweepResult,
): Promise<WrittenWinner[]> {
  const path = winnersFile(kernel);
  const entries = entriesOf(result);
  const before = kernel.definition === undefined ? [] : readTuned(kernel.definition);
  const all = entries.reduce<readonly TunedEntry[]>((list, entry) => withTuned(list, entry), before);
  if (entries.length > 0) await writeAtomically(path, tunedText(kernel.name, all));
  return entries.map((entry) => ({ name: tunedName(entry), size: shape(entry.size), path }));
}
