import type { ModelBlock } from '../kernel-model.js';
import { registersRead } from '../lower/spec.js';

/** Registers that live in this block only, by the instruction that uses them last. */
export function lastUses(block: ModelBlock, crossing: ReadonlySet<string>): Map<number, string[]> {
  const last = new Map<string, number>();
  const note = (register: string | undefined, index: number) => {
    if (register !== undefined && !crossing.has(register)) last.set(register, index);
  };
  block.instructions.forEach(({ instruction, ops }, index) => {
    note(instruction.guard?.reg, index);
    for (const op of ops) {
      if ('dst' in op) note(op.dst?.reg, index);
      if ('elements' in op) for (const element of op.elements) note(element?.reg, index);
      for (const register of registersRead(op)) note(register, index);
    }
  });
  if (block.terminator.kind === 'branch') last.delete(block.terminator.guard.reg);
  const by = new Map<number, string[]>();
  for (const [register, index] of last) by.set(index, [...(by.get(index) ?? []), register]);
  return by;
}
