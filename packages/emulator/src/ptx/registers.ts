import { ASSERT } from './assertion.js';
import type { Instruction, Operand } from './ast.js';
import { SEND } from './split-warp.js';

/** Stands for the carry flag of `add.cc`, `addc` and their kin: a predicate that no declaration names. */
export const CARRY = '%cc';

export interface RegisterUse {
  /** Distinct names. A guarded instruction also reads what it writes: the old value stays where the guard is false. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

/**
 * Instructions whose first operand is no result. Those that start with an address (`st [a], b`, `red`, `prefetch`,
 * `cp.async`, `mbarrier.init`) need no entry: an address is never a result.
 */
const withoutResult: ReadonlySet<string> = new Set([
  'bar',
  'barrier',
  'bra',
  'brx',
  'ret',
  'exit',
  'trap',
  'brkpt',
  'pmevent',
  'cp',
  'membar',
  'fence',
  'nanosleep',
  'setmaxnreg',
  'griddepcontrol',
  'stackrestore',
  'wgmma',
  ASSERT,
  SEND,
]);

const readsCarry: ReadonlySet<string> = new Set(['addc', 'subc', 'madc']);

/** Registers that an instruction reads and writes, its guard included. */
export function registerUse(instruction: Instruction): RegisterUse {
  const { op, modifiers, operands, guard } = instruction;
  const reads: string[] = [];
  const writes: string[] = [];
  if (guard !== undefined) reads.push(guard.reg);
  const results = resultCount(instruction);
  operands.forEach((operand, index) => {
    addRegisters(operand, index < results ? writes : reads);
  });
  if (op === 'wgmma' && modifiers[0] === 'mma_async') addRegisters(operands[0], writes);
  if (readsCarry.has(op)) add(reads, CARRY);
  if (modifiers.includes('cc')) add(writes, CARRY);
  if (guard !== undefined) for (const name of writes) add(reads, name);
  return { reads, writes };
}

/** How many of the first operands are results. */
function resultCount({ op, modifiers, operands, pair }: Instruction): number {
  if (pair) return 2;
  if (operands[0]?.kind === 'address') return 0;
  if ((op === 'bar' || op === 'barrier') && modifiers.includes('red')) return 1;
  return withoutResult.has(op) ? 0 : 1;
}

function addRegisters(operand: Operand | undefined, to: string[]): void {
  switch (operand?.kind) {
    case 'reg':
      add(to, operand.name);
      break;
    case 'vector':
      for (const element of operand.elements) addRegisters(element, to);
      break;
    case 'address':
      if (operand.base?.kind === 'reg') add(to, operand.base.name);
      for (const extra of operand.extra ?? []) addRegisters(extra, to);
      break;
  }
}

function add(to: string[], name: string): void {
  if (!to.includes(name)) to.push(name);
}
