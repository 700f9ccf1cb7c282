import type { BasicBlock, ControlFlowGraph } from './cfg.js';
import { reversePostorder } from './dominators.js';
import { type RegisterUse, registerUse } from './registers.js';

/** Which registers hold a value that may still be read, at the borders of blocks. */
export interface Liveness {
  /** Registers that the graph uses, in the order of their first use. */
  readonly registers: readonly string[];
  /** Live before the block's first instruction. */
  liveIn(block: number): string[];
  /** Live after its terminator. */
  liveOut(block: number): string[];
}

/** Register uses of a block in order of execution, the terminator's last. */
export function usesOfBlock(block: BasicBlock): RegisterUse[] {
  const uses = block.instructions.map(registerUse);
  const { terminator } = block;
  if (terminator.kind === 'branch') uses.push({ reads: [terminator.guard.reg], writes: [] });
  if (terminator.kind === 'switch' && terminator.index.kind === 'reg') {
    uses.push({ reads: [terminator.index.name], writes: [] });
  }
  return uses;
}

/** Backward data flow over bit sets, one bit a register, until nothing changes. */
export function analyzeLiveness(cfg: ControlFlowGraph): Liveness {
  const index = new Map<string, number>();
  const indexOf = (name: string): number => {
    const known = index.get(name);
    if (known !== undefined) return known;
    index.set(name, index.size);
    return index.size - 1;
  };
  const uses = cfg.blocks.map((block) =>
    usesOfBlock(block).map(({ reads, writes }) => ({
      reads: reads.map(indexOf),
      writes: writes.map(indexOf),
    })),
  );
  const words = (index.size + 31) >>> 5;
  const makeSets = () => cfg.blocks.map(() => new Uint32Array(words));
  const [exposed, written, liveIn, liveOut] = [makeSets(), makeSets(), makeSets(), makeSets()];
  uses.forEach((blockUses, block) => {
    for (const { reads, writes } of blockUses) {
      for (const r of reads) if (!has(written[block]!, r)) set(exposed[block]!, r);
      for (const w of writes) set(written[block]!, w);
    }
    liveIn[block]!.set(exposed[block]!);
  });

  const pending = [
    ...reversePostorder(
      cfg.blocks.map((b) => b.successors),
      0,
    ),
  ];
  const queued = new Uint8Array(cfg.blocks.length).fill(1);
  for (let block = pending.pop(); block !== undefined; block = pending.pop()) {
    queued[block] = 0;
    const out = liveOut[block]!;
    for (const successor of cfg.blocks[block]!.successors) {
      const into = liveIn[successor]!;
      for (let w = 0; w < words; w++) out[w]! |= into[w]!;
    }
    let changed = false;
    const into = liveIn[block]!;
    for (let w = 0; w < words; w++) {
      const live = (exposed[block]![w]! | (out[w]! & ~written[block]![w]!)) >>> 0;
      if (live !== into[w]) changed = true;
      into[w] = live;
    }
    if (!changed) continue;
    for (const predecessor of cfg.blocks[block]!.predecessors) {
      if (queued[predecessor] === 0) pending.push(predecessor);
      queued[predecessor] = 1;
    }
  }

  const registers = [...index.keys()];
  const names = (bits: Uint32Array) => registers.filter((_, i) => has(bits, i));
  return {
    registers,
    liveIn: (block) => names(liveIn[block]!),
    liveOut: (block) => names(liveOut[block]!),
  };
}

function has(bits: Uint32Array, index: number): boolean {
  return ((bits[index >>> 5]! >>> (index & 31)) & 1) !== 0;
}

function set(bits: Uint32Array, index: number): void {
  bits[index >>> 5]! |= 1 << (index & 31);
}
