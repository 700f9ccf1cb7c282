import type { Form } from './instruction-form.js';
import { int, type Scalar, widthOf, wrap } from './scalar-values.js';

/** PTX ISA, "bfe": a field, its sign bit filled in where the type is signed. */
function bfe(type: Scalar, pos: number, len: number): Form {
  const msb = widthOf(type) - 1;
  const model = (a: bigint): bigint => {
    const bit = (i: number) => (a >> BigInt(i)) & 1n;
    const sign = !type.startsWith('s') || len === 0 ? 0n : bit(Math.min(pos + len - 1, msb));
    let d = 0n;
    for (let i = 0; i <= msb; i++) d |= (i < len && pos + i <= msb ? bit(pos + i) : sign) << BigInt(i);
    return d;
  };
  return {
    text: `bfe.${type}`,
    result: type,
    args: [type],
    suffix: `${pos}, ${len}`,
    model: (a) => model(a!),
  };
}

/** PTX ISA, "bfi": the low bits of a replace a field of b. */
function bfi(type: Scalar, pos: number, len: number): Form {
  const msb = widthOf(type) - 1;
  const model = (a: bigint, b: bigint): bigint => {
    let f = b;
    for (let i = 0; i < len && pos + i <= msb; i++) {
      const place = BigInt(pos + i);
      f = (f & ~(1n << place)) | (((a >> BigInt(i)) & 1n) << place);
    }
    return wrap(type, f);
  };
  return {
    text: `bfi.${type}`,
    result: type,
    args: [type, type],
    suffix: `${pos}, ${len}`,
    model: (a, b) => model(a!, b!),
  };
}

function lop3(table: number): Form {
  const model = (...[a, b, c]: bigint[]): bigint => {
    let d = 0n;
    for (let i = 0n; i < 32n; i++) {
      const row = (((a! >> i) & 1n) << 2n) | (((b! >> i) & 1n) << 1n) | ((c! >> i) & 1n);
      d |= ((BigInt(table) >> row) & 1n) << i;
    }
    return d;
  };
  return { text: 'lop3.b32', result: 'b32', args: ['b32', 'b32', 'b32'], suffix: `${table}`, model };
}

const prmt: Form = {
  text: 'prmt.b32',
  result: 'b32',
  args: ['b32', 'b32', 'b32'],
  model: (...[a, b, selector]) => {
    const bytes = (b! << 32n) | a!;
    let d = 0n;
    for (let i = 0n; i < 4n; i++) {
      const nibble = (selector! >> (4n * i)) & 15n;
      const byte = (bytes >> (8n * (nibble & 7n))) & 0xffn;
      const chosen = nibble & 8n ? (byte & 0x80n ? 0xffn : 0n) : byte;
      d |= chosen << (8n * i);
    }
    return d;
  },
};

function shf(direction: 'l' | 'r', mode: 'clamp' | 'wrap'): Form {
  return {
    text: `shf.${direction}.${mode}.b32`,
    result: 'b32',
    args: ['b32', 'b32', 'u32'],
    model: (...[a, b, c]) => {
      const pair = (b! << 32n) | a!;
      const n = mode === 'wrap' ? c! & 31n : c! > 32n ? 32n : c!;
      return wrap('b32', direction === 'l' ? (pair << n) >> 32n : pair >> n);
    },
  };
}

const FIELDS = [
  [0, 8],
  [4, 12],
  [28, 8],
  [40, 30],
  [2, 2],
] as const;
const EDGE_FIELDS = [
  [0, 32],
  [0, 0],
  [31, 1],
  [255, 255],
] as const;

/** Bit fields, funnel shifts, byte permutations and arbitrary logic. */
export const bitForms: readonly Form[] = [
  ...FIELDS.flatMap(([pos, len]) => [bfi('b32', pos, len), bfi('b64', pos, len)]),
  ...EDGE_FIELDS.map(([pos, len]) => bfi('b32', pos, len)),
  bfe('u32', 4, 12),
  bfe('s64', 40, 30),
  ...[0x00, 0x96, 0xca].map(lop3),
  prmt,
  shf('l', 'clamp'),
  shf('l', 'wrap'),
  shf('r', 'clamp'),
  shf('r', 'wrap'),
];

/** A field's place and size given by registers. */
export const bfeByRegister: readonly Form[] = (['u32', 's32', 'u64', 's64'] as const).map((type) => ({
  text: `bfe.${type}`,
  result: type,
  args: [type, 'u32', 'u32'],
  model: (a, pos, len) => bfe(type, Number(pos! & 0xffn), Number(len! & 0xffn)).model(int(type, a!)),
}));
