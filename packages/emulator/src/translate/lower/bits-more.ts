import { intConst, ints, kindOf, type Lowering, onlyFlags, typesOf, value } from './helpers.js';
import { type Expr, isSigned, type Scalar, typeBytes, type Wasm } from './spec.js';
import { i32 } from './wasm-types.js';

/** A 32-bit count as the shift count of a type. */
const count = (m: Wasm, width: number, x: Expr): Expr => (width === 64 ? m.i64.extend_u(x) : x);

/** 2^n − 1 for n from 0 to past the width, where all bits are set. */
function lowOnes(m: Wasm, type: 'b32' | 'b64', n: Scalar): Expr {
  const i = ints(m, type);
  const width = typeBytes(type) * 8;
  const some = i.sub(i.shl(intConst(m, type, 1), count(m, width, n())), intConst(m, type, 1));
  return m.select(m.i32.ge_u(n(), m.i32.const(width)), intConst(m, type, -1), some);
}

/** x shifted left, 0 where nothing of it is left. */
function shiftedOut(m: Wasm, type: 'b32' | 'b64', x: Expr, n: Scalar): Expr {
  const width = typeBytes(type) * 8;
  const shifted = ints(m, type).shl(x, count(m, width, n()));
  return m.select(m.i32.ge_u(n(), m.i32.const(width)), intConst(m, type, 0), shifted);
}

/** `bfi d, a, b, pos, len` with a place or a length from a register. */
const bfi: Lowering = (instruction) => {
  const [type, ...more] = typesOf(instruction);
  if ((type !== 'b32' && type !== 'b64') || more.length > 0 || onlyFlags(instruction) === undefined)
    return undefined;
  return value(instruction, {
    result: kindOf(type),
    args: [type, type, 'i32', 'i32'],
    scalar: (m, a, b, pos, len) => {
      const i = ints(m, type);
      const p = () => m.i32.and(pos!(), m.i32.const(0xff));
      const n = () => m.i32.and(len!(), m.i32.const(0xff));
      const mask = () => shiftedOut(m, type, lowOnes(m, type, n), p);
      return i.or(
        i.and(shiftedOut(m, type, a!(), p), mask()),
        i.and(b!(), i.xor(mask(), intConst(m, type, -1))),
      );
    },
  });
};

/** `bfind[.shiftamt] d, a`: the highest bit that is not the sign; all ones where there is none. */
const bfind: Lowering = (instruction) => {
  const [type, ...more] = typesOf(instruction);
  const flags = onlyFlags(instruction, 'shiftamt');
  if (type === undefined || !/^[us](32|64)$/.test(type) || more.length > 0 || flags === undefined)
    return undefined;
  const width = typeBytes(type) * 8;
  return value(instruction, {
    result: 'i32',
    args: [type],
    scalar: (m, a) => {
      const i = ints(m, type);
      const magnitude = () =>
        isSigned(type) ? i.xor(a!(), i.shr_s(a!(), intConst(m, type, width - 1))) : a!();
      const zeros = width === 64 ? m.i32.wrap(i.clz(magnitude())) : i.clz(magnitude());
      const found = flags.has('shiftamt') ? zeros : m.i32.sub(m.i32.const(width - 1), zeros);
      return m.select(i.eqz(magnitude()), m.i32.const(-1), found);
    },
  });
};

/** `prmt.mode d, a, b, selector`: bytes chosen by the low two bits of the selector in a fixed pattern. */
const PATTERNS: Readonly<Record<string, readonly (readonly number[])[]>> = {
  f4e: [0, 1, 2, 3].map((n) => [0, 1, 2, 3].map((i) => i + n)),
  b4e: [0, 1, 2, 3].map((n) => [0, 1, 2, 3].map((i) => (n - i + 8) % 8)),
  rc8: [0, 1, 2, 3].map((n) => [n, n, n, n]),
  ecl: [0, 1, 2, 3].map((n) => [0, 1, 2, 3].map((i) => Math.max(i, n))),
  ecr: [0, 1, 2, 3].map((n) => [0, 1, 2, 3].map((i) => Math.min(i, n))),
  rc16: [0, 1, 0, 1].map((n) => [2 * n, 2 * n + 1, 2 * n, 2 * n + 1]),
};

const prmt: Lowering = (instruction) => {
  const [mode, ...more] = instruction.modifiers.filter((word) => word !== 'b32');
  const pattern = PATTERNS[mode ?? ''];
  if (pattern === undefined || more.length > 0 || typesOf(instruction).join() !== 'b32') return undefined;
  return value(instruction, {
    result: 'i32',
    args: ['i32', 'i32', 'i32'],
    scalar: (m, a, b, selector) => {
      const both = () => m.i64.or(m.i64.extend_u(a!()), m.i64.shl(m.i64.extend_u(b!()), m.i64.const(32n)));
      const chosen = (bytes: readonly number[]) =>
        bytes
          .map((byte, i) => {
            const taken = m.i32.wrap(m.i64.shr_u(both(), m.i64.const(BigInt(8 * byte))));
            return m.i32.shl(m.i32.and(taken, m.i32.const(0xff)), m.i32.const(8 * i));
          })
          .reduce((x, y) => m.i32.or(x, y));
      const bit = (n: number) => m.i32.and(selector!(), m.i32.const(n));
      const pair = (first: number) => m.select(bit(1), chosen(pattern[first + 1]!), chosen(pattern[first]!));
      return m.select(bit(2), pair(2), pair(0));
    },
  });
};

/** `szext.mode.type d, a, n`: the low n bits of a, zero- or sign-extended. */
const szext: Lowering = (instruction) => {
  const [type, ...more] = typesOf(instruction);
  const flags = onlyFlags(instruction, 'clamp', 'wrap');
  if ((type !== 'u32' && type !== 's32') || more.length > 0 || flags?.size !== 1) return undefined;
  return value(instruction, {
    result: 'i32',
    args: ['i32', 'i32'],
    scalar: (m, a, b) => {
      const n = () => (flags.has('wrap') ? m.i32.and(b!(), m.i32.const(31)) : b!());
      const room = () => m.i32.sub(m.i32.const(32), n());
      const up = m.i32.shl(a!(), room());
      const some = type === 's32' ? m.i32.shr_s(up, room()) : m.i32.shr_u(up, room());
      const whole = m.i32.ge_u(n(), m.i32.const(32));
      return m.select(whole, a!(), m.select(m.i32.eqz(n()), m.i32.const(0), some));
    },
  });
};

/** `bmsk.mode.b32 d, a, b`: b ones from bit a on. */
const bmsk: Lowering = (instruction) => {
  const flags = onlyFlags(instruction, 'clamp', 'wrap');
  if (typesOf(instruction).join() !== 'b32' || flags?.size !== 1) return undefined;
  return value(instruction, {
    result: 'i32',
    args: ['i32', 'i32'],
    scalar: (m, a, b) => {
      const of = (x: Scalar) => () => (flags.has('wrap') ? m.i32.and(x(), m.i32.const(31)) : x());
      return shiftedOut(m, 'b32', lowOnes(m, 'b32', of(b!)), of(a!));
    },
  });
};

/**
 * `fns.b32 d, mask, base, n`: the n-th set bit of the mask from bit `base` on, upwards, or downwards for a negative n;
 * n = 0 asks for bit `base` itself. All ones where there is none.
 */
const fns: Lowering = (instruction) => {
  if (typesOf(instruction).join() !== 'b32' || onlyFlags(instruction) === undefined) return undefined;
  return value(instruction, {
    result: 'i32',
    args: ['i32', 'i32', 'i32'],
    scalar: (m, mask, base, n) => m.call('findNthSet', [mask!(), base!(), n!()], i32),
  });
};

export const bitsMore: Readonly<Record<string, Lowering>> = { bfi, bfind, prmt, szext, bmsk, fns };
