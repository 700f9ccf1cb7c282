import { type Format, overflow, type Rounding } from './formats.js';

const view = new DataView(new ArrayBuffer(8));

/** m · 2^e, exactly; `sticky`: and a little more in magnitude, less than one unit of m. */
export interface Exact {
  readonly m: bigint;
  readonly e: number;
  readonly sticky: boolean;
}

/** A finite float64 as the integer and the exponent that it is. */
export function exactly(x: number): Exact {
  view.setFloat64(0, x);
  const bits = view.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  const m = exponent === 0 ? fraction : fraction | (1n << 52n);
  return { m: bits >> 63n ? -m : m, e: Math.max(exponent, 1) - 1075, sticky: false };
}

export const product = (a: Exact, b: Exact): Exact => ({ m: a.m * b.m, e: a.e + b.e, sticky: false });

export function sum(a: Exact, b: Exact): Exact {
  const e = Math.min(a.e, b.e);
  return { m: (a.m << BigInt(a.e - e)) + (b.m << BigInt(b.e - e)), e, sticky: false };
}

const magnitude = (m: bigint): bigint => (m < 0n ? -m : m);

/** Bits enough for every format, and a few to round by. */
const EXTRA = 128;

export function quotient(a: Exact, b: Exact): Exact {
  const numerator = magnitude(a.m) << BigInt(EXTRA);
  const divisor = magnitude(b.m);
  const m = numerator / divisor;
  const negative = a.m < 0n !== b.m < 0n;
  return { m: negative ? -m : m, e: a.e - EXTRA - b.e, sticky: m * divisor !== numerator };
}

/** Of a positive number. */
export function squareRoot(a: Exact): Exact {
  const shift = EXTRA + ((EXTRA + a.e) & 1);
  const square = a.m << BigInt(shift);
  let root = 1n << BigInt((square.toString(2).length >> 1) + 1);
  for (let next = (root + square / root) >> 1n; next < root; next = (root + square / root) >> 1n) root = next;
  return { m: root, e: (a.e - shift) / 2, sticky: root * root !== square };
}

const lengthOf = (m: bigint): number => m.toString(2).length;

/** The value of a format, which float64 holds exactly; of a value other than 0. */
export function roundExact(format: Format, rounding: Rounding, value: Exact): number {
  const negative = value.m < 0n;
  const m = magnitude(value.m);
  const lowest = format.minExponent - format.precision + 1;
  const ulp = Math.max(value.e + lengthOf(m) - format.precision, lowest);
  // One bit below the unit, and one that stands for all the rest.
  const drop = ulp - 2 - value.e;
  let scaled: bigint;
  if (drop <= 0) scaled = (m << BigInt(-drop)) | (value.sticky ? 1n : 0n);
  else {
    const rest = m & ((1n << BigInt(drop)) - 1n);
    scaled = (m >> BigInt(drop)) | (rest !== 0n || value.sticky ? 1n : 0n);
  }
  const tail = scaled & 3n;
  let kept = scaled >> 2n;
  const up =
    rounding === 'rn'
      ? tail > 2n || (tail === 2n && (kept & 1n) === 1n)
      : tail !== 0n && rounding === (negative ? 'rm' : 'rp');
  if (up) kept += 1n;
  const result = scale(Number(kept), ulp);
  if (result > format.largest) return overflow(format, rounding, negative);
  return negative ? -result : result;
}

/** x · 2^e in two steps, each exact where the result is: 2^e alone may be no float64. */
function scale(x: number, e: number): number {
  const half = Math.trunc(e / 2);
  return x * 2 ** half * 2 ** (e - half);
}
