import type { Instruction, Operand } from '../../ptx/ast.js';
import { CARRY } from '../../ptx/registers.js';
import { destination, intConst, ints, kindOf, type Lowering, source, typesOf } from './helpers.js';
import { mulHigh } from './multiply.js';
import { type Expr, isSigned, type Op, type Scalar, type Source, typeBytes, type Wasm } from './spec.js';

/** Holds the new carry while the old one is still read. */
export const NEXT_CARRY = `${CARRY}.next`;

const carryIn: Operand = { kind: 'reg', name: CARRY };

interface Carrying {
  readonly operands: readonly Source[];
  /** From the operands, then the carry where it is read. */
  readonly result: (m: Wasm, args: readonly Scalar[]) => Expr;
  readonly carry: (m: Wasm, args: readonly Scalar[]) => Expr;
}

/** The result, and where `.cc` asks for it the carry, in an order in which neither loses what the other reads. */
function steps(
  instruction: Instruction,
  type: 'u32' | 'u64',
  how: Carrying,
  reads: boolean,
): readonly Op[] | undefined {
  const dst = destination(instruction.operands[0], kindOf(type));
  if (dst === undefined) return undefined;
  const srcs = [...how.operands, ...(reads ? [source(carryIn, 'pred')] : [])];
  const result: Op = { kind: 'value', dst, srcs, scalar: (m, ...args) => how.result(m, args) };
  if (!instruction.modifiers.includes('cc')) return [result];
  const next = { reg: NEXT_CARRY, kind: 'pred' as const };
  return [
    { kind: 'value', dst: next, srcs, scalar: (m, ...args) => how.carry(m, args) },
    result,
    {
      kind: 'value',
      dst: { reg: CARRY, kind: 'pred' },
      srcs: [source({ kind: 'reg', name: NEXT_CARRY }, 'pred')],
      scalar: (_m, a) => a!(),
    },
  ];
}

/** 32 or 64 bits, and the type without a sign that they are computed in. */
function widthOf(instruction: Instruction): { type: 'u32' | 'u64'; signed: boolean } | undefined {
  const [type, ...more] = typesOf(instruction);
  if (type === undefined || !/^[us](32|64)$/.test(type) || more.length > 0) return undefined;
  return { type: typeBytes(type) === 8 ? 'u64' : 'u32', signed: isSigned(type) };
}

/** x + y + carry, and whether that overflows. */
function sum(m: Wasm, type: 'u32' | 'u64', x: Scalar, y: Scalar, carry: Scalar | undefined) {
  const i = ints(m, type);
  const extra = () =>
    carry === undefined ? intConst(m, type, 0) : type === 'u64' ? m.i64.extend_u(carry()) : carry();
  const first = () => i.add(x(), y());
  const total = () => i.add(first(), extra());
  const over = () => m.i32.or(i.lt_u(first(), x()), i.lt_u(total(), first()));
  return { total, over };
}

/** `add.cc`, `addc`, `sub.cc`, `subc`: the carry of a subtraction is a borrow. */
const sums =
  (subtracts: boolean, reads: boolean): Lowering =>
  (instruction) => {
    const known = widthOf(instruction);
    const flags = instruction.modifiers.slice(0, -1);
    const [, a, b, ...more] = instruction.operands;
    if (known === undefined || a === undefined || b === undefined || more.length > 0) return undefined;
    if (flags.some((word) => word !== 'cc') || (!reads && flags.length !== 1)) return undefined;
    const { type } = known;
    const parts = (m: Wasm, [x, y, carry]: readonly Scalar[]) => {
      if (!subtracts) return sum(m, type, x!, y!, carry);
      const i = ints(m, type);
      const borrow = () =>
        carry === undefined ? intConst(m, type, 0) : type === 'u64' ? m.i64.extend_u(carry()) : carry();
      const first = () => i.sub(x!(), y!());
      return {
        total: () => i.sub(first(), borrow()),
        over: () => m.i32.or(i.lt_u(x!(), y!()), i.lt_u(first(), borrow())),
      };
    };
    const how: Carrying = {
      operands: [source(a, type), source(b, type)],
      result: (m, args) => parts(m, args).total(),
      carry: (m, args) => parts(m, args).over(),
    };
    return steps(instruction, type, how, reads);
  };

/** `mad.lo/hi.cc`, `madc.lo/hi[.cc]`. */
const products =
  (reads: boolean): Lowering =>
  (instruction) => {
    const known = widthOf(instruction);
    const [half, ...flags] = instruction.modifiers.slice(0, -1);
    const [, a, b, c, ...more] = instruction.operands;
    if (known === undefined || a === undefined || b === undefined || c === undefined || more.length > 0)
      return undefined;
    if (
      (half !== 'lo' && half !== 'hi') ||
      flags.some((word) => word !== 'cc') ||
      (!reads && flags.length !== 1)
    )
      return undefined;
    const { type, signed } = known;
    const high = mulHigh(signed ? (type === 'u64' ? 's64' : 's32') : type);
    const parts = (m: Wasm, [x, y, z, carry]: readonly Scalar[]) => {
      const product = () => (half === 'lo' ? ints(m, type).mul(x!(), y!()) : high(m, x!, y!));
      return sum(m, type, product, z!, carry);
    };
    const how: Carrying = {
      operands: [source(a, type), source(b, type), source(c, type)],
      result: (m, args) => parts(m, args).total(),
      carry: (m, args) => parts(m, args).over(),
    };
    return steps(instruction, type, how, reads);
  };

/** Arithmetic of several words, by way of a carry. */
export const carry: Readonly<Record<string, Lowering>> = {
  add: sums(false, false),
  addc: sums(false, true),
  sub: sums(true, false),
  subc: sums(true, true),
  mad: products(false),
  madc: products(true),
};
