import type { Instruction, Label } from './ast.js';

/** The place of an instruction, for others that stand for it. */
export function placeOf({ line, text, source }: Instruction) {
  return { kind: 'instruction' as const, line, text, ...(source === undefined ? {} : { source }) };
}

/** A branch that stands for part of an instruction. */
export function jump(instruction: Instruction, to: string, guard?: Instruction['guard']): Instruction {
  return {
    ...placeOf(instruction),
    op: 'bra',
    modifiers: [],
    operands: [{ kind: 'symbol', name: to, offset: 0 }],
    ...(guard === undefined ? {} : { guard }),
  };
}

/** Statements that are passed by where the instruction's guard is false; the statements themselves have none. */
export function around(
  instruction: Instruction,
  label: string,
  statements: readonly (Instruction | Label)[],
): (Instruction | Label)[] {
  const { guard, line } = instruction;
  if (guard === undefined) return [...statements];
  const skip = jump(instruction, label, { reg: guard.reg, negate: !guard.negate });
  return [skip, ...statements, { kind: 'label', name: label, line }];
}
