import type { Instruction } from '../../ptx/ast.js';
import { type Lowering, value } from './helpers.js';
import type { Expr, Scalar, Wasm } from './spec.js';

/** A part of a word, with its sign or zeros. */
function part(m: Wasm, signed: boolean, x: Expr, bits: number, index: number): Expr {
  const up = m.i32.shl(x, m.i32.const(32 - bits - bits * index));
  const by = m.i32.const(32 - bits);
  return signed ? m.i32.shr_s(up, by) : m.i32.shr_u(up, by);
}

/** Parts, each cut to its bits, as one word. */
const joined = (m: Wasm, bits: number, parts: readonly Expr[]): Expr =>
  parts
    .map((x, i) => m.i32.shl(m.i32.and(x, m.i32.const(2 ** bits - 1)), m.i32.const(bits * i)))
    .reduce((x, y) => m.i32.or(x, y));

const smaller = (m: Wasm, signed: boolean, a: Scalar, b: Scalar) =>
  signed ? m.i32.lt_s(a(), b()) : m.i32.lt_u(a(), b());

/** `add`, `min` and `max` on two half-words, `.u16x2` or `.s16x2`, min and max also with `.relu`. */
const pairs =
  (name: 'add' | 'min' | 'max'): Lowering =>
  (instruction) => {
    const words = instruction.modifiers.filter((word) => word !== 'relu');
    const relu = words.length < instruction.modifiers.length;
    const [type, ...more] = words;
    if ((type !== 'u16x2' && type !== 's16x2') || more.length > 0) return undefined;
    const signed = type === 's16x2';
    if (relu && (name === 'add' || !signed)) return undefined;
    return value(instruction, {
      result: 'i32',
      args: ['i32', 'i32'],
      scalar: (m, a, b) => {
        const one = (index: number): Expr => {
          const x = () => part(m, signed, a!(), 16, index);
          const y = () => part(m, signed, b!(), 16, index);
          if (name === 'add') return m.i32.add(x(), y());
          const less = smaller(m, signed, x, y);
          const chosen = name === 'min' ? m.select(less, x(), y()) : m.select(less, y(), x());
          if (!relu) return chosen;
          const again = () => {
            const below = smaller(m, signed, x, y);
            return name === 'min' ? m.select(below, x(), y()) : m.select(below, y(), x());
          };
          return m.select(m.i32.lt_s(again(), m.i32.const(0)), m.i32.const(0), again());
        };
        return joined(m, 16, [one(0), one(1)]);
      },
    });
  };

interface Video {
  readonly signed: readonly [boolean, boolean, boolean];
  readonly sat: boolean;
  readonly add: boolean;
}

/** `.dtype.atype.btype[.sat][.add]`. */
function video({ modifiers }: Instruction): Video | undefined {
  const [d, a, b, ...rest] = modifiers;
  if (![d, a, b].every((type) => type === 'u32' || type === 's32')) return undefined;
  if (rest.some((word) => word !== 'sat' && word !== 'add') || rest.length > 1) return undefined;
  return {
    signed: [d === 's32', a === 's32', b === 's32'],
    sat: rest.includes('sat'),
    add: rest.includes('add'),
  };
}

/** Clamped to the range of a part. */
function clamped(m: Wasm, signed: boolean, bits: number, x: Scalar): Expr {
  const [low, high] = signed ? [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1] : [0, 2 ** bits - 1];
  const atLeast = m.select(m.i32.lt_s(x(), m.i32.const(low)), m.i32.const(low), x());
  return m.select(m.i32.gt_s(x(), m.i32.const(high)), m.i32.const(high), atLeast);
}

const COMBINE: Readonly<Record<string, (m: Wasm, x: Scalar, y: Scalar) => Expr>> = {
  vadd: (m, x, y) => m.i32.add(x(), y()),
  vsub: (m, x, y) => m.i32.sub(x(), y()),
  vavrg: (m, x, y) => {
    const sum = () => m.i32.add(x(), y());
    // Rounded away from zero.
    const up = m.i32.ge_s(sum(), m.i32.const(0));
    return m.i32.shr_s(m.i32.add(sum(), up), m.i32.const(1));
  },
  vabsdiff: (m, x, y) => m.select(m.i32.lt_s(x(), y()), m.i32.sub(y(), x()), m.i32.sub(x(), y())),
  vmin: (m, x, y) => m.select(m.i32.lt_s(x(), y()), x(), y()),
  vmax: (m, x, y) => m.select(m.i32.lt_s(x(), y()), y(), x()),
};

/** `vadd2`, `vabsdiff4` and their kin: on each half-word or byte; `.add` sums the parts and adds c, else c is left out of them. */
const parts =
  (name: keyof typeof COMBINE & string, count: 2 | 4): Lowering =>
  (instruction) => {
    const how = video(instruction);
    if (how === undefined) return undefined;
    const bits = 32 / count;
    const combine = COMBINE[name]!;
    return value(instruction, {
      result: 'i32',
      args: ['i32', 'i32', 'i32'],
      scalar: (m, a, b, c) => {
        const one = (index: number): Expr => {
          const x = () => part(m, how.signed[1], a!(), bits, index);
          const y = () => part(m, how.signed[2], b!(), bits, index);
          return how.sat ? clamped(m, how.signed[0], bits, () => combine(m, x, y)) : combine(m, x, y);
        };
        const all = Array.from({ length: count }, (_, index) => one(index));
        // Every part of the result is written, so that nothing of c is left.
        return how.add ? all.reduce((sum, x) => m.i32.add(sum, x), c!()) : joined(m, bits, all);
      },
    });
  };

const video2And4: Readonly<Record<string, Lowering>> = Object.fromEntries(
  Object.keys(COMBINE).flatMap((name) =>
    [2, 4].map((count) => [`${name}${count}`, parts(name, count as 2 | 4)]),
  ),
);

/** Instructions on several small integers in a word. */
export const integerPacked: Readonly<Record<string, Lowering>> = {
  add: pairs('add'),
  min: pairs('min'),
  max: pairs('max'),
  ...video2And4,
};
