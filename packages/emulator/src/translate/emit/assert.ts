import type { AssertOp } from '../lower/spec.js';
import type { Operands } from './operands.js';

/** Emits the call that reports a failed assertion of the lane that runs, or of the first of four; it throws. */
export function emitAssert(o: Operands, op: AssertOp, line: number): void {
  const m = o.f.m;
  const lane = o.mode === 'lane' ? o.lane() : m.i32.const(0);
  const values = op.values.map((src) => (o.mode === 'lane' ? o.scalar(src) : o.laneOf(src, 0)));
  o.out.push(m.call('assertFail', [m.i32.const(line), ...values, lane, o.state(), o.ctx()], 0));
}
