export type Rounding = 'rn' | 'rz' | 'rm' | 'rp';
type Float = 'f16' | 'bf16' | 'f32' | 'f64';

/** Precision, and the exponents of the smallest normal and the largest number. */
const FORMATS: Readonly<Record<Float, readonly [number, number, number]>> = {
  f16: [11, -14, 15],
  bf16: [8, -126, 127],
  f32: [24, -126, 127],
  f64: [53, -1022, 1023],
};

const view = new DataView(new ArrayBuffer(8));

/** The value of bits. */
export function numberOf(type: Float, bits: bigint): number {
  const [precision] = FORMATS[type];
  const width = type === 'f64' ? 64 : type === 'f32' ? 32 : 16;
  const exponentBits = BigInt(width - precision);
  const bias = 2 ** (Number(exponentBits) - 1) - 1;
  const fraction = Number(bits & ((1n << BigInt(precision - 1)) - 1n));
  const exponent = Number((bits >> BigInt(precision - 1)) & ((1n << exponentBits) - 1n));
  const sign = (bits >> BigInt(width - 1)) & 1n ? -1 : 1;
  if (exponent === 2 ** Number(exponentBits) - 1)
    return fraction === 0 ? sign * Number.POSITIVE_INFINITY : NaN;
  const scale = (e: number) => 2 ** Math.trunc(e / 2) * 2 ** (e - Math.trunc(e / 2));
  if (exponent === 0) return sign * fraction * scale(1 - bias - precision + 1);
  return sign * (1 + fraction / 2 ** (precision - 1)) * scale(exponent - bias);
}

/** The bits of a value that the format holds; NaN is the one that GPUs make. */
export function bitsOf(type: Float, value: number): bigint {
  if (type === 'f64') {
    view.setFloat64(0, value);
    return Number.isNaN(value) ? 0x7fffffffffffffffn : view.getBigUint64(0);
  }
  view.setFloat32(0, value);
  const single = Number.isNaN(value) ? 0x7fffffffn : BigInt(view.getUint32(0));
  if (type === 'f32') return single;
  if (Number.isNaN(value)) return 0x7fffn;
  if (type === 'bf16') return single >> 16n;
  const sign = (single >> 16n) & 0x8000n;
  const magnitude = Math.abs(value);
  if (magnitude === Number.POSITIVE_INFINITY) return sign | 0x7c00n;
  if (magnitude < 2 ** -14) return sign | BigInt(magnitude * 2 ** 24);
  const exponent = Math.floor(Math.log2(magnitude));
  return sign | (BigInt(exponent + 15) << 10n) | BigInt((magnitude / 2 ** exponent - 1) * 1024);
}

/** A finite float64 as a fraction. */
export function fraction(x: number): [bigint, bigint] {
  view.setFloat64(0, x);
  const bits = view.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const m = (bits & 0xfffffffffffffn) | (exponent === 0 ? 0n : 1n << 52n);
  const e = Math.max(exponent, 1) - 1075;
  const n = bits >> 63n ? -m : m;
  return e >= 0 ? [n << BigInt(e), 1n] : [n, 1n << BigInt(-e)];
}

const length = (x: bigint): number => x.toString(2).length;
const power = (e: number): number => 2 ** Math.trunc(e / 2) * 2 ** (e - Math.trunc(e / 2));

function finish(
  type: Float,
  rounding: Rounding,
  negative: boolean,
  f: bigint,
  ulp: number,
  rest: number,
): number {
  const [, , most] = FORMATS[type];
  const [precision] = FORMATS[type];
  // rest: −1 below, 0 at, 1 above the middle; −2: nothing is left.
  const nearest = rest > 0 || (rest === 0 && (f & 1n) === 1n);
  const away = rest !== -2 && rounding === (negative ? 'rm' : 'rp');
  const rounded = f + ((rounding === 'rn' ? nearest : away) ? 1n : 0n);
  const sign = negative ? -1 : 1;
  if (ulp > most || rounded >> BigInt(most - ulp + 1) > 0n) {
    const toLargest = rounding === 'rz' || rounding === (negative ? 'rp' : 'rm');
    return sign * (toLargest ? (2 - 2 ** (1 - precision)) * power(most) : Number.POSITIVE_INFINITY);
  }
  return sign * Number(rounded) * power(ulp);
}

/** A fraction rounded once. */
export function roundFraction(type: Float, rounding: Rounding, [n, d]: readonly [bigint, bigint]): number {
  const [precision, least] = FORMATS[type];
  const negative = n < 0n;
  const m = negative ? -n : n;
  if (m === 0n) return 0;
  let e = length(m) - length(d);
  if (e >= 0 ? m < d << BigInt(e) : m << BigInt(-e) < d) e--;
  const ulp = Math.max(e, least) - precision + 1;
  const [num, den] = ulp >= 0 ? [m, d << BigInt(ulp)] : [m << BigInt(-ulp), d];
  const rest = num % den;
  const middle = rest === 0n ? -2 : 2n * rest < den ? -1 : 2n * rest === den ? 0 : 1;
  return finish(type, rounding, negative, num / den, ulp, middle);
}

/** The square root of a positive float64, rounded once. */
export function roundRoot(type: Float, rounding: Rounding, x: number): number {
  const [precision, least] = FORMATS[type];
  const [n, d] = fraction(x);
  let e = Math.floor(Math.log2(Math.sqrt(x)));
  // The logarithm is rounded, too.
  if (e >= 0 ? n < d << BigInt(2 * e) : n << BigInt(-2 * e) < d) e--;
  const ulp = Math.max(e, least) - precision + 1;
  const scale = BigInt(Math.abs(2 * ulp));
  const [num, den] = ulp >= 0 ? [n, d << scale] : [n << scale, d];
  const floor = num / den;
  let f = BigInt(Math.floor(Math.sqrt(Number(floor))));
  while (f * f > floor) f--;
  while ((f + 1n) * (f + 1n) <= floor) f++;
  const twice = (2n * f + 1n) ** 2n * den;
  const rest = f * f * den === num ? -2 : twice > 4n * num ? -1 : 1;
  return finish(type, rounding, false, f, ulp, rest);
}

export type Operation = 'add' | 'sub' | 'mul' | 'div' | 'fma' | 'sqrt';

/** What the operation gives in float64 where its result is no number but infinity, NaN or zero; else undefined. */
function plain(operation: Operation, a: number, b: number, c: number): number {
  return { add: a + b, sub: a - b, mul: a * b, div: a / b, fma: a * b + c, sqrt: Math.sqrt(a) }[operation];
}

/** IEEE arithmetic on values of a format. */
export function ieee(type: Float, rounding: Rounding, operation: Operation, a: number, b = 0, c = 0): number {
  const used = operation === 'sqrt' ? [a] : operation === 'fma' ? [a, b, c] : [a, b];
  if (!used.every(Number.isFinite)) {
    // A product may be too large for float64, and is finite.
    return operation === 'fma' && Number.isFinite(a) && Number.isFinite(b) ? c : plain(operation, a, b, c);
  }
  if (operation === 'sqrt') return a > 0 ? roundRoot(type, rounding, a) : Math.sqrt(a);
  if (operation === 'div' && (b === 0 || a === 0)) return a / b;
  const [[an, ad], [bn, bd], [cn, cd]] = [fraction(a), fraction(b), fraction(c)];
  const sums: Record<Exclude<Operation, 'sqrt'>, () => [bigint, bigint]> = {
    add: () => [an * bd + bn * ad, ad * bd],
    sub: () => [an * bd - bn * ad, ad * bd],
    mul: () => [an * bn, ad * bd],
    div: () => (bn < 0n ? [-an * bd, -ad * bn] : [an * bd, ad * bn]),
    fma: () => [an * bn * cd + cn * ad * bd, ad * bd * cd],
  };
  const exact = sums[operation]();
  if (exact[0] !== 0n) {
    const rounded = roundFraction(type, rounding, exact);
    return rounded === 0 && exact[0] < 0n ? -0 : rounded;
  }
  if (operation === 'mul') return a * b;
  // A sum that cancels is −0 when rounding down, or when both terms are.
  const [x, y] =
    operation === 'fma' ? [a * b === 0 && an * bn !== 0n ? 1 : a * b, c] : [a, operation === 'sub' ? -b : b];
  return x === 0 && y === 0 && Object.is(x, y) ? x : rounding === 'rm' ? -0 : 0;
}
