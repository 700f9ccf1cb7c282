import { QUAD } from '../../layout.js';
import { EVEN_WORDS } from '../lower/helpers.js';
import type { Expr, ReceiveOp, SendOp, Source } from '../lower/spec.js';
import type { Operands } from './operands.js';

/** Where a lane's word lies, from the group's state on. */
function ofLane(o: Operands): Expr {
  const m = o.f.m;
  return m.i32.add(o.state(), m.i32.shl(o.lane(), m.i32.const(2)));
}

/** One of the words of what is sent: the low one, unless it says otherwise. */
function word(o: Operands, src: Source): Expr {
  const m = o.f.m;
  if (o.mode === 'lane') {
    const value = o.scalar(src);
    if (src.kind !== 'i64') return value;
    return m.i32.wrap(src.upper === true ? m.i64.shr_u(value, m.i64.const(32n)) : value);
  }
  if (src.kind !== 'i64') return o.vector(src, 0);
  const bytes = src.upper === true ? EVEN_WORDS.map((byte) => byte + 4) : EVEN_WORDS;
  return m.i8x16.shuffle(o.vector(src, 0), o.vector(src, 1), bytes);
}

/** Emits the first half of what a warp does together: its lanes' operands go to memory. */
export function emitSend(o: Operands, op: SendOp): void {
  const m = o.f.m;
  op.values.forEach((src, i) => {
    const offset = QUAD.warpMask + 16 * i;
    if (o.mode === 'lane') o.out.push(m.i32.store(offset, 4, ofLane(o), word(o, src)));
    else {
      const value = o.keep('v128', word(o, src));
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
