import { exactFma } from './exact-fma.js';
import type { Form } from './instruction-form.js';
import { f32, f32Bits, floatBits, floatOf } from './scalar-values.js';

type Float = 'f32' | 'f64';
const FLOATS = ['f32', 'f64'] as const;

/** float32 results of float64 arithmetic on float32 values are right for +, −, ×, ÷ and √: 53 ≥ 2·24 + 2. */
function binary(name: string, type: Float, of: (a: number, b: number) => number): Form {
  return {
    text: `${name}.${type}`,
    result: type,
    args: [type, type],
    model: (a, b) => floatBits(type, of(floatOf(type, a!), floatOf(type, b!))),
  };
}

function unary(name: string, type: Float, of: (a: number) => number): Form {
  return {
    text: `${name}.${type}`,
    result: type,
    args: [type],
    model: (a) => floatBits(type, of(floatOf(type, a!))),
  };
}

/** The number where only one operand is one. */
const choose = (of: (a: number, b: number) => number) => (a: number, b: number) =>
  Number.isNaN(a) ? b : Number.isNaN(b) ? a : of(a, b);

const signBit = (type: Float) => (type === 'f32' ? 1n << 31n : 1n << 63n);

/** All floating-point arithmetic. */
export const floatForms: readonly Form[] = [
  ...FLOATS.flatMap((type): Form[] => [
    binary('add', type, (a, b) => a + b),
    binary('add.rn', type, (a, b) => a + b),
    binary('sub', type, (a, b) => a - b),
    binary('sub.rn', type, (a, b) => a - b),
    binary('mul', type, (a, b) => a * b),
    binary('mul.rn', type, (a, b) => a * b),
    binary('div.rn', type, (a, b) => a / b),
    binary('min', type, choose(Math.min)),
    binary('max', type, choose(Math.max)),
    unary('neg', type, (a) => -a),
    unary('abs', type, Math.abs),
    unary('sqrt.rn', type, Math.sqrt),
    unary('rcp.rn', type, (a) => 1 / a),
    {
      text: `copysign.${type}`,
      result: type,
      args: [type, type],
      model: (a, b) => (a! & signBit(type)) | (b! & ~signBit(type)),
    },
  ]),
  {
    text: 'fma.rn.f32',
    result: 'f32',
    args: ['f32', 'f32', 'f32'],
    model: (a, b, c) => f32Bits(exactFma(f32(a!), f32(b!), f32(c!))),
  },
];
