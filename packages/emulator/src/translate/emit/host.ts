import binaryen from 'binaryen';
import { HOST_CALLS, type HostCall } from '../lower/host-calls.js';
import type { Expr, HostOp, Wasm } from '../lower/spec.js';
import type { Accesses, LaneMask } from './accesses.js';
import type { Operands } from './operands.js';
import { isWide } from './registers.js';

const wasmType = (kind: 'i64' | 'i32' | 'pred' | undefined): number =>
  kind === undefined ? binaryen.none : kind === 'i64' ? binaryen.i64 : binaryen.i32;

/** Declares what the host does about mbarriers and bulk copies: name(site, values…, lane, state, ctx). */
export function addHostImports(m: Wasm): void {
  const { i32, createType } = binaryen;
  for (const [name, { values, result }] of Object.entries(HOST_CALLS)) {
    const params = createType([i32, ...values.map(wasmType), i32, i32, i32]);
    m.addFunctionImport(name, 'env', name, params, wasmType(result));
  }
}

/** Whether lanes that ask alike get the same answer, so that one asks for all. */
const ASKS: ReadonlySet<HostCall> = new Set(['mbarrier_wait', 'proxy_fence']);

export const asksOnce = ({ name }: HostOp): boolean => ASKS.has(name);

/** Emits a call of the host for each lane that takes part, or one for all of them. */
export function emitHost(o: Operands, accesses: Accesses, op: HostOp, site: number, mask: LaneMask): void {
  const m = o.f.m;
  const { values: kinds, result } = HOST_CALLS[op.name];
  const given = (lane: number | undefined): Expr[] =>
    op.values.map((src, i) => {
      const offset = op.offsets[i]!;
      const read = (kind: 'i32' | 'i64') =>
        lane === undefined ? o.scalar({ ...src, kind }) : o.laneOf({ ...src, kind }, lane);
      const { operand } = src;
      // A 32-bit address is one in the window of shared memory.
      const narrow = operand.kind === 'reg' && !isWide(o.regs.kind(operand.name));
      if (kinds[i] === 'i32') return read('i32');
      if (narrow) return m.i64.extend_u(m.i32.add(read('i32'), m.i32.const(offset)));
      return offset === 0 ? read('i64') : m.i64.add(read('i64'), m.i64.const(BigInt(offset)));
    });
  const call = (lane: number | undefined): Expr => {
    const number = lane === undefined ? o.lane() : m.i32.const(lane);
    const args = [m.i32.const(site), ...given(lane), number, o.state(), o.ctx()];
    return m.call(op.name, args, wasmType(result));
  };
  const discard = (lane: number | undefined) => (result === undefined ? call(lane) : m.drop(call(lane)));
  const kept = (lane: number | undefined) => o.keep(result === 'i64' ? 'i64' : 'i32', call(lane));
  const { dst } = op;
  if (o.mode === 'lane') {
    if (dst === undefined) o.out.push(discard(undefined));
    else o.out.push(o.regs.setScalar(dst.reg, o.toRegister(kept(undefined)(), dst.kind, dst.reg)));
    return;
  }
  const alike = asksOnce(op) && op.values.every(({ operand }) => o.shape(operand).stride === 0);
  if (alike && (dst === undefined || o.regs.isScalar(dst.reg))) {
    const body = o.tentative(() => {
      if (dst === undefined) o.out.push(discard(0));
      else accesses.data.setFromScalar(dst.reg, o.toRegister(kept(0)(), dst.kind, dst.reg));
    });
    o.out.push(mask === undefined ? m.block(null, body) : m.if(mask(), m.block(null, body)));
    if (dst !== undefined) o.forget(dst.reg);
    return;
  }
  for (const lane of [0, 1, 2, 3]) {
    const body = o.tentative(() => {
      if (dst === undefined) o.out.push(discard(lane));
      else accesses.data.replaceLane(dst.reg, lane, o.toRegister(kept(lane)(), dst.kind, dst.reg));
    });
    const block = m.block(null, body);
    o.out.push(mask === undefined ? block : m.if(m.i32.and(mask(), m.i32.const(1 << lane)), block));
    if (dst !== undefined) o.forget(dst.reg);
  }
}
