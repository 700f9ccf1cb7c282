import { bitsOf, ieee, numberOf } from './exact-rounding.js';
import type { Form } from './instruction-form.js';
import type { Scalar } from './scalar-values.js';

type Half = 'f16' | 'bf16';
type Halves = Half | 'f16x2' | 'bf16x2';

const formatOf = (type: Halves): Half => type.replace('x2', '') as Half;

/** Applies a function of values to one or both parts. */
function each(type: Halves, of: (...values: number[]) => number): (...bits: bigint[]) => bigint {
  const format = formatOf(type);
  const part = (bits: bigint[], shift: bigint) =>
    bitsOf(format, of(...bits.map((x) => numberOf(format, (x >> shift) & 0xffffn))));
  return (...bits) => (type.endsWith('x2') ? part(bits, 0n) | (part(bits, 16n) << 16n) : part(bits, 0n));
}

const CLAMPS = {
  '': (x: number) => x,
  '.sat': (x: number) => (x > 0 ? Math.min(1, x) : 0),
  '.relu': (x: number) => Math.max(0, x),
} as const;

const form = (name: string, type: Halves, count: number, of: (...values: number[]) => number): Form => ({
  text: `${name}.${type}`,
  result: type,
  args: new Array<Scalar>(count).fill(type),
  // Of bfloat16, sm_80 has only fma, min, max, neg and abs.
  ...(type.startsWith('b') && /^(add|sub|mul)/.test(name) ? { target: 'sm_90' as const } : {}),
  model: each(type, of),
});

const choose = (of: (a: number, b: number) => number) => (a: number, b: number) =>
  Number.isNaN(a) ? b : Number.isNaN(b) ? a : of(a, b);

const COMPARE: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  eq: (a, b) => a === b,
  ne: (a, b) => a < b || a > b,
  lt: (a, b) => a < b,
  ge: (a, b) => a >= b,
  neu: (a, b) => a !== b,
  ltu: (a, b) => !(a >= b),
  nan: (a, b) => Number.isNaN(a) || Number.isNaN(b),
};

function comparisons(type: Half): Form[] {
  const one = bitsOf(type, 1);
  const least = type === 'bf16' ? { target: 'sm_90' as const } : {};
  return Object.entries(COMPARE).flatMap(([name, holds]): Form[] => {
    const test = (a: bigint, b: bigint, shift = 0n) =>
      holds(numberOf(type, (a >> shift) & 0xffffn), numberOf(type, (b >> shift) & 0xffffn));
    const both = (yes: bigint) => (a?: bigint, b?: bigint) =>
      (test(a!, b!) ? yes : 0n) | ((test(a!, b!, 16n) ? yes : 0n) << 16n);
    const pair = `${type}x2` as Halves;
    return [
      {
        text: `setp.${name}.${type}`,
        result: 'pred',
        args: [type, type],
        ...least,
        model: (a, b) => (test(a!, b!) ? 1n : 0n),
      },
      {
        text: `set.${name}.u32.${type}`,
        result: 'b32',
        args: [type, type],
        ...least,
        model: (a, b) => (test(a!, b!) ? 0xffffffffn : 0n),
      },
      {
        text: `set.${name}.${type}.${type}`,
        result: type,
        args: [type, type],
        ...least,
        model: (a, b) => (test(a!, b!) ? one : 0n),
      },
      { text: `set.${name}.${pair}.${pair}`, result: pair, args: [pair, pair], ...least, model: both(one) },
      { text: `set.${name}.u32.${pair}`, result: 'b32', args: [pair, pair], ...least, model: both(0xffffn) },
    ];
  });
}

/** Arithmetic and comparisons of 16-bit floats. */
export const halfForms: readonly Form[] = [
  ...(['f16', 'f16x2', 'bf16', 'bf16x2'] as const).flatMap((type): Form[] => {
    const format = formatOf(type);
    const rounded = (name: 'add' | 'sub' | 'mul' | 'fma', clamp: keyof typeof CLAMPS = '') =>
      form(`${name}${name === 'fma' ? '.rn' : ''}${clamp}`, type, name === 'fma' ? 3 : 2, (a, b, c) =>
        CLAMPS[clamp](ieee(format, 'rn', name, a!, b, c)),
      );
    return [
      rounded('add'),
      rounded('sub'),
      rounded('mul'),
      rounded('fma'),
      rounded('fma', '.relu'),
      ...(format === 'f16' ? [rounded('add', '.sat'), rounded('mul', '.sat'), rounded('fma', '.sat')] : []),
      form('min', type, 2, choose(Math.min) as (...values: number[]) => number),
      form('max', type, 2, choose(Math.max) as (...values: number[]) => number),
      form('min.NaN', type, 2, (a, b) => Math.min(a!, b!)),
      form('max.NaN', type, 2, (a, b) => Math.max(a!, b!)),
      form('neg', type, 1, (a) => -a!),
      form('abs', type, 1, (a) => Math.abs(a!)),
    ];
  }),
  ...comparisons('f16'),
  ...comparisons('bf16'),
];
