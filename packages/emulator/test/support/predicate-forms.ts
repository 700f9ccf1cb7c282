import type { Form } from './instruction-form.js';
import { floatOf, int, type Scalar } from './scalar-values.js';

type Compare<T> = (a: T, b: T) => boolean;

const EQUALITY: Readonly<Record<string, Compare<bigint>>> = { eq: (a, b) => a === b, ne: (a, b) => a !== b };
const ORDER: Readonly<Record<string, Compare<bigint>>> = {
  lt: (a, b) => a < b,
  le: (a, b) => a <= b,
  gt: (a, b) => a > b,
  ge: (a, b) => a >= b,
};
const UNSIGNED_ORDER = { lo: ORDER.lt!, ls: ORDER.le!, hi: ORDER.gt!, hs: ORDER.ge! };

const nan = (a: number, b: number) => Number.isNaN(a) || Number.isNaN(b);
const FLOAT: Readonly<Record<string, Compare<number>>> = {
  eq: (a, b) => a === b,
  ne: (a, b) => !nan(a, b) && a !== b,
  lt: (a, b) => a < b,
  le: (a, b) => a <= b,
  gt: (a, b) => a > b,
  ge: (a, b) => a >= b,
  equ: (a, b) => nan(a, b) || a === b,
  neu: (a, b) => a !== b,
  ltu: (a, b) => nan(a, b) || a < b,
  leu: (a, b) => nan(a, b) || a <= b,
  gtu: (a, b) => nan(a, b) || a > b,
  geu: (a, b) => nan(a, b) || a >= b,
  num: (a, b) => !nan(a, b),
  nan,
};

/** Comparisons of a type, on bits. */
function comparisons(type: Scalar): Readonly<Record<string, Compare<bigint>>> {
  if (type === 'f32' || type === 'f64') {
    return Object.fromEntries(
      Object.entries(FLOAT).map(([name, of]) => [name, (a, b) => of(floatOf(type, a), floatOf(type, b))]),
    );
  }
  const own = type.startsWith('b')
    ? EQUALITY
    : type.startsWith('u')
      ? { ...EQUALITY, ...ORDER, ...UNSIGNED_ORDER }
      : { ...EQUALITY, ...ORDER };
  return Object.fromEntries(
    Object.entries(own).map(([name, of]) => [name, (a, b) => of(int(type, a), int(type, b))]),
  );
}

const COMBINE: Readonly<Record<string, (x: bigint, c: bigint) => bigint>> = {
  and: (x, c) => x & c,
  or: (x, c) => x | c,
  xor: (x, c) => x ^ c,
};

const bit = (holds: boolean): bigint => (holds ? 1n : 0n);

const TYPES = ['b16', 'u16', 's16', 'b32', 'u32', 's32', 'b64', 'u64', 's64', 'f32', 'f64'] as const;

/** Comparisons, alone and combined with a predicate. */
export const comparisonForms: readonly Form[] = TYPES.flatMap((type) =>
  Object.entries(comparisons(type)).map(
    ([name, of]): Form => ({
      text: `setp.${name}.${type}`,
      result: 'pred',
      args: [type, type],
      model: (a, b) => bit(of(a!, b!)),
    }),
  ),
);

/** Logic on predicates, selection, and comparisons combined with a predicate. */
export const predicateForms: readonly Form[] = [
  ...(['s32', 'u64', 'f32'] as const).flatMap((type) =>
    Object.entries(COMBINE).map(
      ([name, combine]): Form => ({
        text: `setp.lt.${name}.${type}`,
        result: 'pred',
        args: [type, type, 'pred'],
        model: (a, b, c) => combine(bit(comparisons(type).lt!(a!, b!)), c!),
      }),
    ),
  ),
  ...Object.entries(COMBINE).map(
    ([name, combine]): Form => ({
      text: `${name}.pred`,
      result: 'pred',
      args: ['pred', 'pred'],
      model: (a, b) => combine(a!, b!),
    }),
  ),
  { text: 'not.pred', result: 'pred', args: ['pred'], model: (a) => a! ^ 1n },
  { text: 'mov.pred', result: 'pred', args: ['pred'], model: (a) => a! },
  ...TYPES.map(
    (type): Form => ({
      text: `selp.${type}`,
      result: type,
      args: [type, type, 'pred'],
      model: (a, b, p) => (p ? a! : b!),
    }),
  ),
];
