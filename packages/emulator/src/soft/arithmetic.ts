import { type Exact, exactly, product, quotient, roundExact, squareRoot, sum } from './exact.js';
import {
  errorOfProduct,
  errorOfSum,
  exponentOf,
  type Format,
  type Rounding,
  roundTo,
  toOdd,
} from './formats.js';

export type Operation = 'add' | 'mul' | 'fma' | 'div' | 'sqrt';

/** The zero that an exact sum of numbers which cancel is. IEEE 754, 6.3: negative when rounding down. */
const cancelled = (a: number, b: number, rounding: Rounding): number =>
  a === 0 && b === 0 && Object.is(a, b) ? a : rounding === 'rm' ? -0 : 0;

/** a · b + c where float64 holds the product: of values of at most 24 bits. */
function narrowSum(format: Format, rounding: Rounding, p: number, c: number): number {
  const s = p + c;
  if (!Number.isFinite(s)) return s;
  if (s === 0) return cancelled(p, c, rounding);
  return roundTo(format, rounding, toOdd(s, errorOfSum(p, c, s)));
}

function narrow(operation: Operation, format: Format, rounding: Rounding, a: number, b: number, c: number) {
  switch (operation) {
    case 'add':
      return narrowSum(format, rounding, a, b);
    case 'mul':
      return roundTo(format, rounding, a * b);
    case 'fma':
      return narrowSum(format, rounding, a * b, c);
    case 'div': {
      const q = a / b;
      if (q === 0 || !Number.isFinite(q)) return q;
      const back = q * b;
      const rest = a - back - errorOfProduct(q, b, back);
      return roundTo(format, rounding, toOdd(q, b < 0 ? -rest : rest));
    }
    case 'sqrt': {
      const s = Math.sqrt(a);
      if (!(s > 0) || !Number.isFinite(s)) return s;
      const square = s * s;
      return roundTo(format, rounding, toOdd(s, a - square - errorOfProduct(s, s, square)));
    }
  }
}

function exact(operation: Operation, a: number, b: number, c: number): Exact {
  switch (operation) {
    case 'add':
      return sum(exactly(a), exactly(b));
    case 'mul':
      return product(exactly(a), exactly(b));
    case 'fma':
      return sum(product(exactly(a), exactly(b)), exactly(c));
    case 'div':
      return quotient(exactly(a), exactly(b));
    case 'sqrt':
      return squareRoot(exactly(a));
  }
}

/** What float64 arithmetic gives where a result is infinite, not a number or zero whatever the rounding. */
function special(
  operation: Operation,
  a: number,
  b: number,
  c: number,
  rounding: Rounding,
): number | undefined {
  switch (operation) {
    case 'add':
      if (!Number.isFinite(a) || !Number.isFinite(b)) return a + b;
      return a === -b ? cancelled(a, b, rounding) : undefined;
    case 'mul':
      return !Number.isFinite(a) || !Number.isFinite(b) || a === 0 || b === 0 ? a * b : undefined;
    case 'fma': {
      if (![a, b].every(Number.isFinite)) return a * b + c;
      if (!Number.isFinite(c)) return c;
      if (a !== 0 && b !== 0) return undefined;
      return c === 0 ? cancelled(a * b, c, rounding) : c;
    }
    case 'div':
      return !Number.isFinite(a) || !Number.isFinite(b) || a === 0 || b === 0 ? a / b : undefined;
    case 'sqrt':
      return !(a > 0) || !Number.isFinite(a) ? Math.sqrt(a) : undefined;
  }
}

/** One operation on float64 values, rounded once; slow, and right for every value. */
export function exactArithmetic(
  operation: Operation,
  format: Format,
  rounding: Rounding,
  a: number,
  b: number,
  c: number,
): number {
  const known = special(operation, a, b, c, rounding);
  if (known !== undefined) return known;
  const value = exact(operation, a, b, c);
  if (value.m === 0n && !value.sticky) return rounding === 'rm' ? -0 : 0;
  return roundExact(format, rounding, value);
}

const middling = (x: number): boolean => Math.abs(exponentOf(x)) < 400;

/** fma in float64, to nearest: by exact products and sums where no exponent is extreme. */
export function fma64(a: number, b: number, c: number): number {
  if (middling(a) && middling(b) && middling(c)) {
    const high = a * b;
    const low = errorOfProduct(a, b, high);
    // high + low + c = vh + (tl + vl) exactly; the last sum is rounded to odd.
    const th = c + low;
    const tl = errorOfSum(c, low, th);
    const vh = high + th;
    const vl = errorOfSum(high, th, vh);
    const z = tl + vl;
    if (vh !== 0) return vh + toOdd(z, errorOfSum(tl, vl, z));
  }
  return exactArithmetic('fma', FORMAT64, 'rn', a, b, c);
}

const FORMAT64: Format = { precision: 53, minExponent: -1022, largest: Number.MAX_VALUE };

/** One operation on values of a format, rounded once. */
export function arithmetic(
  operation: Operation,
  format: Format,
  rounding: Rounding,
  a: number,
  b: number,
  c: number,
): number {
  if (format.precision <= 24) return narrow(operation, format, rounding, a, b, c);
  if (operation === 'fma' && rounding === 'rn') return fma64(a, b, c);
  return exactArithmetic(operation, format, rounding, a, b, c);
}
