import type {
  Derived,
  EntryResources,
  ManifestArtefact,
  Needs,
  Occupancy,
  Params,
  Plan,
  Resources,
} from '@ffma/core';

export interface InspectedLaunch {
  readonly entry: string;
  readonly symbol: string;
  /** Threads a block, as planned. */
  readonly threads: number;
  /** Shared memory of a block, in bytes: static plus dynamic. */
  readonly sharedBytes: number;
  readonly staticSharedBytes: number;
  readonly dynamicSharedBytes: number;
  /** What its entry uses: by ptxas, or estimated; then so is what follows from it. */
  readonly resources: EntryResources;
  readonly occupancy: Occupancy;
  /** Blocks in all, and how often the device can be filled with them; undefined where it holds none. */
  readonly blocks: number;
  readonly waves: number | undefined;
}

/** What a variant would launch for a problem on a device. */
export interface InspectedPlan {
  readonly problem: { readonly m: number; readonly n: number; readonly k: number };
  readonly device: { readonly name: string; readonly arch: string };
  /** Why it does not take the problem, or the device no block of it, as a sentence; then there is no plan. */
  readonly refusal: string | undefined;
  readonly plan: Plan | undefined;
  /** What the plan was told about registers and shared memory, by entry. */
  readonly resources: Resources;
  readonly launches: readonly InspectedLaunch[];
}

/** All that can be known about a variant without running it. */
export interface Inspection {
  readonly id: string;
  readonly kernel: string;
  readonly package: { readonly name: string; readonly version: string };
  readonly change: string;
  readonly lesson: string | undefined;
  readonly basedOn: string | undefined;
  readonly exactness: string;
  /** Has m, n and k compiled in; `open`: those of a problem, when it is loaded. */
  readonly specialised: boolean;
  readonly open: boolean;
  readonly variants: readonly { readonly name: string; readonly id: string }[];
  readonly params: Params;
  readonly derived: Derived | undefined;
  readonly rules: readonly string[];
  readonly needs: Needs;
  readonly claims: readonly string[];
  /** Device symbol by entry. */
  readonly symbols: Readonly<Record<string, string>>;
  readonly artefacts: readonly ManifestArtefact[];
  readonly plan: InspectedPlan | undefined;
}
