import type { BasicBlock, Terminator } from './cfg.js';

/** Distinct targets of a terminator, in order. */
export function targetsOf(terminator: Terminator): number[] {
  switch (terminator.kind) {
    case 'jump':
      return [terminator.target];
    case 'branch':
      return [terminator.taken, terminator.fallthrough];
    case 'switch':
      return [...new Set(terminator.targets)];
    case 'exit':
      return [];
  }
}

/** The terminator with every target renumbered. */
function retarget(terminator: Terminator, to: (id: number) => number): Terminator {
  switch (terminator.kind) {
    case 'jump':
      return { ...terminator, target: to(terminator.target) };
    case 'branch':
      return { ...terminator, taken: to(terminator.taken), fallthrough: to(terminator.fallthrough) };
    case 'switch':
      return { ...terminator, targets: terminator.targets.map(to) };
    case 'exit':
      return terminator;
  }
}

/** Drops the blocks that the first cannot reach, renumbers the rest and fills in successors and predecessors. */
export function linkReachable(blocks: readonly BasicBlock[]): BasicBlock[] {
  const reached = new Set([0]);
  for (const id of reached) for (const target of targetsOf(blocks[id]!.terminator)) reached.add(target);
  const kept = blocks.filter(({ id }) => reached.has(id));
  const newIds = new Map(kept.map(({ id }, index) => [id, index]));
  const predecessors: number[][] = kept.map(() => []);
  const linked = kept.map((block, id) => {
    const terminator = retarget(block.terminator, (target) => newIds.get(target)!);
    const successors = targetsOf(terminator);
    for (const target of successors) predecessors[target]!.push(id);
    return { ...block, id, terminator, successors };
  });
  return linked.map((block) => ({ ...block, predecessors: predecessors[block.id]! }));
}
