import { APPROXIMATE } from './approximate.js';
import { arithmetic } from './arithmetic.js';
import { type Approximation, decodeSoft, type SoftCode } from './code.js';
import { roundExact } from './exact.js';
import { FORMATS, roundTo } from './formats.js';
import { type HalfName, halfBits, halfValue } from './half.js';

/** min and max of PTX: the number where one is none, −0 below +0; `propagate`: NaN where one is. */
function extreme(least: boolean, propagate: boolean, a: number, b: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return propagate ? Number.NaN : Number.isNaN(a) ? b : a;
  return least ? Math.min(a, b) : Math.max(a, b);
}

function clamped(clamp: SoftCode['clamp'], value: number): number {
  if (clamp === 'none') return value;
  if (clamp === 'relu') return Number.isNaN(value) ? value : Math.max(0, value);
  return Number.isNaN(value) ? 0 : Math.min(1, Math.max(0, value));
}

function compute({ operation, format, rounding, clamp }: SoftCode, a: number, b: number, c: number): number {
  const to = FORMATS[format];
  const value = (): number => {
    switch (operation) {
      case 'add':
      case 'mul':
      case 'fma':
      case 'div':
      case 'sqrt':
        return arithmetic(operation, to, rounding, a, b, c);
      case 'round':
        return format === 'f64' ? a : roundTo(to, rounding, a);
      case 'min':
      case 'max':
      case 'minNaN':
      case 'maxNaN':
        return extreme(operation.startsWith('min'), operation.endsWith('NaN'), a, b);
      default: {
        const near = APPROXIMATE[operation satisfies Approximation](a, b);
        return format === 'f64' ? near : roundTo(to, 'rn', near);
      }
    }
  };
  return clamped(clamp, value());
}

/** What translated code imports for arithmetic that WebAssembly lacks; codes are those of {@link decodeSoft}. */
export const softImports = {
  /** On values of the code's format, held as float64. */
  soft(code: number, a: number, b: number, c: number): number {
    return compute(decodeSoft(code), a, b, c);
  },

  /** On the bits of one value of 16 bits, or of two in a word. */
  softHalf(code: number, a: number, b: number, c: number): number {
    const known = decodeSoft(code);
    const name = known.format as HalfName;
    const one = (shift: number) =>
      halfBits(
        name,
        compute(
          known,
          halfValue(name, a >>> shift),
          halfValue(name, b >>> shift),
          halfValue(name, c >>> shift),
        ),
      );
    return known.packed ? one(0) | (one(16) << 16) : one(0);
  },

  /** The value of 16 bits. */
  halfToFloat(code: number, half: number): number {
    return halfValue(decodeSoft(code).format as HalfName, half);
  },

  /** The bits of a float64 rounded to 16 bits. */
  floatToHalf(code: number, value: number): number {
    const known = decodeSoft(code);
    return halfBits(known.format as HalfName, compute(known, value, 0, 0));
  },

  /** A 64-bit integer, signed or not, as a value of a format. */
  softInteger(code: number, signed: number, value: bigint): number {
    const { format, rounding } = decodeSoft(code);
    const m = signed === 0 ? BigInt.asUintN(64, value) : value;
    return m === 0n ? 0 : roundExact(FORMATS[format], rounding, { m, e: 0, sticky: false });
  },

  /** The place of a mask's n-th set bit from `base` on (PTX ISA, "fns"); −1: there is none. */
  findNthSet(mask: number, base: number, n: number): number {
    if (n === 0) return mask & (1 << base) ? base & 31 : -1;
    const step = n > 0 ? 1 : -1;
    let left = Math.abs(n);
    for (let bit = base & 31; bit >= 0 && bit < 32; bit += step) {
      if (mask & (1 << bit) && --left === 0) return bit;
    }
    return -1;
  },
};
