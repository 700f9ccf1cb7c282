import binaryen from 'binaryen';
import { EVEN_WORDS } from '../lower/helpers.js';
import type { Expr, FmaOp, Source, Wasm } from '../lower/spec.js';
import { isUniform } from '../shape.js';
import type { Operands } from './operands.js';
import { TIE, TIE_MASK } from './runtime-functions.js';

/** binaryen's wrapper has no relaxed ternary operations; its C interface does. */
interface RawBinaryen {
  _BinaryenSIMDTernary(module: number, op: number, a: Expr, b: Expr, c: Expr): Expr;
  _BinaryenRelaxedMaddVecF32x4(): number;
}

/** a·b + c on four lanes by an instruction that the engine may fuse or not: use only where it was seen to fuse. */
export function relaxedMadd(m: Wasm, a: Expr, b: Expr, c: Expr): Expr {
  const raw = binaryen as unknown as RawBinaryen;
  return raw._BinaryenSIMDTernary(m.ptr, raw._BinaryenRelaxedMaddVecF32x4(), a, b, c);
}

/** fma on one lane. */
export function fmaScalar(o: Operands, op: FmaOp, path: 'relaxed' | 'f64'): Expr {
  const m = o.f.m;
  const [a, b, c] = op.srcs.map((src) => o.scalar(src)) as [Expr, Expr, Expr];
  if (path === 'f64') return m.call('fma1', [a, b, c], binaryen.f32);
  return m.f32x4.extract_lane(relaxedMadd(m, m.f32x4.splat(a), m.f32x4.splat(b), m.f32x4.splat(c)), 0);
}

/** A half of an operand in float64: of a register, computed once while it holds the same value. */
function promoted(o: Operands, src: Source, half: 0 | 1, keep: boolean): Expr {
  const m = o.f.m;
  const make = (): Expr => {
    if (isUniform(o.shape(src.operand))) return m.f64x2.splat(m.f64.promote(o.scalar(src)));
    const v = o.vector(src, 0);
    if (half === 0) return m.f64x2.promote_low_f32x4(v);
    const high = m.i8x16.shuffle(v, o.vector(src, 0), [8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7]);
    return m.f64x2.promote_low_f32x4(high);
  };
  if (src.operand.kind !== 'reg' || !keep) return make();
  const same = isUniform(o.shape(src.operand));
  return o.memo(`${src.operand.name} promoted ${same ? 0 : half}`, make);
}

/** fma on four lanes. */
export function fmaVector(o: Operands, op: FmaOp, path: 'relaxed' | 'f64'): Expr {
  const m = o.f.m;
  const [a, b, c] = op.srcs;
  if (path === 'relaxed') return relaxedMadd(m, o.vector(a, 0), o.vector(b, 0), o.vector(c, 0));
  // The accumulator is about to change: its float64 form is of no further use.
  const keepC = !(c.operand.kind === 'reg' && c.operand.name === op.dst.reg);
  const sum = (half: 0 | 1) =>
    o.keep(
      'v128',
      m.f64x2.add(
        m.f64x2.mul(promoted(o, a, half, true), promoted(o, b, half, true)),
        promoted(o, c, half, keepC),
      ),
    );
  const low = sum(0);
  const high = sum(1);
  const result = o.keep(
    'v128',
    m.i8x16.shuffle(
      m.f32x4.demote_f64x2_zero(low()),
      m.f32x4.demote_f64x2_zero(high()),
      [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23],
    ),
  );
  // In doubt: the sum's low 29 bits are exactly a tie, or 0 < |result| ≤ 2^−126.
  const lowWords = m.i8x16.shuffle(low(), high(), EVEN_WORDS);
  const ties = m.i32x4.eq(
    m.v128.and(lowWords, m.i32x4.splat(m.i32.const(Number(TIE_MASK)))),
    m.i32x4.splat(m.i32.const(Number(TIE))),
  );
  const magnitude = m.v128.and(result(), m.i32x4.splat(m.i32.const(0x7fffffff)));
  const small = m.i32x4.lt_u(
    m.i32x4.sub(magnitude, m.i32x4.splat(m.i32.const(1))),
    m.i32x4.splat(m.i32.const(0x00800000)),
  );
  return m.if(
    m.v128.any_true(m.v128.or(ties, small)),
    m.call('fma4', [o.vector(a, 0), o.vector(b, 0), o.vector(c, 0)], binaryen.v128),
    result(),
  );
}
