import type { LaunchConfig } from '@ffma/core';
import type { L2Figures } from '../caches/l2-model.js';

/** Instruction classes that are counted; every instruction is in exactly one. */
export type InstructionClass =
  | 'ffma'
  | 'fp'
  | 'integer'
  | 'move'
  | 'convert'
  | 'predicate'
  | 'branch'
  | 'barrier'
  | 'load.global'
  | 'load.shared'
  | 'load.local'
  | 'load.param'
  | 'load.const'
  | 'store.global'
  | 'store.shared'
  | 'store.local'
  | 'atomic'
  | 'async'
  | 'special';

/** What one load, store or atomic instruction of the PTX did over a whole launch. */
export interface SiteCounters {
  readonly ptxLine: number;
  readonly instruction: string;
  readonly source?: { readonly file: string; readonly line: number };
  readonly space: 'global' | 'shared' | 'local';
  /** `copy` is what a `cp.async`, or a copy in bulk, writes to shared memory; what it reads is a load of global memory. */
  readonly kind: 'load' | 'store' | 'atomic' | 'copy';
  /** Executions by a warp: (warp, site, nth time), at least one lane active; of copies in bulk, by a thread. */
  readonly requests: number;
  /** Distinct 32-byte sectors touched, summed over requests. Global only; 0 elsewhere. */
  readonly sectors: number;
  /** Lanes active × access size, in bytes. */
  readonly bytesRequested: number;
  /** Distinct bytes touched, summed over requests. Global only; 0 elsewhere. */
  readonly bytesUsed: number;
  /** Passes through the banks of shared memory, summed over requests. Shared only; 0 elsewhere. */
  readonly wavefronts: number;
  /** Passes that would be left if no two words of a phase shared a bank; the rest are bank conflicts. */
  readonly idealWavefronts: number;
}

/** Counters of one launch, taken from the PTX that ran: the compiler's view before ptxas, not machine code. */
export interface LaunchProfile {
  readonly kernel: string;
  readonly config: LaunchConfig;
  /** Instructions executed, summed over threads, predicated-off ones included. */
  readonly instructions: Readonly<Partial<Record<InstructionClass, number>>>;
  /** Instructions of the PTX itself, by class: what there is, however often it runs. */
  readonly staticInstructions: Readonly<Partial<Record<InstructionClass, number>>>;
  readonly sites: readonly SiteCounters[];
  /** What a model of the L2 cache says, where it was asked for. */
  readonly l2?: L2Figures;
}
