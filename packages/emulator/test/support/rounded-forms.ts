import { bitsOf, ieee, numberOf, type Operation, type Rounding } from './exact-rounding.js';
import type { Form } from './instruction-form.js';

type Float = 'f32' | 'f64';
const DIRECTED = ['rz', 'rm', 'rp'] as const;

function arithmetic(
  operation: Operation | 'rcp',
  type: Float,
  rounding: Rounding,
  flags: { ftz?: true; sat?: true } = {},
): Form {
  const count = operation === 'fma' ? 3 : operation === 'sqrt' || operation === 'rcp' ? 1 : 2;
  const flush = (x: number) =>
    flags.ftz && Math.abs(x) < 2 ** -126 ? (Object.is(Math.sign(x), -1) || Object.is(x, -0) ? -0 : 0) : x;
  const words = [operation, rounding, flags.ftz ? 'ftz' : '', flags.sat ? 'sat' : '', type].filter(Boolean);
  return {
    text: words.join('.'),
    result: type,
    args: new Array<Float>(count).fill(type),
    model: (...bits) => {
      const [a, b, c] = bits.map((x) => flush(numberOf(type, x))) as [number, number?, number?];
      const raw =
        operation === 'rcp' ? ieee(type, rounding, 'div', 1, a) : ieee(type, rounding, operation, a, b, c);
      const result = flush(raw);
      if (!flags.sat) return bitsOf(type, result);
      return bitsOf(type, result > 0 ? Math.min(1, result) : 0);
    },
  };
}

function extreme(name: 'min' | 'max'): Form {
  return {
    text: `${name}.NaN.f32`,
    result: 'f32',
    args: ['f32', 'f32'],
    model: (a, b) => bitsOf('f32', Math[name](numberOf('f32', a!), numberOf('f32', b!))),
  };
}

const TESTS: Readonly<Record<string, (x: number, smallest: number) => boolean>> = {
  finite: (x) => Number.isFinite(x),
  infinite: (x) => Math.abs(x) === Infinity,
  number: (x) => !Number.isNaN(x),
  notanumber: (x) => Number.isNaN(x),
  normal: (x, smallest) => Number.isFinite(x) && Math.abs(x) >= smallest,
};

/** Arithmetic with a rounding other than to nearest, flushing and saturation, and fma in float64. */
export const roundedForms: readonly Form[] = [
  ...(['f32', 'f64'] as const).flatMap((type) =>
    DIRECTED.flatMap((rounding) =>
      (['add', 'sub', 'mul', 'div', 'fma', 'sqrt', 'rcp'] as const).map((name) =>
        arithmetic(name, type, rounding),
      ),
    ),
  ),
  arithmetic('fma', 'f64', 'rn'),
  arithmetic('add', 'f32', 'rn', { ftz: true }),
  arithmetic('sub', 'f32', 'rn', { ftz: true }),
  arithmetic('mul', 'f32', 'rn', { ftz: true }),
  arithmetic('fma', 'f32', 'rn', { ftz: true }),
  arithmetic('div', 'f32', 'rn', { ftz: true }),
  arithmetic('sqrt', 'f32', 'rn', { ftz: true }),
  arithmetic('add', 'f32', 'rn', { sat: true }),
  arithmetic('mul', 'f32', 'rn', { ftz: true, sat: true }),
  arithmetic('fma', 'f32', 'rn', { sat: true }),
  extreme('min'),
  extreme('max'),
  ...(['f32', 'f64'] as const).flatMap((type) =>
    Object.entries(TESTS).map(
      ([name, holds]): Form => ({
        text: `testp.${name}.${type}`,
        result: 'pred',
        args: [type],
        model: (a) => (holds(numberOf(type, a!), type === 'f32' ? 2 ** -126 : 2 ** -1022) ? 1n : 0n),
      }),
    ),
  ),
];
