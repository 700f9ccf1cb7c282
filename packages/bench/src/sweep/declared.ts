import type { Size } from '../bench/sizes.js';
import type { SweepPlan } from './plan-sweep.js';
import type { Candidate } from './prune.js';
import type { SweepResult, SweepSize, SweptVariant } from './schema.js';

/** What no record says: it follows from the kernel's declaration. */
export interface Declared {
  readonly space: SweepResult['space'];
  readonly variants: readonly Pick<SweptVariant, 'id' | 'params'>[];
  readonly refused: readonly Pick<SweepSize, 'size' | 'refused'>[];
}

/** Refusals of a size with their ids, those of most candidates first. */
export function sortedRefusals(refusals: ReadonlyMap<string, readonly string[]>): SweepSize['refused'] {
  return [...refusals]
    .map(([reason, ids]) => ({ reason, ids: [...ids].sort() }))
    .sort((x, y) => y.ids.length - x.ids.length || (x.reason < y.reason ? -1 : 1));
}

function refusalsAt(candidates: readonly Candidate[], size: Size): { reason: string; ids: string[] }[] {
  const refusals = new Map<string, string[]>();
  for (const { id, gemm } of candidates) {
    const reason = gemm.refusal(size);
    if (reason !== undefined) refusals.set(reason, [...(refusals.get(reason) ?? []), id]);
  }
  return sortedRefusals(refusals);
}

/**
 * @param sizes those of this run and of the ones before
 * @param seen ids of candidates that the ones before worked on
 */
export function declaredOf(
  { pruned, own, space }: SweepPlan,
  sizes: readonly Size[],
  seen: ReadonlySet<string>,
): Declared {
  const { points, refused, reasons, candidates } = pruned;
  const listed = candidates.filter((candidate) => own.includes(candidate) || seen.has(candidate.id));
  const searched = Object.keys(space);
  return {
    space: { points, refused, reasons: [...reasons], candidates: candidates.length },
    variants: listed.map(({ id, params }) => ({
      id,
      params: Object.fromEntries(searched.map((name) => [name, params[name] as number | boolean])),
    })),
    refused: sizes.map((size) => ({ size: { ...size }, refused: refusalsAt(listed, size) })),
  };
}
