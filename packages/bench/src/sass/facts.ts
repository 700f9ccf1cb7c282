import { median } from '../timing/statistics.js';
import { distancesToUse } from './distances.js';
import type { SassFunction, SassInstruction } from './instruction.js';
import { mainLoop } from './loop.js';
import { bankOf, type FfmaReads, heldAfter, nothingHeld, readsOf } from './operands.js';

/** The loop that does the multiplying, in one of its iterations. */
export interface SassLoop {
  /** Addresses of its first instruction and of the branch that ends it. */
  readonly start: number;
  readonly end: number;
  readonly instructions: number;
  readonly ffma: number;
  /** FFMAs ÷ instructions. */
  readonly ffmaShare: number;
  /** Other instructions for each FFMA. */
  readonly overheadPerFfma: number;
  /** By opcode without modifiers, the most frequent first. */
  readonly opcodes: Readonly<Record<string, number>>;
  /** FFMAs whose result goes where their addend came from. */
  readonly inPlace: number;
  /** FFMAs by the number of registers that they read afresh: 0, 1, 2, 3. */
  readonly fresh: readonly [number, number, number, number];
  /** Of those with two, how many have both in one bank; see `bankModel`. */
  readonly sameBank: number;
  /** Of those with three, how many have all in one bank: a bank conflict. */
  readonly bankConflicts: number;
  /** Operands of FFMAs marked `.reuse`. */
  readonly reuseFlags: number;
  /** Instructions from an LDS to the first that reads its result; undefined where there is no LDS. */
  readonly ldsToUse: { readonly least: number; readonly median: number } | undefined;
}

/** What the machine code of a kernel says of itself. It does not say how often anything runs. */
export interface SassFacts {
  readonly symbol: string;
  readonly instructions: number;
  readonly ffma: number;
  readonly opcodes: Readonly<Record<string, number>>;
  /** Loads and stores of local memory: spills, or arrays that did not fit registers. */
  readonly local: number;
  readonly loop: SassLoop | undefined;
}

function opcodesOf(instructions: readonly SassInstruction[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { mnemonic } of instructions) counts.set(mnemonic, (counts.get(mnemonic) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([x, m], [y, n]) => n - m || (x < y ? -1 : 1)));
}

function ffmaReads(body: readonly SassInstruction[]): FfmaReads[] {
  // The first instruction follows the last: what is held at the end is held for it.
  let held = body.reduce((before, one) => heldAfter(one, before), nothingHeld);
  return body.flatMap((one) => {
    const reads = one.mnemonic === 'FFMA' ? [readsOf(one, held)] : [];
    held = heldAfter(one, held);
    return reads;
  });
}

function loopFacts(body: readonly SassInstruction[]): SassLoop {
  const ffmas = ffmaReads(body);
  const fresh = [0, 0, 0, 0] as [number, number, number, number];
  for (const reads of ffmas) fresh[reads.fresh.length as 0 | 1 | 2 | 3]++;
  const inOneBank = (count: number) =>
    ffmas.filter((reads) => reads.fresh.length === count && new Set(reads.fresh.map(bankOf)).size === 1)
      .length;
  const distances = distancesToUse(body);
  const [first, last] = [body[0] as SassInstruction, body.at(-1) as SassInstruction];
  return {
    start: first.address,
    end: last.address,
    instructions: body.length,
    ffma: ffmas.length,
    ffmaShare: ffmas.length / body.length,
    overheadPerFfma: (body.length - ffmas.length) / ffmas.length,
    opcodes: opcodesOf(body),
    inPlace: ffmas.filter(({ inPlace }) => inPlace).length,
    fresh,
    sameBank: inOneBank(2),
    bankConflicts: inOneBank(3),
    reuseFlags: ffmas.reduce((sum, { reuseFlags }) => sum + reuseFlags, 0),
    ldsToUse:
      distances.length === 0 ? undefined : { least: Math.min(...distances), median: median(distances) },
  };
}

/** Facts of a function of machine code. */
export function sassFacts({ name, instructions }: SassFunction): SassFacts {
  const opcodes = opcodesOf(instructions);
  const loop = mainLoop({ instructions });
  return {
    symbol: name,
    instructions: instructions.length,
    ffma: opcodes.FFMA ?? 0,
    opcodes,
    local: (opcodes.LDL ?? 0) + (opcodes.STL ?? 0),
    loop: loop === undefined ? undefined : loopFacts(loop),
  };
}
