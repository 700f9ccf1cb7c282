import { CompileError } from '@ffma/core';
import type { InstructionClass } from '../../counters/launch-profile.js';
import { ASSERT } from '../../ptx/assertion.js';
import type { Instruction } from '../../ptx/ast.js';
import { placeSuffix } from '../../ptx/kernel-place.js';
import { RECEIVE, SEND, WARP_INSTRUCTIONS } from '../../ptx/split-warp.js';
import { approximations } from './approximate.js';
import { assert } from './assert.js';
import { async } from './async.js';
import { bits } from './bits.js';
import { bitsMore } from './bits-more.js';
import { carry } from './carry.js';
import { cluster } from './cluster.js';
import { control } from './control.js';
import { convert } from './convert.js';
import { convertRounded } from './convert-rounded.js';
import { float } from './float.js';
import { floatRounded } from './float-rounded.js';
import { half } from './half.js';
import { halfCompare } from './half-compare.js';
import type { Lowering } from './helpers.js';
import { integer } from './integer.js';
import { integerMore } from './integer-more.js';
import { integerPacked } from './integer-packed.js';
import { mbarriers } from './mbarrier.js';
import { memory } from './memory.js';
import { move } from './move.js';
import { moveVector } from './move-vector.js';
import { multiply } from './multiply.js';
import { predicate } from './predicate.js';
import type { Lowered, Op } from './spec.js';
import { warp } from './warp.js';

/** Every instruction family that is known. One name may stand in several; the form decides. */
const families: readonly (readonly [InstructionClass, Readonly<Record<string, Lowering>>])[] = [
  ['fp', float],
  ['fp', floatRounded],
  ['fp', half],
  ['fp', approximations],
  ['integer', integer],
  ['integer', multiply],
  ['integer', bits],
  ['integer', bitsMore],
  ['integer', integerMore],
  ['integer', integerPacked],
  ['integer', carry],
  ['predicate', predicate],
  ['predicate', halfCompare],
  ['convert', convert],
  ['convert', convertRounded],
  ['move', move],
  ['move', moveVector],
  ['special', memory],
  ['async', async],
  ['async', mbarriers],
  ['integer', cluster],
  ['branch', control],
  ['special', warp],
  ['special', assert],
];

/** The class that an instruction is counted under, where its family alone does not say. */
function classOf(
  family: InstructionClass,
  ops: readonly Op[],
  instruction: Instruction,
): InstructionClass | undefined {
  const [op] = ops;
  // `fma.rn.ftz.f32` is the same instruction of the GPU as `fma.rn.f32`, but not of WebAssembly.
  if (op?.kind === 'fma' || (instruction.op === 'fma' && instruction.modifiers.at(-1) === 'f32'))
    return 'ffma';
  if (op?.kind === 'barrier' || (op?.kind === 'send' && family === 'branch')) return 'barrier';
  if (instruction.op === RECEIVE) return undefined;
  if (op?.kind === 'atomic') return 'atomic';
  if (op?.kind === 'load') {
    const space = op.space === 'generic' ? 'global' : op.space;
    return `load.${space}`;
  }
  if (op?.kind === 'store') {
    const space =
      op.space === 'generic' || op.space === 'const' || op.space === 'param' ? 'global' : op.space;
    return `store.${space}`;
  }
  if (family === 'branch' && !['bra', 'ret', 'exit'].includes(instruction.op)) return 'special';
  return family;
}

/**
 * What an instruction does. A new instruction is one entry in one of the families.
 * @throws CompileError naming an instruction that is not known, and its line
 */
export function lower(instruction: Instruction, where: string): Lowered {
  for (const [family, table] of families) {
    const ops = table[instruction.op]?.(instruction);
    if (ops !== undefined) return { class: classOf(family, ops, instruction), ops };
  }
  const name = [instruction.op, ...instruction.modifiers].join('.');
  throw new CompileError(
    `${where}, PTX line ${instruction.line}${placeSuffix(instruction.source)}: the emulator does not know the instruction '${name}' (${instruction.text}).`,
    {
      remedy: 'Avoid it, or add it to the instruction tables of @ffma/emulator.',
      details: { instruction: name, line: instruction.line, text: instruction.text },
    },
  );
}

/** Names of the instructions that are known, and the classes that each is counted under, for the documentation. */
export function instructionClasses(): ReadonlyMap<string, readonly InstructionClass[]> {
  const classes = new Map<string, InstructionClass[]>();
  const note = (name: string, family: InstructionClass) => {
    const known = classes.get(name) ?? [];
    if (!known.includes(family)) classes.set(name, [...known, family]);
  };
  for (const [family, table] of families) {
    for (const name of Object.keys(table)) if (!MADE.has(name)) note(name, family);
  }
  for (const name of WARP_INSTRUCTIONS) note(name, 'special');
  // Jump tables become branches, and calls the bodies of what they call.
  for (const name of ['brx', 'call']) note(name, 'branch');
  return new Map([...classes].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Names that no PTX has. */
const MADE: ReadonlySet<string> = new Set([SEND, RECEIVE, ASSERT]);

/** Names of the instructions that are known. */
export const knownInstructions = (): string[] => [...instructionClasses().keys()];
