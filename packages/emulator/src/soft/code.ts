import type { Operation } from './arithmetic.js';
import type { FormatName, Rounding } from './formats.js';

/** What translated code asks the host to compute, as one number. */
export interface SoftCode {
  readonly operation: Operation | 'round' | 'min' | 'max' | 'minNaN' | 'maxNaN' | Approximation;
  readonly format: FormatName;
  readonly rounding: Rounding;
  /** Of a result: between 0 and 1, or not negative; NaN becomes 0, or stays. */
  readonly clamp: 'none' | 'sat' | 'relu';
  /** Two values of 16 bits in a word, each by itself. */
  readonly packed: boolean;
}

/** Functions that a GPU computes by tables of its own. */
export const APPROXIMATIONS = [
  'rcp',
  'rsqrt',
  'sqrtApprox',
  'divApprox',
  'ex2',
  'lg2',
  'sin',
  'cos',
  'tanh',
] as const;
export type Approximation = (typeof APPROXIMATIONS)[number];

const OPERATIONS = [
  'add',
  'mul',
  'fma',
  'div',
  'sqrt',
  'round',
  'min',
  'max',
  'minNaN',
  'maxNaN',
  ...APPROXIMATIONS,
] as const;
const NAMES = ['f16', 'bf16', 'f32', 'f64'] as const;
const ROUNDINGS = ['rn', 'rz', 'rm', 'rp'] as const;
const CLAMPS = ['none', 'sat', 'relu'] as const;

/** The number that stands for a computation. */
export function encodeSoft(code: Partial<SoftCode> & Pick<SoftCode, 'operation' | 'format'>): number {
  const { rounding = 'rn', clamp = 'none', packed = false } = code;
  return (
    OPERATIONS.indexOf(code.operation) |
    (NAMES.indexOf(code.format) << 8) |
    (ROUNDINGS.indexOf(rounding) << 10) |
    (CLAMPS.indexOf(clamp) << 12) |
    (packed ? 1 << 14 : 0)
  );
}

const decoded = new Map<number, SoftCode>();

/** The computation that a number stands for. */
export function decodeSoft(code: number): SoftCode {
  let known = decoded.get(code);
  if (known === undefined) {
    known = {
      operation: OPERATIONS[code & 0xff]!,
      format: NAMES[(code >> 8) & 3]!,
      rounding: ROUNDINGS[(code >> 10) & 3]!,
      clamp: CLAMPS[(code >> 12) & 3]!,
      packed: (code & (1 << 14)) !== 0,
    };
    decoded.set(code, known);
  }
  return known;
}
