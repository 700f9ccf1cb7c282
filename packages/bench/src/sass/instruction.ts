/** An instruction of machine code, as a disassembler writes it. */
export interface SassInstruction {
  /** Bytes from the start of its function. */
  readonly address: number;
  /** `P0`, `!PT`; undefined where it always runs. */
  readonly predicate: string | undefined;
  /** With its modifiers: `LDS.128`. */
  readonly opcode: string;
  /** Without them: `LDS`. */
  readonly mnemonic: string;
  readonly operands: readonly string[];
  /** Of a branch, where it leads; undefined for others, and where that is computed. */
  readonly target: number | undefined;
}

/** A function of machine code. */
export interface SassFunction {
  readonly name: string;
  readonly instructions: readonly SassInstruction[];
}

/** A general register that an operand reads; RZ, uniform registers, constants and predicates are none. */
export interface RegisterUse {
  readonly register: number;
  /** Kept for the next instruction's operand at the same place. */
  readonly reuse: boolean;
}

const REGISTER = /(?<![A-Z0-9_])R(\d+)(\.reuse)?(?![0-9])/g;

/** The registers that an operand names: one, two in `[R2+R4]`, or none. */
export function registersIn(operand: string): RegisterUse[] {
  return [...operand.matchAll(REGISTER)].map(([, number, reuse]) => ({
    register: Number(number),
    reuse: reuse !== undefined,
  }));
}

/** Registers that one value of an instruction takes, by its modifiers: `LDS.128` fills four. */
export function widthOf({ opcode }: Pick<SassInstruction, 'opcode'>): number {
  if (/\.128\b/.test(opcode)) return 4;
  return /\.64\b/.test(opcode) ? 2 : 1;
}
