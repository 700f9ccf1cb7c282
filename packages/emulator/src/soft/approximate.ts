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

/**
 * How far a GPU's result may be from the true value, by the name of the instruction; f32 unless said. From the notes of
 * each instruction in PTX ISA 8 and 9, sections "Floating Point Instructions" and "Half Precision Floating Point
 * Instructions". For the two of float64, which look at the upper word only, it gives no bound.
 */
export const APPROXIMATION_BOUNDS: Readonly<Record<string, string>> = {
  'rcp.approx': '1 ulp; f64: not said, 20 bits of the mantissa are used',
  'rsqrt.approx': 'relative 2^−22.9; f64: not said, 20 bits of the mantissa are used',
  'sqrt.approx': 'relative 2^−23',
  'div.approx': '2 ulp, for divisors from 2^−126 to 2^126; NaN or zero beyond',
  'div.full': '2 ulp',
  'ex2.approx': '2 ulp; f16: relative 2^−9.9, bf16: 2^−7',
  'lg2.approx': 'absolute 2^−22 between 0.5 and 2, relative 2^−22 elsewhere',
  'sin.approx': 'absolute 2^−20.5 between −2π and 2π, 2^−14.7 to ±100π, then nothing said',
  'cos.approx': 'absolute 2^−20.5 between −2π and 2π, 2^−14.7 to ±100π, then nothing said',
  'tanh.approx': 'relative 2^−11; f16: absolute 2^−10.987, bf16: 2^−8',
};
