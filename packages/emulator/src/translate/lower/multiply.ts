import type { PtxType } from '../../ptx/ast.js';
import { addShape, mulShape, plain, type Shape, widenShape } from '../shape.js';
import {
  extended,
  flagsOf,
  integerType,
  ints,
  kindOf,
  type Lowering,
  lanes,
  narrowed,
  value,
} from './helpers.js';
import { type Expr, isSigned, type Scalar, typeBytes, type Vector, type Wasm } from './spec.js';

type ShapeRule = (...shapes: Shape[]) => Shape;

/** High half of a product of two 32-bit values, in 64 bits; of two 64-bit values, by 32-bit parts. */
export function mulHigh(type: PtxType): (m: Wasm, a: Scalar, b: Scalar) => Expr {
  const signed = isSigned(type);
  if (typeBytes(type) === 2) {
    return (m, a, b) =>
      narrowed(m, type, m.i32.shr_s(m.i32.mul(extended(m, type, a), extended(m, type, b)), m.i32.const(16)));
  }
  if (typeBytes(type) === 4) {
    return (m, a, b) => {
      const extend = (x: Expr) => (signed ? m.i64.extend_s(x) : m.i64.extend_u(x));
      return m.i32.wrap(m.i64.shr_u(m.i64.mul(extend(a()), extend(b())), m.i64.const(32n)));
    };
  }
  return (m, a, b) => {
    const lo = (x: Expr) => m.i64.and(x, m.i64.const(0xffffffffn));
    const hi = (x: Expr) => m.i64.shr_u(x, m.i64.const(32n));
    const mid = () => m.i64.add(m.i64.mul(hi(a()), lo(b())), hi(m.i64.mul(lo(a()), lo(b()))));
    const high = m.i64.add(
      m.i64.add(m.i64.mul(hi(a()), hi(b())), hi(mid())),
      hi(m.i64.add(m.i64.mul(lo(a()), hi(b())), lo(mid()))),
    );
    if (!signed) return high;
    const fix = (x: Scalar, y: Scalar) => m.i64.and(m.i64.shr_s(x(), m.i64.const(63n)), y());
    return m.i64.sub(m.i64.sub(high, fix(a, b)), fix(b, a));
  };
}

const WIDE: Partial<Record<PtxType, PtxType>> = { u16: 'u32', s16: 's32', u32: 'u64', s32: 's64' };

function wideProduct(type: PtxType): (m: Wasm, a: Scalar, b: Scalar) => Expr {
  if (typeBytes(type) === 2) return (m, a, b) => m.i32.mul(extended(m, type, a), extended(m, type, b));
  const extend = (m: Wasm, x: Expr) => (isSigned(type) ? m.i64.extend_s(x) : m.i64.extend_u(x));
  return (m, a, b) => m.i64.mul(extend(m, a()), extend(m, b()));
}

function wideLanes(type: PtxType): ((m: Wasm, half: 0 | 1, a: Vector, b: Vector) => Expr) | undefined {
  if (typeBytes(type) !== 4) return undefined;
  return (m, half, a, b) => {
    const name = `extmul_${half === 0 ? 'low' : 'high'}_i32x4_${isSigned(type) ? 's' : 'u'}` as const;
    return m.i64x2[name](a(0), b(0));
  };
}

/** Of 32-bit factors; narrower ones are not known to stay inside their type. */
const wideShape = (type: PtxType): ShapeRule =>
  typeBytes(type) < 4 ? plain : (x, y) => mulShape(widenShape(x!), widenShape(y!));

const mul: Lowering = (instruction) => {
  const type = integerType(instruction);
  const [half, ...others] = flagsOf(instruction);
  if (type === undefined || others.length > 0) return undefined;
  const kind = kindOf(type);
  if (half === 'lo') {
    return value(instruction, {
      result: kind,
      args: [type, type],
      scalar: (m, a, b) => narrowed(m, type, ints(m, type).mul(a!(), b!())),
      vector: typeBytes(type) < 4 ? undefined : (m, h, a, b) => lanes(m, type).mul(a!(h), b!(h)),
      shape: typeBytes(type) < 4 ? plain : mulShape,
    });
  }
  if (half === 'hi')
    return value(instruction, {
      result: kind,
      args: [type, type],
      scalar: (m, a, b) => mulHigh(type)(m, a!, b!),
    });
  const wide = WIDE[type];
  if (half !== 'wide' || wide === undefined) return undefined;
  const onLanes = wideLanes(type);
  return value(instruction, {
    result: kindOf(wide),
    args: [type, type],
    scalar: (m, a, b) => wideProduct(type)(m, a!, b!),
    vector: onLanes && ((m, h, a, b) => onLanes(m, h, a!, b!)),
    shape: wideShape(type),
  });
};

const mad: Lowering = (instruction) => {
  const type = integerType(instruction);
  const [half, ...others] = flagsOf(instruction);
  if (type === undefined || others.length > 0) return undefined;
  const kind = kindOf(type);
  if (half === 'lo') {
    return value(instruction, {
      result: kind,
      args: [type, type, type],
      scalar: (m, a, b, c) => narrowed(m, type, ints(m, type).add(ints(m, type).mul(a!(), b!()), c!())),
      vector:
        typeBytes(type) < 4
          ? undefined
          : (m, h, a, b, c) => lanes(m, type).add(lanes(m, type).mul(a!(h), b!(h)), c!(h)),
      shape: typeBytes(type) < 4 ? plain : (a, b, c) => addShape(mulShape(a!, b!), c!),
    });
  }
  if (half === 'hi') {
    return value(instruction, {
      result: kind,
      args: [type, type, type],
      scalar: (m, a, b, c) => narrowed(m, type, ints(m, type).add(mulHigh(type)(m, a!, b!), c!())),
    });
  }
  const wide = WIDE[type];
  if (half !== 'wide' || wide === undefined) return undefined;
  const onLanes = wideLanes(type);
  return value(instruction, {
    result: kindOf(wide),
    args: [type, type, wide],
    scalar: (m, a, b, c) => ints(m, wide).add(wideProduct(type)(m, a!, b!), c!()),
    vector: onLanes && ((m, h, a, b, c) => m.i64x2.add(onLanes(m, h, a!, b!), c!(h))),
    shape: (a, b, c) => addShape(wideShape(type)(a!, b!), c!),
  });
};

export const multiply: Readonly<Record<string, Lowering>> = { mul, mad };
