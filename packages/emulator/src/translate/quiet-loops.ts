import type { Instruction } from '../ptx/ast.js';
import type { Flow } from '../ptx/flow.js';
import type { ModelBlock } from './kernel-model.js';
import { readsClock } from './polling.js';

/** Whether a turn through the block leaves no trace but in registers, and reads nothing that changes by itself. */
function isQuiet({ instructions, barrier, terminator }: ModelBlock): boolean {
  if (barrier !== undefined || terminator.kind === 'exit') return false;
  return instructions.every(
    ({ ops, instruction }) =>
      !readsClock(instruction) &&
      ops.every(({ kind }) => kind === 'value' || kind === 'fma' || kind === 'load'),
  );
}

/**
 * Loops that only compute and read, by their header, each with an instruction to name it by: one that reads memory,
 * else one that branches. If a turn of such a loop starts with the registers of an earlier one, it never ends, unless
 * somebody else changes what it reads.
 */
export function quietLoops(flow: Flow, blocks: readonly ModelBlock[]): Map<number, Instruction> {
  const found = new Map<number, Instruction>();
  for (const { header, blocks: ids } of flow.loops) {
    const body = ids.map((id) => blocks[id]!);
    if (!body.every(isQuiet)) continue;
    const reads = body
      .flatMap(({ instructions }) => instructions)
      .find(({ site }) => site !== undefined)?.instruction;
    const branches = body.find(({ terminator }) => terminator.instruction !== undefined)?.terminator;
    const named =
      reads ??
      branches?.instruction ??
      body.find((b) => b.instructions.length > 0)?.instructions[0]?.instruction;
    if (named !== undefined) found.set(header, named);
  }
  return found;
}
