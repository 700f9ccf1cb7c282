import type { Instruction, PtxType } from '../../ptx/ast.js';
import { encodeSoft, type SoftCode } from '../../soft/code.js';
import type { HalfName } from '../../soft/half.js';
import type { Expr, Wasm } from './spec.js';
import { f32, f64, i32, i64 } from './wasm-types.js';

/** Names and signatures of what translated code imports from {@link softImports}. */
export const SOFT_IMPORTS = [
  ['soft', [i32, f64, f64, f64], f64],
  ['softHalf', [i32, i32, i32, i32], i32],
  ['halfToFloat', [i32, i32], f64],
  ['floatToHalf', [i32, f64], i32],
  ['softInteger', [i32, i32, i64], f64],
  ['findNthSet', [i32, i32, i32], i32],
] as const;

type Code = Parameters<typeof encodeSoft>[0];

const codeOf = (m: Wasm, code: Code): Expr => m.i32.const(encodeSoft(code));

/** An operation on f32 or f64 that the host computes. */
export function softFloat(m: Wasm, code: Code & { format: 'f32' | 'f64' }, ...args: Expr[]): Expr {
  const wide = (x: Expr | undefined): Expr =>
    x === undefined ? m.f64.const(0) : code.format === 'f32' ? m.f64.promote(x) : x;
  const result = m.call('soft', [codeOf(m, code), wide(args[0]), wide(args[1]), wide(args[2])], f64);
  return code.format === 'f32' ? m.f32.demote(result) : result;
}

/** An operation on the bits of one or two values of 16 bits. */
export function softHalf(m: Wasm, code: Code & { format: HalfName }, ...args: Expr[]): Expr {
  const word = (x: Expr | undefined): Expr => x ?? m.i32.const(0);
  return m.call('softHalf', [codeOf(m, code), word(args[0]), word(args[1]), word(args[2])], i32);
}

/** The float64 that the low 16 bits of a word are. */
export const halfToF64 = (m: Wasm, format: HalfName, bits: Expr): Expr =>
  m.call('halfToFloat', [codeOf(m, { operation: 'round', format }), bits], f64);

/** A float64 rounded to 16 bits. */
export const f64ToHalf = (
  m: Wasm,
  code: Pick<SoftCode, 'rounding' | 'clamp'> & { format: HalfName },
  value: Expr,
): Expr => m.call('floatToHalf', [codeOf(m, { operation: 'round', ...code }), value], i32);

/** A 64-bit integer rounded to a format, as a float64. */
export const integerToFloat = (
  m: Wasm,
  code: Pick<SoftCode, 'rounding' | 'format'>,
  signed: boolean,
  value: Expr,
): Expr =>
  m.call(
    'softInteger',
    [codeOf(m, { operation: 'round', ...code }), m.i32.const(signed ? 1 : 0), value],
    f64,
  );

/** A float64 rounded to float32 in a direction. */
export const f64ToF32 = (m: Wasm, rounding: SoftCode['rounding'], value: Expr): Expr =>
  m.f32.demote(
    m.call(
      'soft',
      [codeOf(m, { operation: 'round', format: 'f32', rounding }), value, m.f64.const(0), m.f64.const(0)],
      f64,
    ),
  );

/** Subnormals of float32 as zeros of their sign. */
export const flushed = (m: Wasm, x: Expr): Expr => m.call('flush32', [x], f32);

/** Between 0 and 1; NaN is 0. */
export const saturated = (m: Wasm, type: 'f32' | 'f64', x: Expr): Expr =>
  m.call(type === 'f32' ? 'saturate32' : 'saturate64', [x], type === 'f32' ? f32 : f64);

/** The rounding that an instruction names. */
export function roundingOf({ modifiers }: Instruction): SoftCode['rounding'] | undefined {
  const [name, ...more] = modifiers.filter((word) => /^(rn|rz|rm|rp)$/.test(word));
  return more.length > 0 ? undefined : (name as SoftCode['rounding'] | undefined);
}

export const isHalf = (type: PtxType | undefined): type is HalfName => type === 'f16' || type === 'bf16';
