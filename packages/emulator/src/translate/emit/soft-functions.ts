import binaryen from 'binaryen';
import { SOFT_IMPORTS } from '../lower/soft.js';
import type { Wasm } from '../lower/spec.js';

const { i32, i64, f32, f64 } = binaryen;

/** Declares what the host computes for translated code, and what is made of few instructions but used often. */
export function addSoftFunctions(m: Wasm): void {
  for (const [name, params, result] of SOFT_IMPORTS) {
    m.addFunctionImport(name, 'env', name, binaryen.createType([...params]), result);
  }
  // assertFail(PTX line, text, file, line, function, lane, state, ctx): throws.
  const assertion = [i32, i64, i64, i32, i64, i32, i32, i32];
  m.addFunctionImport('assertFail', 'env', 'assertFail', binaryen.createType(assertion), binaryen.none);
  const x = () => m.local.get(0, f32);
  const small = m.f32.lt(m.f32.abs(x()), m.f32.const(2 ** -126));
  m.addFunction('flush32', f32, f32, [], m.select(small, m.f32.copysign(m.f32.const(0), x()), x()));
  for (const [name, type, ns] of [
    ['saturate32', f32, m.f32],
    ['saturate64', f64, m.f64],
  ] as const) {
    const value = () => m.local.get(0, type);
    // A NaN is not greater than 0.
    const upper = m.select(ns.lt(value(), ns.const(1)), value(), ns.const(1));
    m.addFunction(name, type, type, [], m.select(ns.gt(value(), ns.const(0)), upper, ns.const(0)));
  }
}
