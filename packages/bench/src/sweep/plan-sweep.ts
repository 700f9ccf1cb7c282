import type { KernelDefinition } from '@ffma/core';
import type { Size } from '../bench/sizes.js';
import type { SelectedKernel } from '../discover/select.js';
import { UsageError } from '../usage-error.js';
import { type Rung, type SweepProtocol, scheduleFor } from './protocol.js';
import { type Candidate, type PrunedSpace, pruneSpace } from './prune.js';
import { inShard, type Shard } from './shard.js';
import { type SearchSpace, searchSpace } from './space.js';

/** What a sweep would do, found out without a device or a compiler. */
export interface SweepPlan {
  readonly kernel: SelectedKernel['kernel'];
  readonly definition: KernelDefinition;
  readonly space: SearchSpace;
  readonly pruned: PrunedSpace;
  /** Candidates of the shard; of the whole space where there is none. */
  readonly own: readonly Candidate[];
  readonly sizes: readonly { readonly size: Size; readonly takes: number; readonly rungs: readonly Rung[] }[];
}

export interface PlanOptions {
  readonly sizes: readonly Size[];
  /** Replaces or adds values of parameters; later ones win. */
  readonly space?: readonly SearchSpace[] | undefined;
  readonly shard?: Shard | undefined;
  readonly protocol: SweepProtocol;
}

/** @throws UsageError where the kernel has nothing to search, or no candidate is left */
export function planSweep({ kernel }: SelectedKernel, options: PlanOptions): SweepPlan {
  const { definition } = kernel;
  if (definition === undefined || kernel.with === undefined) {
    throw new UsageError(`${kernel.name} has no parameters to search: it is a library behind the contract.`);
  }
  const space = searchSpace(definition, ...(options.space ?? []));
  const pruned = pruneSpace(kernel, definition, space);
  const { shard, sizes, protocol } = options;
  const own = pruned.candidates.filter(({ id }) => shard === undefined || inShard(id, shard));
  if (pruned.candidates.length === 0) {
    throw new UsageError(`The rules of ${kernel.name} refuse all ${pruned.points} points of the space.`, {
      remedy: `Most: ${pruned.reasons[0]?.reason}. Widen it with --set.`,
    });
  }
  return {
    kernel,
    definition,
    space,
    pruned,
    own,
    sizes: sizes.map((size) => {
      const takes = own.filter(({ gemm }) => gemm.refusal(size) === undefined).length;
      return { size, takes, rungs: scheduleFor(takes, protocol) };
    }),
  };
}
