import type { SassInstruction } from './instruction.js';

/** A run of instructions that is entered at its first and left at its last. */
interface Block {
  readonly instructions: readonly SassInstruction[];
  /** Numbers of the blocks that can follow. */
  readonly next: readonly number[];
}

const isBranch = ({ mnemonic }: SassInstruction) => mnemonic === 'BRA' || mnemonic === 'JMP';
const ends = (one: SassInstruction) => isBranch(one) || one.mnemonic === 'EXIT' || one.mnemonic === 'RET';

/** Blocks in the order of their addresses. Branches to computed addresses are taken to go on behind them. */
function blocksOf(instructions: readonly SassInstruction[]): Block[] {
  const targets = new Set(instructions.flatMap(({ target }) => target ?? []));
  const runs: SassInstruction[][] = [];
  let open: SassInstruction[] | undefined;
  for (const one of instructions) {
    if (open === undefined || targets.has(one.address)) {
      open = [];
      runs.push(open);
    }
    open.push(one);
    if (ends(one)) open = undefined;
  }
  const byAddress = new Map(runs.map((run, number) => [run[0]?.address, number]));
  return runs.map((run, number) => {
    const last = run.at(-1) as SassInstruction;
    const led = last.target === undefined ? undefined : byAddress.get(last.target);
    const leaves =
      ends(last) && last.predicate === undefined && !(isBranch(last) && last.target === undefined);
    const after = leaves || number + 1 === runs.length ? [] : [number + 1];
    return { instructions: run, next: led === undefined ? after : [...after, led] };
  });
}

/** Blocks that can be reached from the first, every one before those that it leads to, but for branches back. */
function reversePostorder(blocks: readonly Block[]): number[] {
  const seen = new Set([0]);
  const order: number[] = [];
  const path = [{ block: 0, taken: 0 }];
  while (path.length > 0) {
    const at = path.at(-1) as { block: number; taken: number };
    const next = blocks[at.block]?.next[at.taken++];
    if (next === undefined) {
      order.push(at.block);
      path.pop();
    } else if (!seen.has(next)) {
      seen.add(next);
      path.push({ block: next, taken: 0 });
    }
  }
  return order.reverse();
}

/** Before each block, who can come from where. @returns predecessors by block, of blocks that can be reached */
function predecessorsOf(blocks: readonly Block[], order: readonly number[]): Map<number, number[]> {
  const found = new Map(order.map((block): [number, number[]] => [block, []]));
  for (const block of order) for (const next of blocks[block]?.next ?? []) found.get(next)?.push(block);
  return found;
}

/** The nearest block that every way to a block leads through (Cooper, Harvey, Kennedy 2001). */
function dominatorsOf(order: readonly number[], predecessors: ReadonlyMap<number, readonly number[]>) {
  const rank = new Map(order.map((block, i) => [block, i]));
  const nearest = new Map<number, number>([[order[0] as number, order[0] as number]]);
  const meet = (x: number, y: number): number => {
    let [a, b] = [x, y];
    while (a !== b) {
      if ((rank.get(a) as number) > (rank.get(b) as number)) a = nearest.get(a) as number;
      else b = nearest.get(b) as number;
    }
    return a;
  };
  for (let changed = true; changed; ) {
    changed = false;
    for (const block of order.slice(1)) {
      const known = (predecessors.get(block) ?? []).filter((one) => nearest.has(one));
      const found = known.reduce(meet);
      if (nearest.get(block) === found) continue;
      nearest.set(block, found);
      changed = true;
    }
  }
  return nearest;
}

function dominates(nearest: ReadonlyMap<number, number>, above: number, below: number): boolean {
  for (let at = below; ; at = nearest.get(at) as number) {
    if (at === above) return true;
    if (nearest.get(at) === at) return false;
  }
}

/**
 * The natural loops of a function, each with all that can run in it, by address: also what the compiler moved behind the
 * end of the function, such as waiting. A branch back alone makes none: that may only return from there.
 */
export function naturalLoops(instructions: readonly SassInstruction[]): SassInstruction[][] {
  const blocks = blocksOf(instructions);
  if (blocks.length === 0) return [];
  const order = reversePostorder(blocks);
  const predecessors = predecessorsOf(blocks, order);
  const nearest = dominatorsOf(order, predecessors);
  const loops = new Map<number, Set<number>>();
  for (const tail of order) {
    for (const head of blocks[tail]?.next ?? []) {
      if (!dominates(nearest, head, tail)) continue;
      const inside = loops.get(head) ?? new Set([head]);
      loops.set(head, inside);
      const open = [tail];
      for (let block = open.pop(); block !== undefined; block = open.pop()) {
        if (inside.has(block)) continue;
        inside.add(block);
        open.push(...(predecessors.get(block) ?? []));
      }
    }
  }
  return [...loops.values()].map((inside) =>
    [...inside].sort((x, y) => x - y).flatMap((block) => blocks[block]?.instructions ?? []),
  );
}
