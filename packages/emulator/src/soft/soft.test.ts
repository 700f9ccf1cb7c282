import { describe, expect, test } from 'vitest';
import { arithmetic, exactArithmetic, type Operation } from './arithmetic.js';
import { FORMATS, type FormatName, type Rounding, roundTo } from './formats.js';
import { halfBits, halfValue } from './half.js';

const EDGES = [
  0,
  1,
  1.5,
  3,
  0.1,
  2 ** -14,
  2 ** -24,
  65504,
  65520,
  2 ** -126,
  2 ** -149,
  3 * 2 ** -149,
  2 ** 127,
  1e10,
];
const OPERATIONS: readonly Operation[] = ['add', 'mul', 'fma', 'div', 'sqrt'];
const ROUNDINGS: readonly Rounding[] = ['rn', 'rz', 'rm', 'rp'];

/** Deterministic values of a format, of all magnitudes. */
function valuesOf(name: FormatName, count: number): number[] {
  let seed = 12345;
  const next = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
  const span = -FORMATS[name].minExponent;
  const random = Array.from({ length: count }, () => {
    const near = next() < 0.5 ? 2 : span;
    return (next() < 0.5 ? -1 : 1) * (1 + next()) * 2 ** Math.round((2 * next() - 1) * near);
  });
  const special = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0];
  const all = [...EDGES, ...EDGES.map((x) => -x), ...random];
  return [...special, ...(name === 'f64' ? all : all.map((x) => roundTo(FORMATS[name], 'rn', x)))];
}

describe.each(['f16', 'bf16', 'f32', 'f64'] as const)('%s', (name) => {
  test.each(OPERATIONS)('%s agrees with integers of any size', (operation) => {
    const values = valuesOf(name, 60);
    for (const [i, a] of values.entries()) {
      for (const [j, b] of values.entries()) {
        const c = values[(7 * i + 11 * j) % values.length]!;
        for (const rounding of ROUNDINGS) {
          const got = arithmetic(operation, FORMATS[name], rounding, a, b, c);
          const want = exactArithmetic(operation, FORMATS[name], rounding, a, b, c);
          if (!Object.is(got, want))
            expect({ a, b, c, rounding, got }).toEqual({ a, b, c, rounding, got: want });
        }
      }
    }
  });
});

test('to nearest, float64 is what the host computes, and float32 what Math.fround does', () => {
  const values = valuesOf('f64', 100);
  for (const a of values) {
    for (const b of values) {
      expect(exactArithmetic('add', FORMATS.f64, 'rn', a, b, 0)).toBe(a + b);
      expect(exactArithmetic('mul', FORMATS.f64, 'rn', a, b, 0)).toBe(a * b);
      expect(exactArithmetic('div', FORMATS.f64, 'rn', a, b, 0)).toBe(a / b);
    }
    expect(exactArithmetic('sqrt', FORMATS.f64, 'rn', a, 0, 0)).toBe(Math.sqrt(a));
    expect(roundTo(FORMATS.f32, 'rn', a)).toBe(Math.fround(a));
  }
});

test('an fma of float64 whose product and sum both round', () => {
  const e = 2 ** -52;
  expect(arithmetic('fma', FORMATS.f64, 'rn', 1 + e, 1 + e, -1)).toBe(2 * e + e * e);
  expect(arithmetic('fma', FORMATS.f64, 'rn', 1 + e, 1 - e, -1)).toBe(-e * e);
});

test('directed rounding brackets the value', () => {
  const [down, up] = (['rm', 'rp'] as const).map((r) => arithmetic('div', FORMATS.f32, r, 1, 3, 0));
  expect([down, up]).toEqual([0.3333333134651184, 0.3333333432674408]);
  expect(arithmetic('add', FORMATS.f32, 'rm', 1, -1, 0)).toBe(-0);
  expect(arithmetic('mul', FORMATS.f32, 'rz', 3e38, 3, 0)).toBe(FORMATS.f32.largest);
});

test.each(['f16', 'bf16'] as const)('all 65536 values of %s go to numbers and back', (name) => {
  for (let half = 0; half < 65536; half++) {
    const value = halfValue(name, half);
    expect(halfBits(name, value)).toBe(Number.isNaN(value) ? 0x7fff : half);
  }
});
