import { CompileError } from '@ffma/core';
import { placeSuffix } from '../ptx/kernel-place.js';
import type { KernelModel } from './kernel-model.js';

/** Special registers that have a value here. */
const KNOWN = new Set(
  'tid ntid ctaid nctaid laneid warpid nwarpid smid nsmid clock clock64 globaltimer'.split(' '),
);

/** Refuses, with its line, what passes lowering but cannot be translated. @throws CompileError */
export function lowerable(model: KernelModel, moduleName: string): void {
  for (const block of model.blocks) {
    for (const { instruction } of block.instructions) {
      for (const operand of instruction.operands) {
        if (operand.kind !== 'special' || KNOWN.has(operand.name)) continue;
        throw new CompileError(
          `${moduleName}, kernel ${model.fn.name}, PTX line ${instruction.line}${placeSuffix(instruction.source)}: the emulator does not know the special register '%${operand.name}' (${instruction.text}).`,
          { details: { register: operand.name, line: instruction.line } },
        );
      }
      if (
        instruction.guard !== undefined &&
        block.barrier !== undefined &&
        instruction === block.instructions.at(-1)?.instruction
      ) {
        throw new CompileError(
          `${moduleName}, kernel ${model.fn.name}, PTX line ${instruction.line}${placeSuffix(instruction.source)}: a predicated barrier is not supported (${instruction.text}).`,
          { remedy: 'Branch around the barrier instead.', details: { line: instruction.line } },
        );
      }
    }
  }
}
