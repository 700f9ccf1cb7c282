import type { Instruction, Operand, PtxType } from '../../ptx/ast.js';
import type { Shape } from '../shape.js';
import {
  type Destination,
  type Expr,
  type Op,
  type Scalar,
  type Source,
  typeBytes,
  type ValueKind,
  type ValueOp,
  type Vector,
  valueKind,
  type Wasm,
} from './spec.js';

/** Lowers one instruction; undefined: this form is not known. */
export type Lowering = (instruction: Instruction) => readonly Op[] | undefined;

const types = new Set<string>(
  'pred b8 b16 b32 b64 u8 u16 u32 u64 s8 s16 s32 s64 f16 f16x2 bf16 bf16x2 f32 f64'.split(' '),
);

/** Type suffixes of an instruction, in order. */
export function typesOf(instruction: Instruction): PtxType[] {
  return instruction.modifiers.filter((word): word is PtxType => types.has(word));
}

/** Modifiers that are not types. */
export function flagsOf(instruction: Instruction): string[] {
  return instruction.modifiers.filter((word) => !types.has(word));
}

/** The flags, if each of them is one of those allowed. */
export function onlyFlags(instruction: Instruction, ...allowed: string[]): Set<string> | undefined {
  const flags = flagsOf(instruction);
  return flags.every((flag) => allowed.includes(flag)) ? new Set(flags) : undefined;
}

export function destination(operand: Operand | undefined, kind: ValueKind): Destination | undefined {
  return operand?.kind === 'reg' ? { reg: operand.name, kind } : undefined;
}

/** An operand of a type, or of whatever is held in a kind. A narrow immediate is cut as its register would hold it. */
export function source(operand: Operand, held: ValueKind | PtxType): Source {
  if (held === 'i32' || held === 'i64') return { operand, kind: held };
  const kind = kindOf(held);
  const bits = typeBytes(held) * 8;
  if (operand.kind !== 'int' || kind !== 'i32' || bits >= 32) return { operand, kind };
  return { operand: { kind: 'int', value: BigInt.asUintN(bits, operand.value) }, kind };
}

interface Definition {
  readonly result: ValueKind;
  /** Types of the arguments, or how they are held where the type does not matter. */
  readonly args: readonly (ValueKind | PtxType)[];
  readonly scalar: (m: Wasm, ...args: Scalar[]) => Expr;
  readonly vector?: ((m: Wasm, half: 0 | 1, ...args: Vector[]) => Expr) | undefined;
  readonly shape?: ((...shapes: Shape[]) => Shape) | undefined;
  readonly fills?: PtxType | undefined;
}

/** First operand is the result, the rest are the arguments, all scalar registers or immediates. */
export function value(instruction: Instruction, definition: Definition): readonly Op[] | undefined {
  const [first, ...rest] = instruction.operands;
  const dst = destination(first, definition.result);
  if (dst === undefined || rest.length !== definition.args.length) return undefined;
  const op: ValueOp = {
    kind: 'value',
    dst,
    srcs: rest.map((operand, i) => source(operand, definition.args[i]!)),
    scalar: definition.scalar,
    ...(definition.vector === undefined ? {} : { vector: definition.vector }),
    ...(definition.shape === undefined ? {} : { shape: definition.shape }),
    ...(definition.fills === undefined ? {} : { fills: definition.fills }),
  };
  return [op];
}

/** The 32- or 64-bit integer namespace of a type's width. */
export function ints(m: Wasm, type: PtxType) {
  return typeBytes(type) === 8 ? m.i64 : m.i32;
}

export function lanes(m: Wasm, type: PtxType) {
  return typeBytes(type) === 8 ? m.i64x2 : m.i32x4;
}

export function intConst(m: Wasm, type: PtxType, value: bigint | number): Expr {
  return typeBytes(type) === 8
    ? m.i64.const(BigInt.asIntN(64, BigInt(value)))
    : m.i32.const(Number(BigInt.asIntN(32, BigInt(value))));
}

/** A narrow argument with its sign or zeros filled in; wider ones as they are. */
export function extended(m: Wasm, type: PtxType, arg: Scalar): Expr {
  if (type === 's16') return m.i32.extend16_s(arg());
  if (type === 's8') return m.i32.extend8_s(arg());
  return arg();
}

/** A result cut to a narrow type's bits. */
export function narrowed(m: Wasm, type: PtxType, result: Expr): Expr {
  const bytes = typeBytes(type);
  return bytes >= 4 ? result : m.i32.and(result, m.i32.const(bytes === 2 ? 0xffff : 0xff));
}

export const kindOf = (type: PtxType): ValueKind => valueKind(type) as ValueKind;

/** Integer types of 16 to 64 bits, by what the instruction says. */
export function integerType(instruction: Instruction): PtxType | undefined {
  const all = typesOf(instruction);
  return all.length === 1 && /^[bus](16|32|64)$/.test(all[0]!) ? all[0] : undefined;
}

/** Only the low words (or the duplicated mask words) of two halves. */
export const EVEN_WORDS = [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27];
export const WORD_PAIRS = [
  [0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7, 4, 5, 6, 7],
  [8, 9, 10, 11, 8, 9, 10, 11, 12, 13, 14, 15, 12, 13, 14, 15],
] as const;
