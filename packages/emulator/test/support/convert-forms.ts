import type { Form } from './instruction-form.js';
import {
  f32,
  f32Bits,
  f64,
  f64Bits,
  floatBits,
  floatOf,
  int,
  type Scalar,
  widthOf,
  wrap,
} from './scalar-values.js';

const INTEGERS = ['u16', 's16', 'u32', 's32', 'u64', 's64'] as const;
type Integer = (typeof INTEGERS)[number];

const ROUND: Readonly<Record<string, (x: number) => number>> = {
  rni: (x) => {
    const below = Math.floor(x);
    const rest = x - below;
    if (rest !== 0.5) return rest < 0.5 ? below : below + 1;
    return below % 2 === 0 ? below : below + 1;
  },
  rzi: Math.trunc,
  rmi: Math.floor,
  rpi: Math.ceil,
};

/** An integral float that keeps the sign of a zero. */
const integral = (rounding: string, x: number): number => {
  const rounded = ROUND[rounding]!(x);
  return rounded === 0 && (x < 0 || Object.is(x, -0)) ? -0 : rounded;
};

/** PTX ISA, "cvt": out of range is clamped; NaN gives 0, or 2^(width−1) if either side has 64 bits. */
function floatToInt(to: Integer, from: 'f32' | 'f64', rounding: string): Form {
  const width = BigInt(widthOf(to));
  const [low, high] = to.startsWith('s')
    ? [-(1n << (width - 1n)), (1n << (width - 1n)) - 1n]
    : [0n, (1n << width) - 1n];
  const model = (bits: bigint): bigint => {
    const x = floatOf(from, bits);
    if (Number.isNaN(x)) return from === 'f64' || width === 64n ? 1n << (width - 1n) : 0n;
    const rounded = ROUND[rounding]!(x);
    if (rounded <= Number(low)) return wrap(to, low);
    return rounded >= Number(high) ? wrap(to, high) : wrap(to, BigInt(rounded));
  };
  return { text: `cvt.${rounding}.${to}.${from}`, result: to, args: [from], model: (a) => model(a!) };
}

/** The nearest float32 of an integer, ties to even. */
function nearestF32(value: bigint): number {
  const magnitude = value < 0n ? -value : value;
  const drop = BigInt(Math.max(0, magnitude.toString(2).length - 24));
  const half = drop === 0n ? 0n : 1n << (drop - 1n);
  let kept = magnitude >> drop;
  const rest = magnitude - (kept << drop);
  if (drop > 0n && (rest > half || (rest === half && kept & 1n))) kept += 1n;
  const result = Number(kept << drop);
  return value < 0n ? -result : result;
}

/** Conversions between all types. */
export const convertForms: readonly Form[] = [
  ...INTEGERS.flatMap((to) =>
    INTEGERS.map(
      (from): Form => ({
        text: `cvt.${to}.${from}`,
        result: to,
        args: [from],
        model: (a) => wrap(to, int(from, a!)),
      }),
    ),
  ),
  ...(['u32', 's32', 'u64', 's64'] as const).flatMap((to) =>
    (['f32', 'f64'] as const).flatMap((from) =>
      Object.keys(ROUND).map((rounding) => floatToInt(to, from, rounding)),
    ),
  ),
  ...INTEGERS.flatMap((from): Form[] => [
    {
      text: `cvt.rn.f32.${from}`,
      result: 'f32',
      args: [from],
      model: (a) => f32Bits(nearestF32(int(from, a!))),
    },
    { text: `cvt.rn.f64.${from}`, result: 'f64', args: [from], model: (a) => f64Bits(Number(int(from, a!))) },
  ]),
  { text: 'cvt.f64.f32', result: 'f64', args: ['f32'], model: (a) => f64Bits(f32(a!)) },
  { text: 'cvt.rn.f32.f64', result: 'f32', args: ['f64'], model: (a) => f32Bits(f64(a!)) },
  ...(['f32', 'f64'] as const).flatMap((type) =>
    Object.keys(ROUND).map(
      (rounding): Form => ({
        text: `cvt.${rounding}.${type}.${type}`,
        result: type,
        args: [type],
        model: (a) => floatBits(type, integral(rounding, floatOf(type, a!))),
      }),
    ),
  ),
  ...(['b16', 'b32', 'b64', 'f32', 'f64'] as const satisfies Scalar[]).map(
    (type): Form => ({ text: `mov.${type}`, result: type, args: [type], model: (a) => a! }),
  ),
];
