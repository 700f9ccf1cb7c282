import binaryen from 'binaryen';
import { CTX, LOG_ENTRY_BYTES } from '../../layout.js';
import type { Expr, Wasm } from '../lower/spec.js';
import type { TranslationOptions } from './options.js';
import { addSoftFunctions } from './soft-functions.js';

const { i32, i64, f32, f64, v128 } = binaryen;

export const TIE_MASK = 0x1fffffffn;
export const TIE = 0x10000000n;

/** Whether a float64 sum may round wrongly to float32: bits just at a tie, or a result at or below 2^−126. */
function doubtful(m: Wasm, sum: () => Expr): Expr {
  const low = m.i64.and(m.i64.reinterpret(sum()), m.i64.const(TIE_MASK));
  const small = m.f64.le(m.f64.abs(sum()), m.f64.const(2 ** -126));
  return m.i32.or(m.i64.eq(low, m.i64.const(TIE)), small);
}

/**
 * fma(a, b, c) in float32. The product is exact in float64; the sum is rounded there and again to float32, which
 * is wrong only where the first rounding lands on a tie of the second, or in subnormals. There the first is
 * replaced by rounding to odd, with the error of the sum by TwoSum (Knuth; Boldo and Melquiond, "Emulation of FMA
 * and correctly rounded sums: proved algorithms using rounding to odd", 2008).
 */
function addFma1(m: Wasm): void {
  const [p, s, c, e, bits] = [3, 4, 5, 6, 7];
  const get = (local: number) => m.local.get(local, local === bits ? i64 : f64);
  const param = (index: number) => m.f64.promote(m.local.get(index, f32));
  const virtual = () => m.f64.sub(get(s), get(p));
  const error = m.f64.add(m.f64.sub(get(p), m.f64.sub(get(s), virtual())), m.f64.sub(get(c), virtual()));
  const sameSign = m.i64.ge_s(m.i64.xor(m.i64.reinterpret(get(e)), get(bits)), m.i64.const(0n));
  const odd = m.i64.or(get(bits), m.i64.const(1n));
  const below = m.i64.sub(get(bits), m.i64.xor(m.i64.and(get(bits), m.i64.const(1n)), m.i64.const(1n)));
  const fix = m.block(null, [
    m.local.set(e, error),
    m.if(
      m.i32.and(m.f64.ne(get(e), m.f64.const(0)), m.f64.eq(get(e), get(e))),
      m.block(null, [
        m.local.set(bits, m.i64.reinterpret(get(s))),
        m.local.set(s, m.f64.reinterpret(m.select(sameSign, odd, below))),
      ]),
    ),
  ]);
  const body = m.block(
    null,
    [
      m.local.set(p, m.f64.mul(param(0), param(1))),
      m.local.set(c, param(2)),
      m.local.set(s, m.f64.add(get(p), get(c))),
      m.if(
        doubtful(m, () => get(s)),
        fix,
      ),
      m.f32.demote(get(s)),
    ],
    f32,
  );
  m.addFunction('fma1', binaryen.createType([f32, f32, f32]), f32, [f64, f64, f64, f64, i64], body);
}

/** The same for four lanes that are in doubt. */
function addFma4(m: Wasm): void {
  const lane = (index: number, l: number) => m.f32x4.extract_lane(m.local.get(index, v128), l);
  const one = (l: number) => m.call('fma1', [lane(0, l), lane(1, l), lane(2, l)], f32);
  const body = [1, 2, 3].reduce((v, l) => m.f32x4.replace_lane(v, l, one(l)), m.f32x4.splat(one(0)));
  m.addFunction('fma4', binaryen.createType([v128, v128, v128]), v128, [], body);
}

/** log(ctx, site << 4 | mask, a0, a1, a2, a3): one entry of the access log. */
function addLog(m: Wasm): void {
  const next = 6;
  const at = () => m.local.get(next, i32);
  const words = [1, 2, 3, 4, 5].map((param, i) => m.i32.store(4 * i, 4, at(), m.local.get(param, i32)));
  const body = m.block(null, [
    m.local.set(next, m.i32.load(CTX.logNext, 4, m.local.get(0, i32))),
    ...words,
    m.i32.store(CTX.logNext, 4, m.local.get(0, i32), m.i32.add(at(), m.i32.const(LOG_ENTRY_BYTES))),
  ]);
  m.addFunction('log', binaryen.createType([i32, i32, i32, i32, i32, i32]), binaryen.none, [i32], body);
}

/** Declares imports, memory and the helpers that every translated kernel calls. */
export function addRuntime(
  m: Wasm,
  options: TranslationOptions,
  pages: { initial: number; maximum: number },
): void {
  m.setFeatures(
    binaryen.Features.MVP |
      binaryen.Features.Atomics |
      binaryen.Features.BulkMemory |
      binaryen.Features.MutableGlobals |
      binaryen.Features.NontrappingFPToInt |
      binaryen.Features.SignExt |
      binaryen.Features.SIMD128 |
      (options.fma === 'relaxed' ? binaryen.Features.RelaxedSIMD : 0),
  );
  m.setMemory(pages.initial, pages.maximum, undefined, [], true);
  m.addMemoryImport('0', 'env', 'memory', true);
  // fault(site, address, stride, lanes, first lane, state, ctx): throws.
  m.addFunctionImport(
    'fault',
    'env',
    'fault',
    binaryen.createType([i32, i64, i32, i32, i32, i32, i32]),
    binaryen.none,
  );
  // trap(block of the code, lane, state, ctx): throws.
  m.addFunctionImport('trap', 'env', 'trap', binaryen.createType([i32, i32, i32, i32]), binaryen.none);
  addSoftFunctions(m);
  if (options.fma === 'f64') {
    addFma1(m);
    addFma4(m);
  }
  if (options.counters) addLog(m);
}
