import type { Instruction, PtxType } from '../../ptx/ast.js';
import { sameAs, widenShape } from '../shape.js';
import {
  EVEN_WORDS,
  extended,
  intConst,
  ints,
  kindOf,
  type Lowering,
  narrowed,
  onlyFlags,
  typesOf,
  value,
} from './helpers.js';
import { type Expr, isSigned, type Scalar, typeBytes, type Wasm } from './spec.js';

const isInt = (type: PtxType) => /^[us](8|16|32|64)$/.test(type);

/** A value of the type alone, whatever a wider register holds above it. */
const exactly = (m: Wasm, type: PtxType, a: Scalar): Expr =>
  isSigned(type) ? extended(m, type, a) : narrowed(m, type, a());

function intToInt(instruction: Instruction, to: PtxType, from: PtxType) {
  const down = typeBytes(to) < 8 && typeBytes(from) === 8;
  const up = typeBytes(to) === 8 && typeBytes(from) < 8;
  const signed = isSigned(from);
  const scalar = (m: Wasm, a: Scalar): Expr => {
    const cut = typeBytes(to) < typeBytes(from) ? to : from;
    if (down)
      return narrowed(
        m,
        to === 's8' ? 's16' : to,
        exactly(m, to, () => m.i32.wrap(a())),
      );
    if (typeBytes(from) === 8) return a();
    const clean = exactly(m, cut, a);
    if (up) return signed ? m.i64.extend_s(clean) : m.i64.extend_u(clean);
    // There are no 8-bit registers: a signed result fills the 16 bits of the smallest.
    return narrowed(m, to === 's8' ? 's16' : to, clean);
  };
  const wide = typeBytes(from) >= 4 && typeBytes(to) >= 4;
  return value(instruction, {
    result: kindOf(to),
    args: [from],
    scalar: (m, a) => scalar(m, a!),
    vector: !wide
      ? undefined
      : (m, h, a) => {
          if (up) return m.i64x2[`extend_${h === 0 ? 'low' : 'high'}_i32x4_${signed ? 's' : 'u'}`](a!(0));
          return down ? m.i8x16.shuffle(a!(0), a!(1), EVEN_WORDS) : a!(h);
        },
    shape: !wide ? undefined : up ? widenShape : sameAs,
    fills: typeBytes(to) < 4 ? to : undefined,
  });
}

/** Float to integer: out of range is clamped; NaN gives 0, or the highest bit alone where either side has 64 bits. */
function floatToInt(instruction: Instruction, to: PtxType, from: 'f32' | 'f64', rounding: string) {
  if (typeBytes(to) < 4) return undefined;
  const round = ({ rni: 'nearest', rzi: 'trunc', rmi: 'floor', rpi: 'ceil' } as const)[rounding];
  if (round === undefined) return undefined;
  const name = `trunc_${isSigned(to) ? 's' : 'u'}_sat` as const;
  const nanIsHighest = typeBytes(to) === 8 || from === 'f64';
  return value(instruction, {
    result: kindOf(to),
    args: [from],
    scalar: (m, a) => {
      const truncated = ints(m, to)[name][from](m[from][round](a!()));
      if (!nanIsHighest) return truncated;
      return m.select(
        m[from].ne(a!(), a!()),
        intConst(m, to, 1n << BigInt(8 * typeBytes(to) - 1)),
        truncated,
      );
    },
  });
}

function intToFloat(instruction: Instruction, to: 'f32' | 'f64', from: PtxType) {
  const suffix = isSigned(from) ? 's' : 'u';
  const source = typeBytes(from) === 8 ? 'i64' : 'i32';
  return value(instruction, {
    result: to,
    args: [from],
    scalar: (m, a) => m[to][`convert_${suffix}`][source](exactly(m, from, a!)),
    vector:
      to === 'f32' && typeBytes(from) === 4
        ? (m, _h, a) => m.f32x4[`convert_i32x4_${suffix}`](a!(0))
        : undefined,
  });
}

/** Rounding to an integral float. */
const INTEGRAL: Readonly<Record<string, 'nearest' | 'trunc' | 'floor' | 'ceil'>> = {
  rni: 'nearest',
  rzi: 'trunc',
  rmi: 'floor',
  rpi: 'ceil',
};

const cvt: Lowering = (instruction) => {
  const [to, from, ...more] = typesOf(instruction);
  const flags = onlyFlags(instruction, 'rn', 'rni', 'rzi', 'rmi', 'rpi');
  if (to === undefined || from === undefined || more.length > 0 || flags === undefined || flags.size > 1)
    return undefined;
  const [rounding = ''] = flags;
  if (isInt(to) && isInt(from)) return rounding === '' ? intToInt(instruction, to, from) : undefined;
  if (isInt(to) && (from === 'f32' || from === 'f64')) return floatToInt(instruction, to, from, rounding);
  if ((to === 'f32' || to === 'f64') && isInt(from))
    return rounding === 'rn' ? intToFloat(instruction, to, from) : undefined;
  if (to === 'f64' && from === 'f32' && rounding === '') {
    return value(instruction, { result: 'f64', args: ['f32'], scalar: (m, a) => m.f64.promote(a!()) });
  }
  if (to === 'f32' && from === 'f64' && rounding === 'rn') {
    return value(instruction, { result: 'f32', args: ['f64'], scalar: (m, a) => m.f32.demote(a!()) });
  }
  const integral = INTEGRAL[rounding];
  if ((to === 'f32' || to === 'f64') && to === from && integral !== undefined) {
    return value(instruction, { result: to, args: [to], scalar: (m, a) => m[to][integral](a!()) });
  }
  return undefined;
};

export const convert: Readonly<Record<string, Lowering>> = { cvt };
