import type { LaunchConfig } from '@ffma/core';

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
  /** `copy` is what a `cp.async` writes to shared memory; what it reads is a load of global memory. */
  readonly kind: 'load' | 'store' | 'atomic' | 'copy';
  /** Executions by a warp: (warp, site, nth time), at least one lane active. */
  readonly requests: number;
  /** Distinct 32-byte sectors touched, summed over requests. Global only; 0 elsewhere. */
  readonly sectors: number;
  /** Lanes active × access size, in bytes. */
  readonly bytesRequested: number;
  /** Distinct bytes touched, summed over requests. Global only; 0 elsewhere. */
  readonly bytesUsed: number;
}

/** Counters of one launch, taken from the PTX that ran: the compiler's view before ptxas, not machine code. */
export interface LaunchProfile {
  readonly kernel: string;
  readonly config: LaunchConfig;
  /** Instructions executed, summed over threads, predicated-off ones included. */
  readonly instructions: Readonly<Partial<Record<InstructionClass, number>>>;
  readonly sites: readonly SiteCounters[];
}
