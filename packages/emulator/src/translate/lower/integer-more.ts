import type { Instruction, PtxType } from '../../ptx/ast.js';
import { type Lowering, onlyFlags, typesOf, value } from './helpers.js';
import { type Expr, isSigned, type Scalar, typeBytes, type Wasm } from './spec.js';

/** The type of an instruction that has one, of 32 bits. */
function wordType(instruction: Instruction): 'u32' | 's32' | undefined {
  const [type, ...more] = typesOf(instruction);
  return more.length === 0 && (type === 'u32' || type === 's32') ? type : undefined;
}

/** A 64-bit value clamped to the range of s32. */
function clampedToWord(m: Wasm, x: Scalar): Expr {
  const [low, high] = [-(2n ** 31n), 2n ** 31n - 1n];
  const atLeast = m.select(m.i64.lt_s(x(), m.i64.const(low)), m.i64.const(low), x());
  return m.i32.wrap(m.select(m.i64.gt_s(x(), m.i64.const(high)), m.i64.const(high), atLeast));
}

/** `add.sat.s32`, `sub.sat.s32`: clamped where they overflow. */
const saturating =
  (name: 'add' | 'sub'): Lowering =>
  (instruction) => {
    if (wordType(instruction) !== 's32' || onlyFlags(instruction, 'sat')?.has('sat') !== true)
      return undefined;
    return value(instruction, {
      result: 'i32',
      args: ['i32', 'i32'],
      scalar: (m, a, b) => clampedToWord(m, () => m.i64[name](m.i64.extend_s(a!()), m.i64.extend_s(b!()))),
    });
  };

/** A factor of 24 bits, with its sign or zeros. */
const factor = (m: Wasm, type: PtxType, x: Expr): Expr =>
  isSigned(type)
    ? m.i64.shr_s(m.i64.shl(m.i64.extend_u(x), m.i64.const(40n)), m.i64.const(40n))
    : m.i64.extend_u(m.i32.and(x, m.i32.const(0xffffff)));

/** `mul24` and `mad24`: the low or the high 32 of the 48 bits of a product. */
const product24 =
  (adds: boolean): Lowering =>
  (instruction) => {
    const type = wordType(instruction);
    const flags = onlyFlags(instruction, 'lo', 'hi', 'sat');
    if (type === undefined || flags === undefined || flags.has('lo') === flags.has('hi')) return undefined;
    const sat = flags.has('sat');
    if (sat && !(adds && type === 's32' && flags.has('hi'))) return undefined;
    return value(instruction, {
      result: 'i32',
      args: adds ? ['i32', 'i32', 'i32'] : ['i32', 'i32'],
      scalar: (m, a, b, c) => {
        const product = () => m.i64.mul(factor(m, type, a!()), factor(m, type, b!()));
        const part = () => (flags.has('lo') ? product() : m.i64.shr_s(product(), m.i64.const(16n)));
        if (c === undefined) return m.i32.wrap(part());
        if (!sat) return m.i32.add(m.i32.wrap(part()), c());
        return clampedToWord(m, () => m.i64.add(m.i64.extend_s(m.i32.wrap(part())), m.i64.extend_s(c())));
      },
    });
  };

/** `mad.hi.sat.s32`. */
const mad: Lowering = (instruction) => {
  const flags = onlyFlags(instruction, 'hi', 'sat');
  if (wordType(instruction) !== 's32' || flags?.size !== 2) return undefined;
  return value(instruction, {
    result: 'i32',
    args: ['i32', 'i32', 'i32'],
    scalar: (m, a, b, c) =>
      clampedToWord(m, () =>
        m.i64.add(
          m.i64.shr_s(m.i64.mul(m.i64.extend_s(a!()), m.i64.extend_s(b!())), m.i64.const(32n)),
          m.i64.extend_s(c!()),
        ),
      ),
  });
};

/** `sad d, a, b, c`: |a − b| + c. */
const sad: Lowering = (instruction) => {
  const [type, ...more] = typesOf(instruction);
  if (type === undefined || !/^[us](16|32|64)$/.test(type) || more.length > 0) return undefined;
  if (onlyFlags(instruction) === undefined) return undefined;
  const bytes = typeBytes(type);
  const kind = bytes === 8 ? 'i64' : 'i32';
  return value(instruction, {
    result: kind,
    args: [type, type, type],
    scalar: (m, a, b, c) => {
      const i = m[kind];
      const clean = (x: Scalar) => (type === 's16' ? m.i32.extend16_s(x()) : x());
      const less = isSigned(type) ? i.lt_s(clean(a!), clean(b!)) : i.lt_u(clean(a!), clean(b!));
      const apart = m.select(less, i.sub(clean(b!), clean(a!)), i.sub(clean(a!), clean(b!)));
      const sum = i.add(apart, c!());
      return bytes === 2 ? m.i32.and(sum, m.i32.const(0xffff)) : sum;
    },
  });
};

/** A byte or half-word of a register, with its sign or zeros. */
function piece(m: Wasm, type: PtxType, x: Expr, bits: 8 | 16, index: number): Expr {
  const up = m.i32.shl(x, m.i32.const(32 - bits - bits * index));
  const by = m.i32.const(32 - bits);
  return isSigned(type) ? m.i32.shr_s(up, by) : m.i32.shr_u(up, by);
}

/** `dp4a` (four bytes by four) and `dp2a.lo/.hi` (two half-words by two of four bytes): products added to c. */
const dot =
  (terms: 2 | 4): Lowering =>
  (instruction) => {
    const [of, by, ...more] = typesOf(instruction);
    const flags = onlyFlags(instruction, 'lo', 'hi');
    if ((of !== 'u32' && of !== 's32') || (by !== 'u32' && by !== 's32') || more.length > 0) return undefined;
    if (flags?.size !== (terms === 2 ? 1 : 0)) return undefined;
    const first = flags.has('hi') ? 2 : 0;
    return value(instruction, {
      result: 'i32',
      args: ['i32', 'i32', 'i32'],
      scalar: (m, a, b, c) =>
        Array.from({ length: terms }, (_, i) =>
          m.i32.mul(piece(m, of, a!(), terms === 4 ? 8 : 16, i), piece(m, by, b!(), 8, first + i)),
        ).reduce((sum, term) => m.i32.add(sum, term), c!()),
    });
  };

/** `min.s32.relu`, `max.s32.relu`: not below 0. */
const relu =
  (name: 'min' | 'max'): Lowering =>
  (instruction) => {
    if (instruction.modifiers.join('.') !== 's32.relu' && instruction.modifiers.join('.') !== 'relu.s32')
      return undefined;
    return value(instruction, {
      result: 'i32',
      args: ['i32', 'i32'],
      scalar: (m, a, b) => {
        const chosen = () =>
          m.select(m.i32.lt_s(a!(), b!()), name === 'min' ? a!() : b!(), name === 'min' ? b!() : a!());
        return m.select(m.i32.lt_s(chosen(), m.i32.const(0)), m.i32.const(0), chosen());
      },
    });
  };

/** `slct.type.s32 d, a, b, c`: a where c ≥ 0, else b. */
const slct: Lowering = (instruction) => {
  const [type, by, ...more] = typesOf(instruction);
  const flags = onlyFlags(instruction, 'ftz');
  if (type === undefined || (by !== 's32' && by !== 'f32') || more.length > 0 || flags === undefined)
    return undefined;
  if (!/^([bus](16|32|64)|f32|f64)$/.test(type)) return undefined;
  const kind = type === 'f32' || type === 'f64' ? type : typeBytes(type) === 8 ? 'i64' : 'i32';
  return value(instruction, {
    result: kind,
    args: [type, type, by],
    // A subnormal that counts as zero is not below it; NaN is below everything.
    scalar: (m, a, b, c) => {
      const smallest = flags.has('ftz') ? -(2 ** -126) : 0;
      const holds =
        by === 's32'
          ? m.i32.ge_s(c!(), m.i32.const(0))
          : smallest === 0
            ? m.f32.ge(c!(), m.f32.const(0))
            : m.f32.gt(c!(), m.f32.const(smallest));
      return m.select(holds, a!(), b!());
    },
  });
};

export const integerMore: Readonly<Record<string, Lowering>> = {
  add: saturating('add'),
  sub: saturating('sub'),
  mul24: product24(false),
  mad24: product24(true),
  mad,
  sad,
  dp4a: dot(4),
  dp2a: dot(2),
  min: relu('min'),
  max: relu('max'),
  slct,
};
