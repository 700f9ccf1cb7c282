import { registersIn, type SassInstruction } from './instruction.js';

/**
 * How registers are delivered to an FFMA, as it is modelled here. Volta and later have two register banks, told apart by
 * the parity of the register number, each 64 bits wide (Jia et al., "Dissecting the NVIDIA Volta GPU Architecture via
 * Microbenchmarking", 2018): an FFMA stalls where all three registers that it must read lie in one bank. On an H200,
 * FFMAs with two fresh registers of one bank were measured to take about 1.6 cycles, and such with three fresh
 * registers 1.8, so these are counted, too.
 */
export const bankModel = {
  banks: 2,
  by: 'parity of the register number',
  source: 'Jia et al. 2018, arXiv:1804.06826',
} as const;

export const bankOf = (register: number) => register % bankModel.banks;

/** What an FFMA reads from the register banks. */
export interface FfmaReads {
  /**
   * Registers that are read afresh: not held by the `.reuse` of arithmetic before at the same place, each once, and
   * without RZ.
   */
  readonly fresh: readonly number[];
  /** Whether the result goes where the addend came from. */
  readonly inPlace: boolean;
  /** Operands that are kept for the next instruction. */
  readonly reuseFlags: number;
}

/** What is held for the next instruction: registers by the place of the operand. */
export type Held = ReadonlyMap<number, number>;

export const nothingHeld: Held = new Map();

/** Loads, stores, barriers and branches read their registers another way, and leave what is held. */
const LEAVES = /^(?:LD|ST|BAR|BRA|DEPBAR|NOP|B?SSY|BSYNC|WARPSYNC|RED|ATOM)/;

/** What is held after an instruction: of arithmetic what it marks `.reuse`; ptxas marks registers across other ones, too. */
export function heldAfter({ mnemonic, operands }: SassInstruction, held: Held): Held {
  if (LEAVES.test(mnemonic)) return held;
  const places = new Map<number, number>();
  for (const [place, operand] of operands.entries()) {
    const [use] = registersIn(operand);
    if (use?.reuse === true) places.set(place, use.register);
  }
  return places;
}

export function readsOf(ffma: SassInstruction, held: Held): FfmaReads {
  const [result = '', ...sources] = ffma.operands;
  const fresh = new Set<number>();
  let reuseFlags = 0;
  for (const [i, operand] of sources.entries()) {
    const [use] = registersIn(operand);
    if (use === undefined) continue;
    if (use.reuse) reuseFlags++;
    if (held.get(i + 1) !== use.register) fresh.add(use.register);
  }
  const [to, addend] = [registersIn(result)[0]?.register, registersIn(sources[2] ?? '')[0]?.register];
  return { fresh: [...fresh], inPlace: to !== undefined && to === addend, reuseFlags };
}
