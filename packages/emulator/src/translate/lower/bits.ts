import { affine, isUniform, laneBits, plain, type Shape, shlShape, VARYING } from '../shape.js';
import { intConst, integerType, ints, kindOf, type Lowering, onlyFlags, typesOf, value } from './helpers.js';
import { type Expr, isSigned, type Scalar, typeBytes, type Wasm } from './spec.js';

/** `bfi d, a, b, pos, len`: the low `len` bits of a replace those of b at `pos`. */
const bfi: Lowering = (instruction) => {
  const type = typesOf(instruction)[0];
  if ((type !== 'b32' && type !== 'b64') || onlyFlags(instruction) === undefined) return undefined;
  const kind = kindOf(type);
  const width = BigInt(typeBytes(type) * 8);
  const [, , , posOperand, lenOperand] = instruction.operands;
  if (posOperand?.kind !== 'int' || lenOperand?.kind !== 'int') return undefined;
  const pos = posOperand.value & 0xffn;
  const len = lenOperand.value & 0xffn;
  const mask = pos >= width ? 0n : (((1n << len) - 1n) << pos) & ((1n << width) - 1n);
  const shape = (a: Shape, b: Shape): Shape => {
    if (isUniform(a) && isUniform(b)) return plain(a, b);
    const inserted = shlShape(a, { stride: 0, align: 0, value: pos });
    const bits = laneBits(b);
    if (isUniform(a) && bits !== undefined && BigInt(bits) <= pos)
      return affine(b.stride!, Math.min(b.align, Number(pos)));
    const moved = laneBits(inserted);
    if (isUniform(b) && moved !== undefined && BigInt(moved) <= pos + len) {
      // Below the field lies b; at 0, only b's bits from `len` up are left.
      const rest = pos === 0n ? Math.max(b.align, Number(len)) : b.align;
      return affine(inserted.stride!, Math.min(rest, inserted.align));
    }
    return VARYING;
  };
  return value(instruction, {
    result: kind,
    args: [kind, kind, 'i32', 'i32'],
    scalar: (m, a, b) =>
      ints(m, type).or(
        ints(m, type).and(
          pos >= width ? intConst(m, type, 0) : ints(m, type).shl(a!(), intConst(m, type, pos)),
          intConst(m, type, mask),
        ),
        ints(m, type).and(b!(), intConst(m, type, ~mask)),
      ),
    shape: (a, b) => shape(a!, b!),
  });
};

/** `bfe d, a, pos, len`: a field, zero- or sign-extended. */
const bfe: Lowering = (instruction) => {
  const type = integerType(instruction);
  if (type === undefined || onlyFlags(instruction) === undefined || typeBytes(type) < 4) return undefined;
  const kind = kindOf(type);
  const width = typeBytes(type) * 8;
  const full = (m: Wasm, x: Expr) => (width === 64 ? m.i64.extend_u(x) : x);
  return value(instruction, {
    result: kind,
    args: [kind, 'i32', 'i32'],
    scalar: (m, a, pos, len) => {
      const i = ints(m, type);
      const p = () => m.i32.and(pos!(), m.i32.const(0xff));
      const n = () => m.i32.and(len!(), m.i32.const(0xff));
      const at = () => m.select(m.i32.gt_u(p(), m.i32.const(width - 1)), m.i32.const(width - 1), p());
      const room = () => m.i32.sub(m.i32.const(width), at());
      const size = () => m.select(m.i32.gt_u(n(), room()), room(), n());
      const up = () => full(m, m.i32.sub(room(), size()));
      const down = () => full(m, m.i32.sub(m.i32.const(width), size()));
      const field = i[isSigned(type) ? 'shr_s' : 'shr_u'](i.shl(a!(), up()), down());
      const past = isSigned(type) ? i.shr_s(a!(), intConst(m, type, width - 1)) : intConst(m, type, 0);
      return m.select(
        m.i32.eqz(n()),
        intConst(m, type, 0),
        m.select(m.i32.gt_u(p(), m.i32.const(width - 1)), past, field),
      );
    },
  });
};

/** `lop3 d, a, b, c, table`: any function of three bits, as a sum of the table's ones. */
const lop3: Lowering = (instruction) => {
  const table = instruction.operands[4];
  if (typesOf(instruction)[0] !== 'b32' || table?.kind !== 'int' || onlyFlags(instruction) === undefined)
    return undefined;
  const terms = [...Array(8).keys()].filter((i) => (table.value >> BigInt(i)) & 1n);
  return value(instruction, {
    result: 'i32',
    args: ['i32', 'i32', 'i32', 'i32'],
    scalar: (m, a, b, c) => {
      const literal = (x: Scalar, on: boolean) => (on ? x() : m.i32.xor(x(), m.i32.const(-1)));
      return terms.reduce<Expr>(
        (sum, i) =>
          m.i32.or(
            sum,
            m.i32.and(
              m.i32.and(literal(a!, (i & 4) > 0), literal(b!, (i & 2) > 0)),
              literal(c!, (i & 1) > 0),
            ),
          ),
        m.i32.const(0),
      );
    },
  });
};

/** `prmt d, a, b, selector`: four bytes chosen from eight; bit 3 of a nibble replicates the sign. */
const prmt: Lowering = (instruction) => {
  if (typesOf(instruction)[0] !== 'b32' || onlyFlags(instruction) === undefined) return undefined;
  return value(instruction, {
    result: 'i32',
    args: ['i32', 'i32', 'i32'],
    scalar: (m, a, b, selector) => {
      const both = () => m.i64.or(m.i64.extend_u(a!()), m.i64.shl(m.i64.extend_u(b!()), m.i64.const(32n)));
      const nibble = (i: number) => m.i32.shr_u(selector!(), m.i32.const(4 * i));
      const byte = (i: number): Expr => {
        const at = m.i64.extend_u(m.i32.shl(m.i32.and(nibble(i), m.i32.const(7)), m.i32.const(3)));
        return m.i32.and(m.i32.wrap(m.i64.shr_u(both(), at)), m.i32.const(0xff));
      };
      const chosen = (i: number): Expr =>
        m.select(
          m.i32.and(nibble(i), m.i32.const(8)),
          m.i32.and(m.i32.shr_s(m.i32.extend8_s(byte(i)), m.i32.const(7)), m.i32.const(0xff)),
          byte(i),
        );
      return [1, 2, 3].reduce((sum, i) => m.i32.or(sum, m.i32.shl(chosen(i), m.i32.const(8 * i))), chosen(0));
    },
  });
};

/** `shf.l/r.clamp/wrap d, a, b, n`: funnel shift of the pair b:a. */
const shf: Lowering = (instruction) => {
  const flags = onlyFlags(instruction, 'l', 'r', 'clamp', 'wrap');
  if (flags === undefined || typesOf(instruction)[0] !== 'b32') return undefined;
  return value(instruction, {
    result: 'i32',
    args: ['i32', 'i32', 'i32'],
    scalar: (m, a, b, count) => {
      const pair = () => m.i64.or(m.i64.extend_u(a!()), m.i64.shl(m.i64.extend_u(b!()), m.i64.const(32n)));
      const n = () =>
        m.i64.extend_u(
          flags.has('wrap')
            ? m.i32.and(count!(), m.i32.const(31))
            : m.select(m.i32.lt_u(count!(), m.i32.const(32)), count!(), m.i32.const(32)),
        );
      const shifted = flags.has('l')
        ? m.i64.shr_u(m.i64.shl(pair(), n()), m.i64.const(32n))
        : m.i64.shr_u(pair(), n());
      return m.i32.wrap(shifted);
    },
  });
};

export const bits: Readonly<Record<string, Lowering>> = { bfi, bfe, lop3, prmt, shf };
