/** Directions of rounding, as PTX names them: to nearest even, towards zero, down, up. */
export type Rounding = 'rn' | 'rz' | 'rm' | 'rp';
export type FormatName = 'f16' | 'bf16' | 'f32' | 'f64';

/** A binary floating-point format. */
export interface Format {
  /** Bits of the significand, the hidden one included. */
  readonly precision: number;
  /** Exponent of the smallest normal number. */
  readonly minExponent: number;
  readonly largest: number;
}

export const FORMATS: Readonly<Record<FormatName, Format>> = {
  f16: { precision: 11, minExponent: -14, largest: 65504 },
  bf16: { precision: 8, minExponent: -126, largest: (2 - 2 ** -7) * 2 ** 127 },
  f32: { precision: 24, minExponent: -126, largest: (2 - 2 ** -23) * 2 ** 127 },
  f64: { precision: 53, minExponent: -1022, largest: Number.MAX_VALUE },
};

const doubles = new Float64Array(1);
const words = new BigInt64Array(doubles.buffer);
const halves = new Int32Array(doubles.buffer);

/** Exponent of the leading bit of a finite number other than 0; that of subnormals is too small. */
function exponentOf(x: number): number {
  doubles[0] = x;
  return ((halves[1]! >>> 20) & 0x7ff) - 1023;
}

function nearestInteger(x: number): number {
  const below = Math.floor(x);
  const rest = x - below;
  if (rest !== 0.5) return rest < 0.5 ? below : below + 1;
  return below % 2 === 0 ? below : below + 1;
}

const TO_INTEGER: Readonly<Record<Rounding, (x: number) => number>> = {
  rn: nearestInteger,
  rz: Math.trunc,
  rm: Math.floor,
  rp: Math.ceil,
};

/** What lies past the largest number: infinity, unless the direction leads back. */
function overflow(format: Format, rounding: Rounding, negative: boolean): number {
  const back = rounding === 'rz' || rounding === (negative ? 'rp' : 'rm');
  const magnitude = back ? format.largest : Number.POSITIVE_INFINITY;
  return negative ? -magnitude : magnitude;
}

/** A float64 rounded to a narrower format (f16, bf16, f32). */
export function roundTo(format: Format, rounding: Rounding, x: number): number {
  if (x === 0 || !Number.isFinite(x)) return x;
  const ulp = 2 ** (Math.max(exponentOf(x), format.minExponent) - format.precision + 1);
  const rounded = TO_INTEGER[rounding](x / ulp) * ulp;
  if (Math.abs(rounded) > format.largest) return overflow(format, rounding, x < 0);
  return rounded === 0 && x < 0 ? -0 : rounded;
}

/**
 * The sum + error, of which `sum` is the nearest float64, rounded to odd: rounding that to a format of at most 51 bits
 * gives what rounding the exact value does (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008).
 */
export function toOdd(sum: number, error: number): number {
  if (error === 0 || !Number.isFinite(sum) || sum === 0) return sum;
  doubles[0] = sum;
  if ((halves[0]! & 1) === 0) words[0]! += error < 0 === sum < 0 ? 1n : -1n;
  return doubles[0]!;
}

/** The error of a + b = sum (Knuth). */
export function errorOfSum(a: number, b: number, sum: number): number {
  const virtual = sum - a;
  return a - (sum - virtual) + (b - virtual);
}

/** The error of a · b = product (Veltkamp and Dekker), where nothing overflows or is subnormal. */
export function errorOfProduct(a: number, b: number, product: number): number {
  const split = 134217729;
  const highA = a * split - (a * split - a);
  const highB = b * split - (b * split - b);
  const [lowA, lowB] = [a - highA, b - highB];
  return lowA * lowB - (product - highA * highB - lowA * highB - highA * lowB);
}

export { exponentOf, overflow };
