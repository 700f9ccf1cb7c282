import {
  type Derived,
  type Gemm,
  type KernelDefinition,
  type Params,
  type Rule,
  variantId,
  type Widen,
} from '@ffma/core';
import type { DiscoveredKernel } from '../discover/kernel-package.js';
import { sentenceOf } from '../error-sentence.js';
import { pointsOf, type SearchSpace } from './space.js';

/** A point of the space that no rule refuses. */
export interface Candidate {
  readonly id: string;
  /** All parameters, with those that are not searched. */
  readonly params: Params;
  readonly gemm: Gemm;
}

/** Points that are refused for one reason; a point that breaks two rules is counted at both. */
export interface PrunedBy {
  readonly reason: string;
  readonly count: number;
}

export interface PrunedSpace {
  /** Points in all. */
  readonly points: number;
  /** Points that were refused, each once. */
  readonly refused: number;
  /** Most first. */
  readonly reasons: readonly PrunedBy[];
  readonly candidates: readonly Candidate[];
}

type Any = Widen<Params>;

function brokenRules(definition: KernelDefinition, params: Any): readonly Rule[] {
  const { rules = [] } = definition;
  const derived = definition.derive(params);
  const full: Derived = { ...derived, dynamicSharedBytes: derived?.dynamicSharedBytes ?? 0 };
  return rules.filter((rule) => !rule.holds(params, full));
}

/** A variant, or why there is none: the sentences of the rules that it breaks. */
function variantAt(kernel: DiscoveredKernel, definition: KernelDefinition, point: Params): Gemm | string[] {
  const params = { ...definition.params, ...point } as Any;
  try {
    const broken = brokenRules(definition, params);
    if (broken.length > 0) return broken.map(({ sentence }) => sentence);
    return (kernel.with as NonNullable<DiscoveredKernel['with']>)(point);
  } catch (error) {
    // What derive() gave, or threw: the id would make a reason of its own of every point.
    return [sentenceOf(error).replaceAll(variantId(definition.name, params), definition.name)];
  }
}

/** Sorts the points of a space into those that the kernel's declaration takes and those that it refuses, before any compiler runs. */
export function pruneSpace(
  kernel: DiscoveredKernel,
  definition: KernelDefinition,
  space: SearchSpace,
): PrunedSpace {
  const counts = new Map<string, number>();
  const candidates: Candidate[] = [];
  let points = 0;
  let refused = 0;
  for (const point of pointsOf(space)) {
    points++;
    const gemm = variantAt(kernel, definition, point);
    if (Array.isArray(gemm)) {
      refused++;
      for (const reason of gemm) counts.set(reason, (counts.get(reason) ?? 0) + 1);
    } else {
      candidates.push({ id: gemm.id, params: { ...definition.params, ...point }, gemm });
    }
  }
  const reasons = [...counts].map(([reason, count]) => ({ reason, count }));
  return {
    points,
    refused,
    reasons: reasons.sort((x, y) => y.count - x.count || (x.reason < y.reason ? -1 : 1)),
    candidates,
  };
}
