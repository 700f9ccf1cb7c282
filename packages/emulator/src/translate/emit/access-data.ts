import { type AccessOp, type Expr, isSigned } from '../lower/spec.js';
import type { WasmType } from './function-builder.js';
import { spread } from './lanes.js';
import type { Operands } from './operands.js';
import { isWide } from './registers.js';
import type { Place } from './resolve.js';

/** Moves single values between memory and registers. */
export class AccessData {
  readonly #o: Operands;

  constructor(operands: Operands) {
    this.#o = operands;
  }

  /** WebAssembly type of one lane's value. */
  typeOf(register: string): WasmType {
    const kind = this.#o.regs.kind(register);
    return kind === 'pred' ? 'i32' : kind;
  }

  /** Gives all lanes the same loaded value. */
  setFromScalar(register: string, value: Expr): void {
    const { regs } = this.#o;
    if (regs.isScalar(register)) {
      this.#o.out.push(regs.setScalar(register, value));
    } else {
      const kind = regs.kind(register);
      const kept = this.#o.keep(this.typeOf(register), value);
      for (const half of isWide(kind) ? ([0, 1] as const) : ([0] as const)) {
        this.#o.out.push(regs.setVector(register, half, spread(this.#o.f.m, kept(), kind, 0, half)));
      }
    }
    this.#o.forget(register);
  }

  /** A value of the access's type, as its register holds it. */
  loadScalar(op: AccessOp, place: Pick<Place, 'data'>, delta: number, register: string): Expr {
    const m = this.#o.f.m;
    const kind = this.#o.regs.kind(register);
    const offset = place.data.offset + delta;
    const at = place.data.at();
    if (op.bytes === 8) return kind === 'f64' ? m.f64.load(offset, 8, at) : m.i64.load(offset, 8, at);
    if (op.bytes === 4 && kind === 'f32') return m.f32.load(offset, 4, at);
    if (op.bytes === 16) throw new RangeError('128-bit registers are not held.');
    const signed = isSigned(op.type);
    const narrowRegister = this.#o.regs.declaredBytes(register) < 4;
    let value: Expr;
    if (op.bytes === 4) value = m.i32.load(offset, 4, at);
    else if (op.bytes === 2)
      value = m.i32[signed && !narrowRegister ? 'load16_s' : 'load16_u'](offset, 2, at);
    else value = m.i32[signed ? 'load8_s' : 'load8_u'](offset, 1, at);
    if (op.bytes === 1 && signed && narrowRegister) value = m.i32.and(value, m.i32.const(0xffff));
    if (kind === 'i64') return signed ? m.i64.extend_s(value) : m.i64.extend_u(value);
    return value;
  }

  /** Stores one value of the access's type. */
  storeScalar(op: AccessOp, place: Place, delta: number, value: Expr): Expr {
    const m = this.#o.f.m;
    const offset = place.data.offset + delta;
    const at = place.data.at();
    switch (op.bytes) {
      case 8:
        return op.type === 'f64' ? m.f64.store(offset, 8, at, value) : m.i64.store(offset, 8, at, value);
      case 4:
        return op.type === 'f32' ? m.f32.store(offset, 4, at, value) : m.i32.store(offset, 4, at, value);
      case 2:
        return m.i32.store16(offset, 2, at, value);
      default:
        return m.i32.store8(offset, 1, at, value);
    }
  }

  /** Puts a scalar, as the register holds it, into one lane. */
  replaceLane(register: string, lane: number, value: Expr): void {
    const { regs, f } = this.#o;
    const m = f.m;
    const kind = regs.kind(register);
    const half = isWide(kind) ? ((lane >> 1) as 0 | 1) : 0;
    const index = isWide(kind) ? lane & 1 : lane;
    const ns = kind === 'f32' ? m.f32x4 : kind === 'i64' ? m.i64x2 : kind === 'f64' ? m.f64x2 : m.i32x4;
    const stored = kind === 'pred' ? m.i32.sub(m.i32.const(0), value) : value;
    this.#o.out.push(
      regs.setVector(register, half, ns.replace_lane(regs.vector(register, half), index, stored)),
    );
    this.#o.forget(register);
  }
}
