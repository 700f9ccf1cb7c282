import type { Instruction, Label, Operand, PtxFunction, PtxType } from './ast.js';
import { around, placeOf } from './made.js';

/** Replaces every `brx.idx` by comparisons and branches: an index past the table goes where its last entry does. */
export function expandSwitches(fn: PtxFunction): PtxFunction {
  const registers = new Map<string, PtxType>(fn.registers);
  let count = 0;
  const body = fn.body.flatMap((statement): (Instruction | Label)[] => {
    if (statement.kind === 'label' || statement.op !== 'brx') return [statement];
    const [index, table] = statement.operands;
    if (index === undefined || table?.kind !== 'vector' || table.elements.length === 0) return [statement];
    const number = count++;
    const last = table.elements.length - 1;
    const steps = table.elements.flatMap((target, i): Instruction[] => {
      const branch: Instruction = { ...placeOf(statement), op: 'bra', modifiers: [], operands: [target] };
      if (i === last) return [branch];
      const reg = `%case:${number}.${i}`;
      registers.set(reg, 'pred');
      const operands: Operand[] = [{ kind: 'reg', name: reg }, index, { kind: 'int', value: BigInt(i) }];
      return [
        { ...placeOf(statement), op: 'setp', modifiers: ['eq', 's32'], operands },
        { ...branch, guard: { reg, negate: false } },
      ];
    });
    return around(statement, `$switch${number}`, steps);
  });
  return count === 0 ? fn : { ...fn, body, registers };
}
