import type { Instruction, Operand } from './ast.js';

/** What stands for a call of `__assertfail`: the addresses of message and file, the line, the address of the function. */
export const ASSERT = 'assert.fail';

/** The call as one instruction; its operands are read from the variables that the parameters were stored to. */
export function assertion(call: Instruction, args: readonly Operand[]): Instruction {
  const { guard: _, ...rest } = call;
  const operands = args
    .slice(0, 4)
    .map(
      (arg): Operand =>
        arg.kind === 'symbol'
          ? { kind: 'address', base: { kind: 'symbol', name: arg.name }, offset: 0 }
          : arg,
    );
  return { ...rest, op: ASSERT, modifiers: [], operands };
}
