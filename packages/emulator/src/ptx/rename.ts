import type { Instruction, Label, Operand, PtxFunction, PtxType, PtxVariable } from './ast.js';
import { jump } from './made.js';

/** A function's body under names that no other copy of it has. */
export interface Copy {
  readonly body: (Instruction | Label)[];
  readonly registers: ReadonlyMap<string, PtxType>;
  readonly variables: readonly PtxVariable[];
}

/**
 * Copies a body for one call: registers, labels, local and parameter variables get the number of the call; shared
 * variables stay one for all copies; parameters become the variables of the call; `ret` jumps to `end`.
 */
export function renamed(
  fn: PtxFunction,
  number: number,
  params: ReadonlyMap<string, string>,
  end: string,
): Copy {
  const own = new Map<string, string>(params);
  const fresh = (name: string) => `${name}@${number}`;
  for (const register of fn.registers.keys()) own.set(register, fresh(register));
  for (const { name, space } of fn.variables) {
    own.set(name, space === 'local' || space === 'param' ? fresh(name) : `${fn.name}::${name}`);
  }
  for (const statement of fn.body)
    if (statement.kind === 'label') own.set(statement.name, fresh(statement.name));
  const nameOf = (name: string): string => own.get(name) ?? name;
  const operandOf = (operand: Operand): Operand => {
    switch (operand.kind) {
      case 'reg':
      case 'symbol':
        return { ...operand, name: nameOf(operand.name) };
      case 'address':
        return {
          ...operand,
          ...(operand.base === undefined
            ? {}
            : { base: { ...operand.base, name: nameOf(operand.base.name) } }),
          ...(operand.extra === undefined ? {} : { extra: operand.extra.map(operandOf) }),
        };
      case 'vector':
        return { ...operand, elements: operand.elements.map(operandOf) };
      default:
        return operand;
    }
  };
  const body = fn.body.map((statement): Instruction | Label => {
    if (statement.kind === 'label') return { ...statement, name: nameOf(statement.name) };
    const { guard } = statement;
    const newGuard = guard === undefined ? undefined : { ...guard, reg: nameOf(guard.reg) };
    if (statement.op === 'ret') return jump(statement, end, newGuard);
    const operands = statement.operands.map(operandOf);
    return { ...statement, operands, ...(newGuard === undefined ? {} : { guard: newGuard }) };
  });
  return {
    body,
    registers: new Map([...fn.registers].map(([name, type]) => [nameOf(name), type])),
    variables: fn.variables.map((variable) => ({ ...variable, name: nameOf(variable.name) })),
  };
}
