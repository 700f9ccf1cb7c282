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

/** How far a GPU's result may be from the true value (PTX ISA; f32 unless said), by the name of the instruction. */
export const APPROXIMATION_BOUNDS: Readonly<Record<string, string>> = {
  'rcp.approx': 'relative 2^−23; f64: 2^−20',
  'rsqrt.approx': 'relative 2^−22.4; f64: 2^−20',
  'sqrt.approx': 'relative 2^−22',
  'div.approx': '2 ulp, for divisors from 2^−126 to 2^126',
  'div.full': '2 ulp',
  'ex2.approx': '2 ulp; f16: relative 2^−9.9, bf16: 2^−7',
  'lg2.approx': '2^−22, relative away from 1, absolute near it',
  'sin.approx': 'absolute 2^−20.5, between −2π and 2π',
  'cos.approx': 'absolute 2^−20.5, between −2π and 2π',
  'tanh.approx': 'relative 2^−11; f16: 2^−10.9, bf16: 2^−8',
};
