import { registersIn, type SassInstruction, widthOf } from './instruction.js';

/** Instructions that read their first operand rather than write it. */
const READS_FIRST = /^(?:ST|RED|BAR|EXIT|BRA|LDGSTS|ISETP|FSETP)/;

function reads({ mnemonic, operands }: SassInstruction, registers: ReadonlySet<number>): boolean {
  const sources = READS_FIRST.test(mnemonic) ? operands : operands.slice(1);
  return sources.some((operand) => registersIn(operand).some(({ register }) => registers.has(register)));
}

/**
 * Of each LDS of a loop, the number of instructions from it to the first that reads what it loads, around the loop's
 * end where need be. One whose result nothing in the loop reads has none.
 */
export function distancesToUse(loop: readonly SassInstruction[]): number[] {
  return loop.flatMap((load, at) => {
    if (load.mnemonic !== 'LDS' || load.predicate === '!PT') return [];
    const first = registersIn(load.operands[0] ?? '')[0]?.register;
    if (first === undefined) return [];
    const loaded = new Set(Array.from({ length: widthOf(load) }, (_, i) => first + i));
    for (let distance = 1; distance <= loop.length; distance++) {
      if (reads(loop[(at + distance) % loop.length] as SassInstruction, loaded)) return [distance];
    }
    return [];
  });
}
