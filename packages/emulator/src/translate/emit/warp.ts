import { QUAD } from '../../layout.js';
import type { Expr, ReceiveOp, SendOp } from '../lower/spec.js';
import type { Operands } from './operands.js';

/** Where a lane's word lies, from the group's state on. */
function ofLane(o: Operands): Expr {
  const m = o.f.m;
  return m.i32.add(o.state(), m.i32.shl(o.lane(), m.i32.const(2)));
}

/** Emits the first half of what a warp does together: its lanes' operands go to memory. */
export function emitSend(o: Operands, op: SendOp): void {
  const m = o.f.m;
  op.values.forEach((src, i) => {
    const offset = QUAD.warpMask + 16 * i;
    if (o.mode === 'lane') o.out.push(m.i32.store(offset, 4, ofLane(o), o.scalar(src)));
    else {
      const value = o.keep('v128', o.vector(src, 0));
      o.out.push(m.v128.store(offset, 4, o.state(), value()));
    }
  });
}

/** Emits the second half: a lane takes its result. */
export function emitReceive(o: Operands, { dst: { reg, kind }, word }: ReceiveOp): void {
  const m = o.f.m;
  const offset = QUAD.warpOperands + 16 * word;
  if (o.mode === 'lane') {
    const value = m.i32.load(offset, 4, ofLane(o));
    const own = kind === 'pred' ? m.i32.ne(value, m.i32.const(0)) : value;
    o.out.push(o.regs.setScalar(reg, o.toRegister(own, kind, reg)));
    return;
  }
  o.out.push(o.regs.setVector(reg, 0, m.v128.load(offset, 4, o.state())));
  o.forget(reg);
}
