import type { Expr, ValueKind, Wasm } from '../lower/spec.js';
import { isWide } from './registers.js';

function steps32(m: Wasm, stride: number): Expr {
  const bytes = new Uint8Array(Int32Array.from([0, stride, 2 * stride, 3 * stride]).buffer);
  return m.v128.const([...bytes]);
}

function steps64(m: Wasm, stride: number, half: 0 | 1): Expr {
  const first = BigInt(stride) * BigInt(2 * half);
  const bytes = new Uint8Array(BigInt64Array.from([first, first + BigInt(stride)]).buffer);
  return m.v128.const([...bytes]);
}

/** Four lanes from lane 0's value and the step between lanes; floats step as the integers that their bits are. */
export function spread(m: Wasm, value: Expr, kind: ValueKind, stride: number, half: 0 | 1): Expr {
  switch (kind) {
    case 'pred':
      return m.i32x4.splat(m.i32.sub(m.i32.const(0), value));
    case 'f32':
      return stride === 0 ? m.f32x4.splat(value) : spread(m, m.i32.reinterpret(value), 'i32', stride, half);
    case 'f64':
      return stride === 0 ? m.f64x2.splat(value) : spread(m, m.i64.reinterpret(value), 'i64', stride, half);
    case 'i32': {
      const splat = m.i32x4.splat(value);
      return stride === 0 ? splat : m.i32x4.add(splat, steps32(m, stride));
    }
    default: {
      const splat = m.i64x2.splat(value);
      return stride === 0 ? splat : m.i64x2.add(splat, steps64(m, stride, half));
    }
  }
}

/** A lane's value from lane 0's and its distance from it. */
export function stepped(m: Wasm, value: Expr, kind: ValueKind, step: number): Expr {
  if (step === 0) return value;
  if (kind === 'f32') return m.f32.reinterpret(stepped(m, m.i32.reinterpret(value), 'i32', step));
  if (kind === 'f64') return m.f64.reinterpret(stepped(m, m.i64.reinterpret(value), 'i64', step));
  return kind === 'i64' ? m.i64.add(value, m.i64.const(BigInt(step))) : m.i32.add(value, m.i32.const(step));
}

/** Which half holds a lane of a kind, and at which place. */
export function placeOf(kind: ValueKind, lane: number): { half: 0 | 1; index: number } {
  return isWide(kind) ? { half: (lane >> 1) as 0 | 1, index: lane & 1 } : { half: 0, index: lane };
}

/** The value at a place of a half. */
export function extract(m: Wasm, from: Expr, kind: ValueKind, index: number): Expr {
  switch (kind) {
    case 'pred':
      return m.i32.and(m.i32x4.extract_lane(from, index), m.i32.const(1));
    case 'i32':
      return m.i32x4.extract_lane(from, index);
    case 'i64':
      return m.i64x2.extract_lane(from, index);
    case 'f32':
      return m.f32x4.extract_lane(from, index);
    default:
      return m.f64x2.extract_lane(from, index);
  }
}

/** A half of four lanes from one expression a lane (two for 64-bit kinds). */
export function gather(m: Wasm, kind: ValueKind, half: 0 | 1, lane: (lane: number) => Expr): Expr {
  if (isWide(kind)) {
    const ns = kind === 'i64' ? m.i64x2 : m.f64x2;
    return ns.replace_lane(ns.splat(lane(2 * half)), 1, lane(2 * half + 1));
  }
  const value = (l: number) => (kind === 'pred' ? m.i32.sub(m.i32.const(0), lane(l)) : lane(l));
  const ns = kind === 'f32' ? m.f32x4 : m.i32x4;
  return [1, 2, 3].reduce((v, l) => ns.replace_lane(v, l, value(l)), ns.splat(value(0)));
}
