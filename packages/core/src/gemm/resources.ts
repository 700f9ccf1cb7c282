import type { KernelResources } from '../compile/log.js';
import type { Variant } from './define-kernel.js';
import type { EntryResources, Resources } from './kernel-definition.js';

/** What the compiler counted, by entry; without those it did not see. */
export type CountedResources = Readonly<Partial<Record<string, KernelResources>>>;

/** Registers of a multiprocessor, from sm_80 on: no more are there for all threads of a block. */
const REGISTERS = 65536;
const MOST_REGISTERS = 255;
/** Registers are given to a thread in units of so many. */
const UNIT = 8;

/** Registers that a launch bound leaves a thread: the compiler uses no more. */
function registersWithin(threads: number): number {
  return Math.min(MOST_REGISTERS, Math.floor(REGISTERS / threads / UNIT) * UNIT);
}

/**
 * What each entry uses, as `plan` is told: as ptxas counted it, or, where none did, the most that the entry's launch
 * bound leaves a thread, and the shared memory that the declaration gives.
 */
export function resourcesOf(variant: Variant, counted: CountedResources = {}): Resources {
  const { threads: usual, sharedBytes } = variant.derived;
  const each = Object.entries(variant.entries).map(([entry, { threads = usual }]) => {
    const own = counted[entry];
    const estimate = { registers: registersWithin(threads), sharedBytes, spillBytes: 0, estimated: true };
    const resources: EntryResources = own === undefined ? estimate : { ...own, estimated: false };
    return [entry, resources];
  });
  return Object.fromEntries(each) as Resources;
}
