import type { Form } from './instruction-form.js';
import { int, type Scalar, widthOf, wrap } from './scalar-values.js';

const NUMBERS = ['u16', 's16', 'u32', 's32', 'u64', 's64'] as const;
const UNTYPED = ['b16', 'b32', 'b64'] as const;

function binary(
  name: string,
  type: Scalar,
  of: (a: bigint, b: bigint, width: bigint) => bigint,
  result = type,
): Form {
  return {
    text: `${name}.${type}`,
    result,
    args: [type, type],
    model: (a, b) => wrap(result, of(int(type, a!), int(type, b!), BigInt(widthOf(type)))),
  };
}

function unary(name: string, type: Scalar, of: (a: bigint, width: number) => bigint, result = type): Form {
  return {
    text: `${name}.${type}`,
    result,
    args: [type],
    model: (a) => wrap(result, of(int(type, a!), widthOf(type))),
  };
}

/** Division as the hardware does it: by zero gives all ones, in the quotient and in the remainder. */
const quotient = (a: bigint, b: bigint) => (b === 0n ? -1n : a / b);
const remainder = (a: bigint, b: bigint) => (b === 0n ? -1n : a % b);

function least(a: bigint, b: bigint): bigint {
  if (a < b) return a;
  return b;
}

const WIDER: Partial<Record<Scalar, Scalar>> = { u16: 'u32', s16: 's32', u32: 'u64', s32: 's64' };

function multiplications(type: Scalar): Form[] {
  const [a, width] = [type, BigInt(widthOf(type))];
  const mad = (half: 'lo' | 'hi'): Form => ({
    text: `mad.${half}.${type}`,
    result: type,
    args: [a, a, a],
    model: (x, y, z) => {
      const product = int(type, x!) * int(type, y!);
      return wrap(type, (half === 'lo' ? product : product >> width) + int(type, z!));
    },
  });
  const forms = [
    binary('mul.lo', type, (x, y) => x * y),
    binary('mul.hi', type, (x, y, w) => (x * y) >> w),
    mad('lo'),
    mad('hi'),
  ];
  const wider = WIDER[type];
  if (wider === undefined) return forms;
  return [
    ...forms,
    binary('mul.wide', type, (x, y) => x * y, wider),
    {
      text: `mad.wide.${type}`,
      result: wider,
      args: [a, a, wider],
      model: (x, y, z) => wrap(wider, int(type, x!) * int(type, y!) + int(wider, z!)),
    },
  ];
}

function shifts(): Form[] {
  const shift = (name: string, type: Scalar, of: (a: bigint, n: bigint) => bigint): Form => ({
    text: `${name}.${type}`,
    result: type,
    args: [type, 'u32'],
    model: (a, n) => {
      const width = BigInt(widthOf(type));
      return wrap(type, of(int(type, a!), n! > width ? width : n!));
    },
  });
  return [
    ...UNTYPED.map((type) => shift('shl', type, (a, n) => a << n)),
    ...[...NUMBERS, ...UNTYPED].map((type) => shift('shr', type, (a, n) => a >> n)),
  ];
}

const bitsOf = (a: bigint, width: number) => a.toString(2).padStart(width, '0');

/** All integer arithmetic, logic and shifts of one, two and three operands. */
export const integerForms: readonly Form[] = [
  ...NUMBERS.flatMap((type) => [
    binary('add', type, (a, b) => a + b),
    binary('sub', type, (a, b) => a - b),
    binary('div', type, quotient),
    binary('rem', type, remainder),
    binary('min', type, least),
    binary('max', type, (a, b) => (least(a, b) === a ? b : a)),
    ...multiplications(type),
  ]),
  ...(['s16', 's32', 's64'] as const).flatMap((type) => [
    unary('neg', type, (a) => -a),
    unary('abs', type, (a) => (a < 0n ? -a : a)),
  ]),
  ...UNTYPED.flatMap((type) => [
    binary('and', type, (a, b) => a & b),
    binary('or', type, (a, b) => a | b),
    binary('xor', type, (a, b) => a ^ b),
    unary('not', type, (a) => ~a),
    unary('cnot', type, (a) => (a === 0n ? 1n : 0n)),
  ]),
  ...(['b32', 'b64'] as const).flatMap((type) => [
    unary(
      'popc',
      type,
      (a, width) => BigInt([...bitsOf(a, width)].filter((bit) => bit === '1').length),
      'b32',
    ),
    unary('clz', type, (a, width) => BigInt(a === 0n ? width : bitsOf(a, width).indexOf('1')), 'b32'),
    unary('brev', type, (a, width) => BigInt(`0b${[...bitsOf(a, width)].reverse().join('')}`)),
  ]),
  ...shifts(),
];
