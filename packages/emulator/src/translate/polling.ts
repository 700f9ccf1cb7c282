import type { Instruction } from '../ptx/ast.js';
import type { Flow } from '../ptx/flow.js';
import type { ModelBlock, ModelInstruction } from './kernel-model.js';

/** Loops in which a thread may wait for another one: they hand over at every turn. */
export interface Polling {
  /** Headers of the loops, and of each an instruction that reads what is waited for. */
  readonly headers: ReadonlyMap<number, Instruction>;
  /** Blocks of those loops; all of a kernel that has a loop with two entries. */
  readonly blocks: ReadonlySet<number>;
  /** Whether one of them may wait for another block, not just for an mbarrier. */
  readonly blocksToo: boolean;
}

/** Whether what another thread does can be seen by it: an atomic whose result nobody takes sees nothing. */
function waitsFor({ ops }: ModelInstruction, read: ReadonlySet<string>): boolean {
  return ops.some((op) => {
    if (op.kind === 'load') return op.volatile;
    if (op.kind === 'host') return op.name === 'mbarrier_wait';
    return (
      op.kind === 'atomic' && op.elements.some((element) => element !== undefined && read.has(element.reg))
    );
  });
}

/** Finds the loops that may wait. */
export function findPolling(flow: Flow, blocks: readonly ModelBlock[], read: ReadonlySet<string>): Polling {
  let blocksToo = false;
  const waiting = (id: number) => blocks[id]!.instructions.find((instruction) => waitsFor(instruction, read));
  const headers = new Map<number, Instruction>();
  const inside = new Set<number>();
  const enter = (header: number, ids: readonly number[]) => {
    const found = ids.map(waiting).find((instruction) => instruction !== undefined);
    if (found === undefined) return;
    headers.set(header, found.instruction);
    const all = ids.flatMap((id) => blocks[id]!.instructions.filter((one) => waitsFor(one, read)));
    if (all.some(({ ops }) => !ops.some(({ kind }) => kind === 'host'))) blocksToo = true;
    for (const id of ids) inside.add(id);
  };
  for (const { header, blocks: ids } of flow.loops) enter(header, ids);
  // Which blocks a loop with several entries has is not known: all might be in it.
  for (const { to } of flow.irreducibleEdges) enter(to, [...blocks.keys()]);
  return { headers, blocks: inside, blocksToo };
}

/** Whether an instruction looks at a clock, which changes by itself. */
export const readsClock = ({ operands }: Instruction): boolean =>
  operands.some((operand) => operand.kind === 'special' && /^(clock|globaltimer)/.test(operand.name));

/** Whether a turn through the block may bring a wait nearer to its end: it stores, copies, or looks at a clock. */
export function mayProgress(block: ModelBlock): boolean {
  return block.instructions.some(
    ({ ops, instruction }) =>
      readsClock(instruction) ||
      ops.some((op) => op.kind === 'copy' || (op.kind === 'store' && op.space !== 'local')),
  );
}
