import type { Instruction } from '../../ptx/ast.js';

/**
 * What an access is to other blocks, as bits: it reads, writes; is strong, so that it does not race with its like (PTX
 * ISA, "Memory Consistency Model"); acquires, releases; and whether it updates what is there, as an atomic does.
 */
export const GLOBAL_ACCESS = { read: 1, write: 2, strong: 4, acquire: 8, release: 16, update: 32 } as const;

const { strong, acquire, release } = GLOBAL_ACCESS;

/** Whether other blocks are among those that an instruction speaks to. */
export const reachesBlocks = ({ modifiers }: Instruction): boolean => !modifiers.includes('cta');

/** The bits that an instruction's words give it; `atomic`: it is strong without saying so. */
export function orderBits(instruction: Instruction, atomic: boolean): number {
  if (!reachesBlocks(instruction)) return 0;
  const says = (...words: string[]) => words.some((word) => instruction.modifiers.includes(word));
  return (
    (atomic || says('volatile', 'relaxed', 'acquire', 'release', 'acq_rel', 'mmio') ? strong : 0) |
    (says('acquire', 'acq_rel') ? acquire : 0) |
    (says('release', 'acq_rel') ? release : 0)
  );
}
