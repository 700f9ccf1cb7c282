import binaryen from 'binaryen';
import { CTX, encodeResult, QUAD, RESULT } from '../../layout.js';
import type { ModelBlock } from '../kernel-model.js';
import { type Expr, registersRead } from '../lower/spec.js';
import { isVarying } from '../shape.js';
import {
  type FunctionParts,
  functionParts,
  guardBits,
  isBackEdge,
  type Translation,
  trap,
  yieldsAt,
} from './context.js';
import { Fuel } from './fuel.js';
import { type HotFunction, handsOver } from './regions.js';

/** Crossing registers that a region reads or writes, and those it writes. */
function registersOf(t: Translation, region: readonly number[]): { used: Set<string>; written: Set<string> } {
  const used = new Set<string>();
  const written = new Set<string>();
  const note = (register: string | undefined, set: Set<string>) => {
    if (register !== undefined && t.model.crossing.has(register)) set.add(register);
  };
  for (const id of region) {
    const { instructions, terminator } = t.model.blocks[id]!;
    for (const { instruction, ops } of instructions) {
      note(instruction.guard?.reg, used);
      for (const op of ops) {
        if ('dst' in op) note(op.dst?.reg, written);
        if ('elements' in op) for (const element of op.elements) note(element?.reg, written);
        for (const register of registersRead(op)) note(register, used);
      }
    }
    if (terminator.kind === 'branch') note(terminator.guard.reg, used);
  }
  return { used, written };
}

/** Emits a function that runs four lanes, with registers in locals and structured control flow. */
export function emitHot(t: Translation, { name, starts, region }: HotFunction): void {
  const parts = functionParts(t, 'hot');
  const { f, regs } = parts;
  const m = t.m;
  const { used, written } = registersOf(t, region);

  const save = (live: Iterable<string>): Expr[] =>
    [...new Set(live)].filter((register) => written.has(register)).map((register) => regs.store(register));
  const leave = (kind: number, block: number, live: Iterable<string>): Expr =>
    m.block(null, [...save(live), m.return(m.i32.const(encodeResult(kind, block)))]);

  const label = f.local('i32');
  const fuel = new Fuel(t, f, 'hot');
  const relooper = new binaryen.Relooper(m);
  const conditions = new Map<number, Expr>();
  const refs = new Map<number, number>();
  for (const id of region) {
    const block = t.model.blocks[id]!;
    const code = parts.instructions.block(block);
    const condition = emitEnd(t, parts, block, code, leave);
    if (condition !== undefined) conditions.set(id, condition);
    refs.set(id, relooper.addBlock(m.block(null, code)));
  }
  for (const id of region) {
    const block = t.model.blocks[id]!;
    if (block.barrier !== undefined) continue;
    const from = refs.get(id)!;
    const edge = (to: number, when: Expr) => {
      if (handsOver(t, id, to)) {
        const jump = leave(RESULT.jump, to, t.model.blocks[to]!.liveIn);
        relooper.addBranch(from, relooper.addBlock(jump), when, 0);
        return;
      }
      const yields = isBackEdge(t, id, to) ? yieldsAt(t, to) : undefined;
      const give = () => leave(RESULT.yield, to, t.model.blocks[to]!.liveIn);
      if (yields === 'always') {
        relooper.addBranch(from, relooper.addBlock(give()), when, 0);
        return;
      }
      const full = () =>
        m.i32.ge_u(
          m.i32.load(CTX.logNext, 4, f.get(1, 'i32')),
          m.i32.load(CTX.logSoftEnd, 4, f.get(1, 'i32')),
        );
      const hands = [
        ...(yields === undefined ? [] : [m.if(full(), give())]),
        ...(isBackEdge(t, id, to) ? fuel.burn(to, give) : []),
      ];
      relooper.addBranch(from, refs.get(to)!, when, hands.length === 0 ? 0 : m.block(null, hands));
    };
    const { terminator } = block;
    if (terminator.kind === 'jump') edge(terminator.target, 0);
    if (terminator.kind === 'branch') {
      if (terminator.taken !== terminator.fallthrough) edge(terminator.taken, conditions.get(id)!);
      edge(terminator.fallthrough, 0);
    }
  }
  const doors = starts.map((start) => {
    const live = new Set(t.model.blocks[start]!.liveIn);
    const loads = [...live].filter((r) => used.has(r) || written.has(r)).map((r) => regs.load(r));
    const door = relooper.addBlock(m.block(null, loads));
    relooper.addBranch(door, refs.get(start)!, 0, 0);
    return door;
  });
  const first = doors.length === 1 ? doors[0]! : relooper.addBlock(m.nop());
  for (const [i, door] of doors.entries()) {
    if (door === first) continue;
    const here = m.i32.eq(f.get(2, 'i32'), m.i32.const(starts[i]!));
    relooper.addBranch(first, door, i === doors.length - 1 ? 0 : here, 0);
  }
  const body = m.block(
    null,
    [...parts.operands.prologue(), relooper.renderAndDispose(first, label), m.unreachable()],
    binaryen.i32,
  );
  f.finish(name, body);
}

/** Appends how a block ends to its code; returns the condition of its taken branch. */
function emitEnd(
  t: Translation,
  parts: FunctionParts,
  block: ModelBlock,
  code: Expr[],
  leave: (kind: number, block: number, live: Iterable<string>) => Expr,
): Expr | undefined {
  const m = t.m;
  const { terminator } = block;
  if (terminator.kind === 'exit') {
    code.push(terminator.op === 'trap' ? trap(parts, block.id) : leave(RESULT.exit, 0, []));
    return undefined;
  }
  if (block.barrier !== undefined) {
    if (terminator.kind !== 'jump')
      throw new RangeError('A block that ends with a barrier goes on in one place.');
    code.push(leave(RESULT.barrier, terminator.target, t.model.blocks[terminator.target]!.liveIn));
    return undefined;
  }
  if (terminator.kind !== 'branch') return undefined;
  const { guard, taken, fallthrough } = terminator;
  const sides = [...t.model.blocks[taken]!.liveIn, ...t.model.blocks[fallthrough]!.liveIn];
  if (!isVarying(parts.regs.shape(guard.reg))) {
    const holds = parts.regs.scalar(guard.reg);
    return guard.negate ? m.i32.eqz(holds) : holds;
  }
  const bits = parts.f.local('i32');
  const get = () => parts.f.get(bits, 'i32');
  const mixed = m.i32.and(m.i32.ne(get(), m.i32.const(0)), m.i32.ne(get(), m.i32.const(15)));
  // The lanes' sides are left in the header, since the guard's register may not cross blocks.
  const note = m.i32.store(
    QUAD.guardBits,
    4,
    parts.operands.state(),
    guard.negate ? m.i32.xor(get(), m.i32.const(15)) : get(),
  );
  code.push(
    parts.f.set(bits, guardBits(parts, guard.reg)),
    m.if(mixed, m.block(null, [note, leave(RESULT.diverge, block.id, sides)])),
  );
  return guard.negate ? m.i32.eqz(get()) : get();
}
