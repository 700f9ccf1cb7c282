import type { Sanitizers } from '../../sanitizers.js';

/** What a translation does beside computing. */
export interface TranslationOptions {
  /** Exact FMA by relaxed SIMD that is known to fuse, or by float64 arithmetic with a fix-up. */
  readonly fma: 'relaxed' | 'f64';
  /** Check addressability and initialisation on every access. Range and alignment are always checked. */
  readonly checks: boolean;
  /** What the checks look for; {@link checks} says whether any of them needs the shadow. */
  readonly sanitizers: Sanitizers;
  /** Count block executions and log accesses. */
  readonly counters: boolean;
  /** Puts what `cp.async` brings into shared memory when it is issued, not at its wait. */
  readonly copies?: 'early';
}

/** Which code is made: four lanes with registers in locals, the same with registers in memory, or one lane. */
export type Mode = 'hot' | 'cold' | 'lane';
