import binaryen from 'binaryen';
import { encodeResult, QUAD, RESULT } from '../../layout.js';
import type { ModelBlock } from '../kernel-model.js';
import type { Expr } from '../lower/spec.js';
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

/**
 * Emits a function that can start at any block: `cold` for four lanes that have met again, `lane` for one lane
 * that runs apart. Registers that cross blocks stay in memory, so nothing is saved or loaded at either end; blocks
 * follow each other through a jump table.
 */
export function emitDispatch(t: Translation, mode: 'cold' | 'lane'): void {
  const parts = functionParts(t, mode);
  const { f, regs, operands } = parts;
  const m = t.m;
  const pc = 2;
  const fuel = new Fuel(t, f, mode);
  const stops = new Set([...t.shapes.divergent.values()].filter((id) => id >= 0));

  const leave = (kind: number, block: number): Expr => m.return(m.i32.const(encodeResult(kind, block)));
  const go = (from: number, to: number): Expr => {
    const yields = isBackEdge(t, from, to) && yieldsAt(t, to) !== undefined;
    // One back edge a visit is enough to keep the log short, and these paths are rare.
    const burn = isBackEdge(t, from, to) ? fuel.burn(to, () => leave(RESULT.yield, to)) : [];
    const on = [...burn, f.set(pc, m.i32.const(to)), m.br('next')];
    const jump = yields ? leave(RESULT.yield, to) : m.block(null, on);
    if (mode === 'cold' || !stops.has(to)) return jump;
    // A loop's header can be where lanes meet: that they meet there comes before handing over.
    return m.if(m.i32.eq(f.get(3, 'i32'), m.i32.const(to)), leave(RESULT.rejoin, to), jump);
  };

  const codes = t.model.blocks.map((block) => {
    const code = parts.instructions.block(block);
    emitEnd(t, parts, mode, block, code, go, leave);
    return code;
  });
  // Nested blocks: the innermost jumps to the end of the block labelled with its number.
  const names = codes.map((_, id) => `b${id}`);
  let body: Expr = m.switch(names, names[0]!, f.get(pc, 'i32'));
  codes.forEach((code, id) => {
    body = m.block(null, [m.block(names[id]!, [body]), ...code]);
  });
  const prologue = regs.prologue(
    () => operands.state(),
    () => f.get(4, 'i32'),
  );
  const whole = m.block(
    null,
    [...operands.prologue(), ...prologue, m.loop('next', body), m.unreachable()],
    binaryen.i32,
  );
  f.finish(mode, whole);
}

function emitEnd(
  t: Translation,
  parts: FunctionParts,
  mode: 'cold' | 'lane',
  block: ModelBlock,
  code: Expr[],
  go: (from: number, to: number) => Expr,
  leave: (kind: number, block: number) => Expr,
): void {
  const m = t.m;
  const { terminator } = block;
  if (terminator.kind === 'exit') {
    code.push(terminator.op === 'trap' ? trap(parts, block.id) : leave(RESULT.exit, 0));
    return;
  }
  if (terminator.kind === 'jump') {
    code.push(
      block.barrier === undefined
        ? go(block.id, terminator.target)
        : leave(RESULT.barrier, terminator.target),
    );
    return;
  }
  if (terminator.kind !== 'branch')
    throw new RangeError('Jump tables in PTX are refused when the kernel is loaded.');
  const { guard, taken, fallthrough } = terminator;
  const varying = mode === 'cold' && isVarying(parts.regs.shape(guard.reg));
  if (!varying) {
    const holds = parts.regs.scalar(guard.reg);
    code.push(m.if(guard.negate ? m.i32.eqz(holds) : holds, go(block.id, taken)), go(block.id, fallthrough));
    return;
  }
  const bits = parts.f.local('i32');
  const get = () => parts.f.get(bits, 'i32');
  const own = guardBits(parts, guard.reg);
  const note = m.i32.store(QUAD.guardBits, 4, parts.operands.state(), get());
  code.push(
    parts.f.set(bits, guard.negate ? m.i32.xor(own, m.i32.const(15)) : own),
    m.if(
      m.i32.and(m.i32.ne(get(), m.i32.const(0)), m.i32.ne(get(), m.i32.const(15))),
      m.block(null, [note, leave(RESULT.diverge, block.id)]),
    ),
    m.if(get(), go(block.id, taken)),
    go(block.id, fallthrough),
  );
}
