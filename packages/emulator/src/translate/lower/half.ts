import type { Instruction } from '../../ptx/ast.js';
import type { SoftCode } from '../../soft/code.js';
import type { HalfName } from '../../soft/half.js';
import { type Lowering, onlyFlags, typesOf, value } from './helpers.js';
import { isHalf, softHalf } from './soft.js';
import type { Expr, Scalar, Wasm } from './spec.js';

interface Halves {
  readonly format: HalfName;
  readonly packed: boolean;
  readonly type: 'f16' | 'bf16' | 'f16x2' | 'bf16x2';
}

/** The one type of an instruction on 16-bit floats. */
function halves(instruction: Instruction): Halves | undefined {
  const [type, ...more] = typesOf(instruction);
  if (type === undefined || more.length > 0) return undefined;
  const format = type.replace('x2', '') as HalfName;
  return isHalf(format) ? { format, packed: type.endsWith('x2'), type: type as Halves['type'] } : undefined;
}

/** A difference is a sum with the sign turned. */
const signs = (m: Wasm, packed: boolean): Expr => m.i32.const(packed ? 0x80008000 | 0 : 0x8000);

/** A word without the bits that a 16-bit register does not have. */
const cut = (m: Wasm, packed: boolean, x: Expr): Expr => (packed ? x : m.i32.and(x, m.i32.const(0xffff)));

const arithmetic =
  (name: 'add' | 'sub' | 'mul' | 'fma'): Lowering =>
  (instruction) => {
    const known = halves(instruction);
    const flags = onlyFlags(instruction, 'rn', 'sat', 'relu');
    if (known === undefined || flags === undefined || (name === 'fma' && !flags.has('rn'))) return undefined;
    const { format, packed, type } = known;
    const clamp: SoftCode['clamp'] = flags.has('sat') ? 'sat' : flags.has('relu') ? 'relu' : 'none';
    return value(instruction, {
      result: 'i32',
      args: name === 'fma' ? [type, type, type] : [type, type],
      scalar: (m, a, b, c) => {
        const operation = name === 'sub' ? 'add' : name;
        const second = name === 'sub' ? m.i32.xor(b!(), signs(m, packed)) : b!();
        const rest = c === undefined ? [] : [c()];
        return softHalf(m, { operation, format, packed, clamp }, a!(), second, ...rest);
      },
    });
  };

const extreme =
  (name: 'min' | 'max'): Lowering =>
  (instruction) => {
    const known = halves(instruction);
    const flags = onlyFlags(instruction, 'NaN');
    if (known === undefined || flags === undefined) return undefined;
    const { format, packed, type } = known;
    const operation = flags.has('NaN') ? (`${name}NaN` as const) : name;
    return value(instruction, {
      result: 'i32',
      args: [type, type],
      scalar: (m, a, b) => softHalf(m, { operation, format, packed }, a!(), b!()),
    });
  };

const sign =
  (name: 'neg' | 'abs'): Lowering =>
  (instruction) => {
    const known = halves(instruction);
    if (known === undefined || onlyFlags(instruction) === undefined) return undefined;
    const { packed, type } = known;
    return value(instruction, {
      result: 'i32',
      args: [type],
      scalar: (m, a) =>
        cut(
          m,
          packed,
          name === 'neg'
            ? m.i32.xor(a!(), signs(m, packed))
            : m.i32.and(a!(), m.i32.xor(signs(m, packed), m.i32.const(-1))),
        ),
    });
  };

const APPROXIMATE = { ex2: 'ex2', tanh: 'tanh' } as const;

const approximate =
  (name: keyof typeof APPROXIMATE): Lowering =>
  (instruction) => {
    const known = halves(instruction);
    const flags = onlyFlags(instruction, 'approx', 'ftz');
    if (known === undefined || flags?.has('approx') !== true) return undefined;
    const { format, packed, type } = known;
    return value(instruction, {
      result: 'i32',
      args: [type],
      scalar: (m, a: Scalar | undefined) =>
        softHalf(m, { operation: APPROXIMATE[name], format, packed }, a!()),
    });
  };

/** Arithmetic on f16, bf16 and pairs of them. */
export const half: Readonly<Record<string, Lowering>> = {
  add: arithmetic('add'),
  sub: arithmetic('sub'),
  mul: arithmetic('mul'),
  fma: arithmetic('fma'),
  min: extreme('min'),
  max: extreme('max'),
  neg: sign('neg'),
  abs: sign('abs'),
  ex2: approximate('ex2'),
  tanh: approximate('tanh'),
};
