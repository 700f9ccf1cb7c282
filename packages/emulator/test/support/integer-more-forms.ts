import type { Form } from './instruction-form.js';
import { int, type Scalar, widthOf, wrap } from './scalar-values.js';

const bitsAt = (x: bigint, at: number, width: number): bigint =>
  (x >> BigInt(at)) & ((1n << BigInt(width)) - 1n);
const signedAt = (x: bigint, at: number, width: number): bigint => BigInt.asIntN(width, bitsAt(x, at, width));
const clamp32 = (x: bigint) =>
  x < -(1n << 31n) ? -(1n << 31n) : x > (1n << 31n) - 1n ? (1n << 31n) - 1n : x;
const abs = (x: bigint) => (x < 0n ? -x : x);
const max = (a: bigint, b: bigint) => (a > b ? a : b);
const min = (a: bigint, b: bigint) => (a < b ? a : b);

function form(
  text: string,
  result: Scalar,
  args: readonly Scalar[],
  of: (...values: bigint[]) => bigint,
  target?: 'sm_90',
): Form {
  const model = (...bits: bigint[]) => wrap(result, of(...bits.map((x, i) => int(args[i]!, x))));
  return { text, result, args, model, ...(target === undefined ? {} : { target }) };
}

function bfind(type: Scalar, shift: boolean): Form {
  return form(`bfind${shift ? '.shiftamt' : ''}.${type}`, 'b32', [type], (a) => {
    const width = widthOf(type);
    const magnitude = a! < 0n ? ~a! : a!;
    if (magnitude === 0n) return -1n;
    const bit = magnitude.toString(2).length - 1;
    return BigInt(shift ? width - 1 - bit : bit);
  });
}

const dot = (of: 'u32' | 's32', by: 'u32' | 's32', terms: 4 | 2, half: '' | '.lo' | '.hi' = ''): Form =>
  form(`dp${terms}a${half}.${of}.${by}`, 'b32', ['b32', 'b32', 'b32'], (a, b, c) => {
    const part = (type: string, x: bigint, at: number, width: number) =>
      type === 's32' ? signedAt(x, at, width) : bitsAt(x, at, width);
    let sum = c!;
    for (let i = 0; i < terms; i++) {
      const first = terms === 4 ? part(of, a!, 8 * i, 8) : part(of, a!, 16 * i, 16);
      sum += first * part(by, b!, 8 * i + (half === '.hi' ? 16 : 0), 8);
    }
    return sum;
  });

const pairs = (name: string, signed: boolean, of: (a: bigint, b: bigint) => bigint): Form => ({
  registersOnly: true,
  ...form(
    name,
    'b32',
    ['b32', 'b32'],
    (a, b) => {
      const part = (x: bigint, at: number) => (signed ? signedAt(x, at, 16) : bitsAt(x, at, 16));
      const one = (at: number) => BigInt.asUintN(16, of(part(a!, at), part(b!, at)));
      return one(0) | (one(16) << 16n);
    },
    'sm_90',
  ),
});

/** `prmt` in its modes, from the table of the PTX ISA: bytes of the result from the highest to the lowest. */
const PRMT: Readonly<Record<string, readonly string[]>> = {
  f4e: ['3210', '4321', '5432', '6543'],
  b4e: ['5670', '6701', '7012', '0123'],
  rc8: ['0000', '1111', '2222', '3333'],
  ecl: ['3210', '3211', '3222', '3333'],
  ecr: ['0000', '1110', '2210', '3210'],
  rc16: ['1010', '3232', '1010', '3232'],
};

const permute = ([mode, rows]: [string, readonly string[]]): Form =>
  form(`prmt.b32.${mode}`, 'b32', ['b32', 'b32', 'b32'], (a, b, c) => {
    const row = rows[Number(c! & 3n)]!;
    const bytes = (b! << 32n) | a!;
    return [...row].reduce((d, byte) => (d << 8n) | bitsAt(bytes, 8 * Number(byte), 8), 0n);
  });

const video4 = (name: string, of: (a: bigint, b: bigint) => bigint, adds: boolean): Form => ({
  registersOnly: true,
  ...form(`${name}4.u32.u32.u32${adds ? '.add' : ''}`, 'b32', ['b32', 'b32', 'b32'], (a, b, c) => {
    const parts = [0, 8, 16, 24].map((at) => of(bitsAt(a!, at, 8), bitsAt(b!, at, 8)));
    if (adds) return parts.reduce((sum, x) => sum + x, c!);
    return parts.reduce((d, x, i) => d | (BigInt.asUintN(8, x) << BigInt(8 * i)), 0n);
  }),
});

const by24 = (type: 'u32' | 's32', x: bigint) =>
  type === 's32' ? BigInt.asIntN(24, x) : BigInt.asUintN(24, x);

/** Integer instructions that few programs need. */
export const moreIntegerForms: readonly Form[] = [
  ...(['u32', 's32', 'u64', 's64'] as const).flatMap((type) => [bfind(type, false), bfind(type, true)]),
  ...(['u16', 's16', 'u32', 's32', 'u64', 's64'] as const).map((type) =>
    form(`sad.${type}`, type, [type, type, type], (a, b, c) => abs(a! - b!) + c!),
  ),
  ...(['u32', 's32'] as const).flatMap((of) =>
    (['u32', 's32'] as const).flatMap((by) => [dot(of, by, 4), dot(of, by, 2, '.lo'), dot(of, by, 2, '.hi')]),
  ),
  ...(['u32', 's32'] as const).flatMap((type) =>
    (['lo', 'hi'] as const).flatMap((half) => {
      const part = (a: bigint, b: bigint) => {
        const product = by24(type, a) * by24(type, b);
        return half === 'lo' ? product : product >> 16n;
      };
      return [
        form(`mul24.${half}.${type}`, type, [type, type], (a, b) => part(a!, b!)),
        form(`mad24.${half}.${type}`, type, [type, type, type], (a, b, c) => part(a!, b!) + c!),
      ];
    }),
  ),
  form('add.sat.s32', 's32', ['s32', 's32'], (a, b) => clamp32(a! + b!)),
  form('sub.sat.s32', 's32', ['s32', 's32'], (a, b) => clamp32(a! - b!)),
  form('mad.hi.sat.s32', 's32', ['s32', 's32', 's32'], (a, b, c) => clamp32(((a! * b!) >> 32n) + c!)),
  form('min.relu.s32', 's32', ['s32', 's32'], (a, b) => max(0n, min(a!, b!)), 'sm_90'),
  form('max.relu.s32', 's32', ['s32', 's32'], (a, b) => max(0n, max(a!, b!)), 'sm_90'),
  ...Object.entries(PRMT).map(permute),
  pairs('add.u16x2', false, (a, b) => a + b),
  pairs('add.s16x2', true, (a, b) => a + b),
  pairs('min.u16x2', false, min),
  pairs('max.u16x2', false, max),
  pairs('min.s16x2', true, min),
  pairs('max.s16x2', true, max),
  pairs('min.relu.s16x2', true, (a, b) => max(0n, min(a, b))),
  video4('vabsdiff', (a, b) => abs(a - b), false),
  video4('vabsdiff', (a, b) => abs(a - b), true),
  ...(['clamp', 'wrap'] as const).flatMap((mode) => [
    form(`szext.${mode}.u32`, 'u32', ['u32', 'u32'], (a, b) => {
      const n = mode === 'wrap' ? b! & 31n : min(b!, 32n);
      return BigInt.asUintN(Number(n), a!);
    }),
    form(`szext.${mode}.s32`, 's32', ['s32', 'u32'], (a, b) => {
      const n = mode === 'wrap' ? b! & 31n : min(b!, 32n);
      return BigInt.asIntN(Number(n), a!);
    }),
    form(`bmsk.${mode}.b32`, 'b32', ['b32', 'b32'], (a, b) => {
      const [from, count] = mode === 'wrap' ? [a! & 31n, b! & 31n] : [min(a!, 32n), min(b!, 32n)];
      return ((1n << count) - 1n) << from;
    }),
  ]),
  form('slct.b32.s32', 'b32', ['b32', 'b32', 's32'], (a, b, c) => (c! >= 0n ? a! : b!)),
  form('slct.b64.s32', 'b64', ['b64', 'b64', 's32'], (a, b, c) => (c! >= 0n ? a! : b!)),
];
