import { bitsOf, fraction, numberOf, type Rounding, roundFraction } from './exact-rounding.js';
import type { Form } from './instruction-form.js';
import { int, type Scalar, widthOf, wrap } from './scalar-values.js';

type Float = 'f16' | 'bf16' | 'f32' | 'f64';
const INTEGERS = ['u16', 's16', 'u32', 's32', 'u64', 's64'] as const;

const round = (type: Float, rounding: Rounding, x: number): number => {
  if (!Number.isFinite(x) || x === 0) return x;
  const rounded = roundFraction(type, rounding, fraction(x));
  return rounded === 0 && x < 0 ? -0 : rounded;
};

const ROUND: Readonly<Record<string, (x: number) => number>> = {
  rni: (x) => {
    const below = Math.floor(x);
    if (x - below !== 0.5) return Math.round(x);
    return below % 2 === 0 ? below : below + 1;
  },
  rzi: Math.trunc,
  rmi: Math.floor,
  rpi: Math.ceil,
};

function between(
  to: Float,
  from: Float,
  rounding: Rounding | undefined,
  more = '',
  then = (x: number) => x,
): Form {
  const sm90 =
    [to, from].includes('bf16') && !(to === 'bf16' && from === 'f32') ? { target: 'sm_90' as const } : {};
  return {
    text: `cvt${rounding === undefined ? '' : `.${rounding}`}${more}.${to}.${from}`,
    result: to,
    args: [from],
    ...sm90,
    model: (a) =>
      bitsOf(to, then(rounding === undefined ? numberOf(from, a!) : round(to, rounding, numberOf(from, a!)))),
  };
}

function fromInteger(to: Float, from: (typeof INTEGERS)[number], rounding: Rounding): Form {
  return {
    text: `cvt.${rounding}.${to}.${from}`,
    result: to,
    args: [from],
    ...(to === 'bf16' ? { target: 'sm_90' as const } : {}),
    model: (a) => bitsOf(to, roundFraction(to, rounding, [int(from, a!), 1n])),
  };
}

function toInteger(to: Scalar, from: Float, rounding: string): Form {
  const width = BigInt(widthOf(to));
  const signed = to.startsWith('s');
  const [low, high] = signed ? [-(1n << (width - 1n)), (1n << (width - 1n)) - 1n] : [0n, (1n << width) - 1n];
  return {
    text: `cvt.${rounding}.${to}.${from}`,
    result: to,
    args: [from],
    ...(from === 'bf16' ? { target: 'sm_90' as const } : {}),
    model: (a) => {
      const x = ROUND[rounding]!(numberOf(from, a!));
      if (Number.isNaN(x)) return width === 64n ? 1n << 63n : 0n;
      if (x <= Number(low)) return wrap(to, low);
      return x >= Number(high) ? wrap(to, high) : wrap(to, BigInt(x));
    },
  };
}

const saturate = (x: number) => (x > 0 ? Math.min(1, x) : 0);

function packed(to: 'f16' | 'bf16', rounding: 'rn' | 'rz', relu: boolean): Form {
  const part = (bits: bigint) => {
    const x = round(to, rounding, numberOf('f32', bits));
    return bitsOf(to, relu && !(x > 0) && !Number.isNaN(x) ? 0 : x);
  };
  return {
    text: `cvt.${rounding}${relu ? '.relu' : ''}.${to}x2.f32`,
    result: `${to}x2`,
    args: ['f32', 'f32'],
    model: (a, b) => (part(a!) << 16n) | part(b!),
  };
}

/** Conversions to and from 16-bit floats, with every rounding, and with saturation. */
export const roundedConvertForms: readonly Form[] = [
  between('f32', 'f16', undefined),
  between('f64', 'f16', undefined),
  between('f32', 'bf16', undefined),
  ...(['rn', 'rz', 'rm', 'rp'] as const).map((rounding) => between('f16', 'f32', rounding)),
  ...(['rn', 'rz'] as const).map((rounding) => between('bf16', 'f32', rounding)),
  between('f16', 'f64', 'rn'),
  between('f16', 'f32', 'rn', '.sat', saturate),
  ...(['rz', 'rm', 'rp'] as const).map((rounding) => between('f32', 'f64', rounding)),
  between('f32', 'f32', undefined, '.sat', saturate),
  ...Object.entries(ROUND).map(
    ([rounding, of]): Form => ({
      text: `cvt.${rounding}.f16.f16`,
      result: 'f16',
      args: ['f16'],
      model: (a) => {
        const x = numberOf('f16', a!);
        const whole = of(x);
        return bitsOf('f16', whole === 0 && (x < 0 || Object.is(x, -0)) ? -0 : whole);
      },
    }),
  ),
  ...INTEGERS.flatMap((from) => [
    ...(['rz', 'rm', 'rp'] as const).flatMap((rounding) => [
      fromInteger('f32', from, rounding),
      fromInteger('f64', from, rounding),
    ]),
    ...(['rn', 'rz', 'rm', 'rp'] as const).map((rounding) => fromInteger('f16', from, rounding)),
    fromInteger('bf16', from, 'rn'),
  ]),
  ...(['u16', 's16', 'u32', 's32', 'u64', 's64'] as const).flatMap((to) =>
    (['f16', 'bf16'] as const).flatMap((from) =>
      Object.keys(ROUND).map((rounding) => toInteger(to, from, rounding)),
    ),
  ),
  ...(['u16', 's16'] as const).map((to) => toInteger(to, 'f32', 'rzi')),
  ...(['f16', 'bf16'] as const).flatMap((to) => [
    packed(to, 'rn', false),
    packed(to, 'rz', false),
    packed(to, 'rn', true),
  ]),
  ...(
    [
      ['u16', 's32'],
      ['s16', 's32'],
      ['u32', 's32'],
      ['s32', 'u32'],
      ['s32', 's64'],
      ['u16', 'u32'],
    ] as const
  ).map(([to, from]): Form => {
    const width = BigInt(widthOf(to));
    const high = (1n << (width - (to.startsWith('s') ? 1n : 0n))) - 1n;
    const low = to.startsWith('s') ? -high - 1n : 0n;
    return {
      text: `cvt.sat.${to}.${from}`,
      result: to,
      args: [from],
      model: (a) => {
        const x = int(from, a!);
        return wrap(to, x < low ? low : x > high ? high : x);
      },
    };
  }),
];
