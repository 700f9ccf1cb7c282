import { extended } from '../lower/helpers.js';
import type { ValueOp } from '../lower/spec.js';
import type { Operands } from './operands.js';

/**
 * An operation whose narrow result fills the register that takes it. PTX ISA, "Operand Size Exceeding
 * Instruction-Type Size": a destination wider than the type is sign-extended for signed types, else zero-extended.
 */
export function filled({ regs }: Operands, op: ValueOp): ValueOp {
  const { fills, dst, vector: _, ...rest } = op;
  const kind = regs.kind(dst.reg);
  // There are no 8-bit registers: the smallest have 16 bits, and the operation itself fills those.
  if (fills === undefined || regs.declaredBytes(dst.reg) <= 2 || (kind !== 'i32' && kind !== 'i64'))
    return op;
  const signed = fills.startsWith('s');
  return {
    ...rest,
    dst: { reg: dst.reg, kind },
    scalar: (m, ...srcs) => {
      const word = extended(m, fills, () => op.scalar(m, ...srcs));
      if (kind === 'i32') return word;
      return signed ? m.i64.extend_s(word) : m.i64.extend_u(word);
    },
  };
}
