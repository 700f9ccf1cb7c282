import type { Approximation } from './code.js';

/** What each function is; in float64, so that rounding it gives the float32 nearest to the true value nearly always. */
export const APPROXIMATE: Readonly<Record<Approximation, (a: number, b: number) => number>> = {
  rcp: (a) => 1 / a,
  rsqrt: (a) => 1 / Math.sqrt(a),
  sqrtApprox: Math.sqrt,
  divApprox: (a, b) => a / b,
  ex2: (a) => 2 ** a,
  lg2: Math.log2,
  sin: Math.sin,
  cos: Math.cos,
  tanh: Math.tanh,
};
