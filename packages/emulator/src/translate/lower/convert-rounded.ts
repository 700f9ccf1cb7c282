import type { Instruction, PtxType } from '../../ptx/ast.js';
import { extended, kindOf, type Lowering, narrowed, onlyFlags, source, typesOf, value } from './helpers.js';
import {
  f64ToF32,
  f64ToHalf,
  flushed,
  halfToF64,
  integerToFloat,
  isHalf,
  roundingOf,
  saturated,
} from './soft.js';
import { type Expr, isSigned, type Op, type Scalar, typeBytes, type Wasm } from './spec.js';

const isInt = (type: PtxType) => /^[us](8|16|32|64)$/.test(type);
const INTEGRAL = { rni: 'nearest', rzi: 'trunc', rmi: 'floor', rpi: 'ceil' } as const;
type Float = 'f16' | 'bf16' | 'f32' | 'f64';
const isFloat = (type: PtxType): type is Float => isHalf(type) || type === 'f32' || type === 'f64';

interface Conversion {
  readonly to: PtxType;
  readonly from: PtxType;
  readonly rounding: 'rn' | 'rz' | 'rm' | 'rp' | undefined;
  readonly integral: keyof typeof INTEGRAL | undefined;
  readonly clamp: 'none' | 'sat' | 'relu';
  readonly ftz: boolean;
}

function conversion(instruction: Instruction): Conversion | undefined {
  const [to, from, ...more] = typesOf(instruction);
  const flags = onlyFlags(
    instruction,
    'rn',
    'rz',
    'rm',
    'rp',
    'rni',
    'rzi',
    'rmi',
    'rpi',
    'sat',
    'relu',
    'ftz',
  );
  if (to === undefined || from === undefined || more.length > 0 || flags === undefined) return undefined;
  const integral = [...flags].find((flag): flag is keyof typeof INTEGRAL => flag in INTEGRAL);
  return {
    to,
    from,
    rounding: roundingOf(instruction),
    integral,
    clamp: flags.has('sat') ? 'sat' : flags.has('relu') ? 'relu' : 'none',
    ftz: flags.has('ftz'),
  };
}

/** The source as a float64, which holds every float exactly. */
function asF64(m: Wasm, { from, ftz }: Conversion, a: Scalar): Expr {
  if (from === 'f16' || from === 'bf16') return halfToF64(m, from, a());
  if (from === 'f64') return a();
  return m.f64.promote(ftz ? flushed(m, a()) : a());
}

/** A float64 in the format of the result. */
function fromF64(m: Wasm, c: Conversion, x: Expr): Expr {
  const rounding = c.rounding ?? 'rn';
  if (isHalf(c.to)) return f64ToHalf(m, { format: c.to, rounding, clamp: c.clamp }, x);
  if (c.to === 'f64') return c.clamp === 'sat' ? saturated(m, 'f64', x) : x;
  const single = rounding === 'rn' ? m.f32.demote(x) : f64ToF32(m, rounding, x);
  const whole = c.ftz ? flushed(m, single) : single;
  return c.clamp === 'sat' ? saturated(m, 'f32', whole) : whole;
}

function floatToFloat(instruction: Instruction, c: Conversion & { from: Float; to: Float }) {
  const narrowing =
    typeBytes(c.to) < typeBytes(c.from) || (isHalf(c.to) && isHalf(c.from) && c.to !== c.from);
  // Between formats of one size a rounding is to an integer, or there is none.
  if (narrowing !== (c.rounding !== undefined) || (c.integral !== undefined && c.to !== c.from))
    return undefined;
  if (c.clamp === 'relu' && !isHalf(c.to)) return undefined;
  return value(instruction, {
    result: kindOf(c.to),
    args: [c.from],
    scalar: (m, a) => {
      const x = asF64(m, c, a!);
      return fromF64(m, c, c.integral === undefined ? x : m.f64[INTEGRAL[c.integral]](x));
    },
  });
}

/** Out of range is clamped; NaN gives 0, or the highest bit alone where either side has 64 bits. */
function floatToInt(
  instruction: Instruction,
  c: Conversion & { from: Float; integral: keyof typeof INTEGRAL },
) {
  const bits = 8 * typeBytes(c.to);
  const signed = isSigned(c.to);
  return value(instruction, {
    result: kindOf(c.to),
    args: [c.from],
    scalar: (m, a) => {
      const integer = () => m.f64[INTEGRAL[c.integral]](asF64(m, c, a!));
      if (bits < 32) {
        const low = signed ? -(2 ** (bits - 1)) : 0;
        const high = signed ? 2 ** (bits - 1) - 1 : 2 ** bits - 1;
        const clamped = m.f64.min(m.f64.max(integer(), m.f64.const(low)), m.f64.const(high));
        const whole = m.i32.trunc_s_sat.f64(clamped);
        return narrowed(m, c.to === 's8' ? 's16' : c.to, whole);
      }
      const truncated = (bits === 64 ? m.i64 : m.i32)[`trunc_${signed ? 's' : 'u'}_sat`].f64(integer());
      if (bits === 32 && c.from !== 'f64') return truncated;
      const highest = bits === 64 ? m.i64.const(-(2n ** 63n)) : m.i32.const(0x80000000 | 0);
      const x = () => asF64(m, c, a!);
      return m.select(m.f64.ne(x(), x()), highest, truncated);
    },
    fills: bits < 32 ? c.to : undefined,
  });
}

function intToFloat(
  instruction: Instruction,
  c: Conversion & { to: Float; rounding: 'rn' | 'rz' | 'rm' | 'rp' },
) {
  return value(instruction, {
    result: kindOf(c.to),
    args: [c.from],
    scalar: (m, a) => {
      const signed = isSigned(c.from);
      const clean = () => (signed ? extended(m, c.from, a!) : narrowed(m, c.from, a!()));
      const wide = typeBytes(c.from) === 8;
      const value64 = wide ? a!() : signed ? m.i64.extend_s(clean()) : m.i64.extend_u(clean());
      // A float64 holds 32 bits exactly; of 64, one rounding must do.
      const format = isHalf(c.to) && !wide ? 'f64' : c.to;
      const x = integerToFloat(m, { rounding: c.rounding, format }, signed, value64);
      return fromF64(m, isHalf(c.to) ? c : { ...c, rounding: 'rn' }, x);
    },
  });
}

/** `cvt.sat` between integers: clamped to the type of the result. */
function saturatedInt(instruction: Instruction, c: Conversion) {
  const bits = 8 * typeBytes(c.to);
  const wide = typeBytes(c.from) === 8;
  const signedTo = isSigned(c.to);
  const low = signedTo ? -(2n ** BigInt(bits - 1)) : 0n;
  const high = signedTo ? 2n ** BigInt(bits - 1) - 1n : 2n ** BigInt(bits) - 1n;
  // Unsigned 64-bit values have no wider type to be compared in.
  if (bits === 64 || c.from === 'u64') return undefined;
  return value(instruction, {
    result: kindOf(c.to),
    args: [c.from],
    scalar: (m, a) => {
      const clean = () => (isSigned(c.from) ? extended(m, c.from, a!) : narrowed(m, c.from, a!()));
      const x = () => (wide ? a!() : isSigned(c.from) ? m.i64.extend_s(clean()) : m.i64.extend_u(clean()));
      const atLeast = m.select(m.i64.lt_s(x(), m.i64.const(low)), m.i64.const(low), x());
      const clamped = m.select(m.i64.gt_s(x(), m.i64.const(high)), m.i64.const(high), atLeast);
      return narrowed(m, c.to === 's8' ? 's16' : c.to, m.i32.wrap(clamped));
    },
    fills: bits < 32 ? c.to : undefined,
  });
}

/** `cvt.{rn,rz}[.relu].{f16x2,bf16x2}.f32 d, a, b`: a in the upper half, b in the lower. */
function pair(instruction: Instruction, c: Conversion): readonly Op[] | undefined {
  const format = c.to === 'f16x2' ? 'f16' : 'bf16';
  const [d, a, b, ...more] = instruction.operands;
  if (c.from !== 'f32' || (c.rounding !== 'rn' && c.rounding !== 'rz') || more.length > 0) return undefined;
  if (d?.kind !== 'reg' || a === undefined || b === undefined || c.clamp === 'sat') return undefined;
  const { rounding, clamp } = c;
  const one = (m: Wasm, x: Scalar) => f64ToHalf(m, { format, rounding, clamp }, m.f64.promote(x()));
  return [
    {
      kind: 'value',
      dst: { reg: d.name, kind: 'i32' },
      srcs: [source(a, 'f32'), source(b, 'f32')],
      scalar: (m, x, y) => m.i32.or(m.i32.shl(one(m, x!), m.i32.const(16)), one(m, y!)),
    },
  ];
}

/** `cvt.rna.tf32.f32` and `cvt.rn.tf32.f32`: the ten highest bits of the fraction, halves away from zero or to even. */
function tf32(instruction: Instruction): readonly Op[] | undefined {
  const words = instruction.modifiers.join('.');
  if (words !== 'rna.tf32.f32' && words !== 'rn.tf32.f32') return undefined;
  return value(instruction, {
    result: 'i32',
    args: ['f32'],
    scalar: (m, a) => {
      const bits = () => m.i32.reinterpret(a!());
      const odd = m.i32.and(m.i32.shr_u(bits(), m.i32.const(13)), m.i32.const(1));
      const half = words.startsWith('rna') ? m.i32.const(0x1000) : m.i32.add(m.i32.const(0xfff), odd);
      const rounded = m.i32.and(m.i32.add(bits(), half), m.i32.const(~0x1fff));
      return m.select(m.f32.ne(a!(), a!()), m.i32.const(0x7fffffff), rounded);
    },
  });
}

const cvt: Lowering = (instruction) => {
  if (instruction.modifiers.includes('tf32')) return tf32(instruction);
  const c = conversion(instruction);
  if (c === undefined) return undefined;
  const { to, from, rounding, integral } = c;
  if (to === 'f16x2' || to === 'bf16x2') return pair(instruction, c);
  if (isFloat(to) && isFloat(from)) return floatToFloat(instruction, { ...c, to, from });
  if (isInt(to) && isFloat(from)) {
    return integral === undefined ? undefined : floatToInt(instruction, { ...c, from, integral });
  }
  if (isFloat(to) && isInt(from)) {
    return rounding === undefined ? undefined : intToFloat(instruction, { ...c, to, rounding });
  }
  return isInt(to) && isInt(from) && c.clamp === 'sat' ? saturatedInt(instruction, c) : undefined;
};

export const convertRounded: Readonly<Record<string, Lowering>> = { cvt };
