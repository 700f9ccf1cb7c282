import type { Instruction, PtxType } from '../../ptx/ast.js';
import { addShape, andShape, constant, orShape, plain, shlShape, shrShape, subShape } from '../shape.js';
import {
  extended,
  intConst,
  integerType,
  ints,
  kindOf,
  type Lowering,
  lanes,
  narrowed,
  onlyFlags,
  typesOf,
  value,
} from './helpers.js';
import { type Expr, isSigned, type Scalar, typeBytes, type Wasm } from './spec.js';

type Binary = (m: Wasm, a: Expr, b: Expr) => Expr;
type ShapeRule = NonNullable<Parameters<typeof value>[1]['shape']>;

/** A two-argument integer instruction of 16, 32 or 64 bits. */
function binary(
  instruction: Instruction,
  type: PtxType | undefined,
  scalar: (type: PtxType) => Binary,
  vector?: (type: PtxType) => Binary | undefined,
  shape: ShapeRule = plain,
) {
  if (type === undefined) return undefined;
  const kind = kindOf(type);
  const wide = typeBytes(type) >= 4;
  const onLanes = wide ? vector?.(type) : undefined;
  return value(instruction, {
    result: kind,
    args: [type, type],
    scalar: (m, a, b) => narrowed(m, type, scalar(type)(m, extended(m, type, a!), extended(m, type, b!))),
    vector: onLanes && ((m, half, a, b) => onLanes(m, a!(half), b!(half))),
    shape: wide ? shape : plain,
  });
}

const simple =
  (name: 'add' | 'sub' | 'and' | 'or' | 'xor', shape: ShapeRule): Lowering =>
  (instruction) => {
    if (typesOf(instruction)[0] === 'pred') return undefined;
    if (onlyFlags(instruction) === undefined) return undefined;
    const onLanes = (type: PtxType): Binary => {
      if (name === 'add' || name === 'sub') return (m, a, b) => lanes(m, type)[name](a, b);
      return (m, a, b) => m.v128[name](a, b);
    };
    return binary(
      instruction,
      integerType(instruction),
      (type) => (m, a, b) => ints(m, type)[name](a, b),
      onLanes,
      shape,
    );
  };

/** Division where WebAssembly would trap: by zero (quotient and remainder are all ones, as on a GPU), and MIN / −1. */
const divide =
  (name: 'div' | 'rem'): Lowering =>
  (instruction) => {
    const type = integerType(instruction);
    if (type === undefined || onlyFlags(instruction) === undefined) return undefined;
    const kind = kindOf(type);
    const suffix = isSigned(type) ? 's' : 'u';
    return value(instruction, {
      result: kind,
      args: [type, type],
      scalar: (m, a, b) => {
        const i = ints(m, type);
        const x = () => extended(m, type, a!);
        const y = () => extended(m, type, b!);
        const minusOne = () => (isSigned(type) ? i.eq(y(), intConst(m, type, -1)) : m.i32.const(0));
        const safe = m.select(m.i32.or(i.eqz(y()), minusOne()), intConst(m, type, 1), y());
        const usual = i[`${name}_${suffix}`](x(), safe);
        const byMinusOne = name === 'div' ? i.sub(intConst(m, type, 0), x()) : intConst(m, type, 0);
        const byZero = intConst(m, type, -1);
        return narrowed(m, type, m.select(i.eqz(y()), byZero, m.select(minusOne(), byMinusOne, usual)));
      },
    });
  };

const minMax =
  (name: 'min' | 'max'): Lowering =>
  (instruction) => {
    const type = integerType(instruction);
    if (type === undefined || onlyFlags(instruction) === undefined) return undefined;
    const suffix = isSigned(type) ? 's' : 'u';
    const kind = kindOf(type);
    return value(instruction, {
      result: kind,
      args: [type, type],
      scalar: (m, a, b) => {
        const less = ints(m, type)[`lt_${suffix}`](extended(m, type, a!), extended(m, type, b!));
        return name === 'min' ? m.select(less, a!(), b!()) : m.select(less, b!(), a!());
      },
      vector: typeBytes(type) === 4 ? (m, h, a, b) => m.i32x4[`${name}_${suffix}`](a!(h), b!(h)) : undefined,
    });
  };

/** Shifts clamp their count at the width, where WebAssembly's wrap. */
const shift =
  (name: 'shl' | 'shr'): Lowering =>
  (instruction) => {
    const type = integerType(instruction);
    if (type === undefined || onlyFlags(instruction) === undefined) return undefined;
    const kind = kindOf(type);
    const width = typeBytes(type) * 8;
    const signed = isSigned(type);
    const by = instruction.operands[2];
    const known =
      by?.kind === 'int' && by.value >= 0n && by.value < BigInt(width) ? Number(by.value) : undefined;
    const full = (m: Wasm) => (width === 64 ? (x: Expr) => m.i64.extend_u(x) : (x: Expr) => x);
    const raw = (m: Wasm, a: Expr, n: Expr) =>
      name === 'shl' ? ints(m, type).shl(a, n) : ints(m, type)[signed ? 'shr_s' : 'shr_u'](a, n);
    return value(instruction, {
      result: kind,
      args: [type, 'i32'],
      scalar: (m, a, n) => {
        if (known !== undefined)
          return narrowed(m, type, raw(m, extended(m, type, a!), intConst(m, type, known)));
        const within = () => m.i32.lt_u(n!(), m.i32.const(width));
        const shifted = raw(m, extended(m, type, a!), full(m)(n!()));
        const past =
          name === 'shr' && signed
            ? raw(m, extended(m, type, a!), intConst(m, type, width - 1))
            : intConst(m, type, 0);
        return narrowed(m, type, m.select(within(), shifted, past));
      },
      vector:
        known === undefined || width < 32
          ? undefined
          : (m, h, a) =>
              lanes(m, type)[name === 'shl' ? 'shl' : signed ? 'shr_s' : 'shr_u'](a!(h), m.i32.const(known)),
      shape: width < 32 ? plain : name === 'shl' ? shlShape : shrShape,
    });
  };

const unary =
  (
    scalar: (m: Wasm, type: PtxType, a: Scalar) => Expr,
    resultIsI32 = false,
    shape: ShapeRule = plain,
  ): Lowering =>
  (instruction) => {
    const type = integerType(instruction);
    if (type === undefined || onlyFlags(instruction) === undefined) return undefined;
    const kind = kindOf(type);
    return value(instruction, {
      result: resultIsI32 ? 'i32' : kind,
      args: [type],
      scalar: (m, a) => (resultIsI32 ? scalar(m, type, a!) : narrowed(m, type, scalar(m, type, a!))),
      shape: typeBytes(type) < 4 ? plain : shape,
    });
  };

const negate = (m: Wasm, type: PtxType, a: Scalar) =>
  ints(m, type).sub(intConst(m, type, 0), extended(m, type, a));
const countOf = (name: 'clz' | 'popcnt') => (m: Wasm, type: PtxType, a: Scalar) =>
  typeBytes(type) === 8 ? m.i32.wrap(m.i64[name](a())) : m.i32[name](a());

/** Reverses bits by swapping ever larger groups. */
function reverse(m: Wasm, type: PtxType, a: Scalar): Expr {
  const i = ints(m, type);
  const swap = (x: Scalar, by: number, mask: bigint) => (): Expr =>
    i.or(
      i.and(i.shr_u(x(), intConst(m, type, by)), intConst(m, type, mask)),
      i.shl(i.and(x(), intConst(m, type, mask)), intConst(m, type, by)),
    );
  let x: Scalar = swap(a, 1, 0x5555555555555555n);
  x = swap(x, 2, 0x3333333333333333n);
  x = swap(x, 4, 0x0f0f0f0f0f0f0f0fn);
  x = swap(x, 8, 0x00ff00ff00ff00ffn);
  if (typeBytes(type) === 8) x = swap(x, 16, 0x0000ffff0000ffffn);
  return i.rotl(x(), intConst(m, type, typeBytes(type) === 8 ? 32 : 16));
}

export const integer: Readonly<Record<string, Lowering>> = {
  add: simple('add', addShape),
  sub: simple('sub', subShape),
  and: simple('and', andShape),
  or: simple('or', orShape),
  xor: simple('xor', orShape),
  div: divide('div'),
  rem: divide('rem'),
  min: minMax('min'),
  max: minMax('max'),
  shl: shift('shl'),
  shr: shift('shr'),
  neg: unary(negate, false, (x) => subShape(constant(0n), x!)),
  abs: unary((m, type, a) =>
    m.select(
      ints(m, type).lt_s(extended(m, type, a), intConst(m, type, 0)),
      negate(m, type, a),
      extended(m, type, a),
    ),
  ),
  not: unary((m, type, a) => ints(m, type).xor(a(), intConst(m, type, -1))),
  cnot: unary((m, type, a) => (typeBytes(type) === 8 ? m.i64.extend_u(m.i64.eqz(a())) : m.i32.eqz(a()))),
  popc: unary(countOf('popcnt'), true),
  clz: unary(countOf('clz'), true),
  brev: unary(reverse),
};
