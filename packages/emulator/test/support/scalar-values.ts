/** Scalar types of operands in the instruction tests. Values are passed as their bits, unsigned. */
export type Scalar =
  | 'u16'
  | 's16'
  | 'b16'
  | 'u32'
  | 's32'
  | 'b32'
  | 'u64'
  | 's64'
  | 'b64'
  | 'f32'
  | 'f64'
  | 'f16'
  | 'bf16'
  | 'f16x2'
  | 'bf16x2'
  | 'pred';

export const widthOf = (type: Scalar): 1 | 16 | 32 | 64 => {
  if (type === 'pred') return 1;
  return type.endsWith('x2') ? 32 : (Number(/\d+/.exec(type)![0]) as 16 | 32 | 64);
};

/** Floats of 16 bits and pairs of them: their registers have no type of their own, and they no immediates. */
export const isHalf = (type: Scalar): boolean => type.includes('f16');

const view = new DataView(new ArrayBuffer(8));

export function f32(bits: bigint): number {
  view.setUint32(0, Number(bits));
  return view.getFloat32(0);
}

export function f64(bits: bigint): number {
  view.setBigUint64(0, bits);
  return view.getFloat64(0);
}

/** Bits of the nearest float32; of a float32 itself where `value` is one. */
export function f32Bits(value: number): bigint {
  view.setFloat32(0, value);
  return BigInt(view.getUint32(0));
}

export function f64Bits(value: number): bigint {
  view.setFloat64(0, value);
  return view.getBigUint64(0);
}

export const floatOf = (type: 'f32' | 'f64', bits: bigint): number =>
  type === 'f32' ? f32(bits) : f64(bits);
export const floatBits = (type: 'f32' | 'f64', value: number): bigint =>
  type === 'f32' ? f32Bits(value) : f64Bits(value);

/** The integer that the bits stand for. */
export function int(type: Scalar, bits: bigint): bigint {
  return type.startsWith('s') ? BigInt.asIntN(widthOf(type), bits) : BigInt.asUintN(widthOf(type), bits);
}

/** The integer modulo the type's width. */
export const wrap = (type: Scalar, value: bigint): bigint => BigInt.asUintN(widthOf(type), value);

function integerEdges(width: number): bigint[] {
  const w = BigInt(width);
  const edges = [
    0n,
    1n,
    -1n,
    2n,
    5n,
    w - 1n,
    w,
    w + 1n,
    1n << (w - 1n),
    (1n << (w - 1n)) - 1n,
    (1n << (w - 1n)) + 1n,
  ];
  const pattern = 0x12345678_9abcdef0n >> (64n - w);
  return [...edges, pattern, ~pattern, 0xffn, -7n, 1n << (w / 2n)].map((value) =>
    BigInt.asUintN(width, value),
  );
}

const FLOATS = [
  0,
  -0,
  1,
  -1,
  1.5,
  -2.75,
  3,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  1e10,
  -0.1,
];

/** Zeros, ones, ties, NaN, infinities, the largest, normal and subnormal ends. */
const F16 = [
  0, 0x8000, 0x3c00, 0xbc00, 0x3e00, 0xc180, 0x4200, 0x7e00, 0x7c00, 0xfc00, 0x7bff, 0xae66, 1, 0x83ff,
  0x0400, 0x3c01,
].map(BigInt);
const BF16 = [
  0, 0x8000, 0x3f80, 0xbf80, 0x3fc0, 0xc030, 0x4040, 0x7fc0, 0x7f80, 0xff80, 0x7f7f, 0xbdcd, 1, 0x807f,
  0x0080, 0x3f81,
].map(BigInt);
const pairs = (halves: readonly bigint[]) => halves.map((low, i) => (halves[(5 * i + 3) % 16]! << 16n) | low);

const EDGES: Readonly<Record<Scalar, readonly bigint[]>> = {
  ...(Object.fromEntries(
    ([16, 32, 64] as const).flatMap((width) =>
      ['u', 's', 'b'].map((kind) => [`${kind}${width}`, integerEdges(width)]),
    ),
  ) as Record<Exclude<Scalar, 'f32' | 'f64' | 'f16' | 'bf16' | 'f16x2' | 'bf16x2' | 'pred'>, bigint[]>),
  // Smallest and largest subnormal, smallest normal, largest finite.
  f32: [...FLOATS.map(f32Bits), 0x00000001n, 0x807fffffn, 0x00800000n, 0x7f7fffffn],
  f64: [...FLOATS.map(f64Bits), 1n, 0x800fffffffffffffn, 0x0010000000000000n, 0x7fefffffffffffffn],
  f16: F16,
  bf16: BF16,
  f16x2: pairs(F16),
  bf16x2: pairs(BF16),
  pred: [0n, 1n],
};

/** Sixteen values (two for predicates) at which an operation may go wrong. */
export const edgesOf = (type: Scalar): readonly bigint[] => EDGES[type];

/** An immediate as PTX writes it. */
export function literal(type: Scalar, bits: bigint): string {
  if (type === 'f32') return `0f${bits.toString(16).padStart(8, '0')}`;
  if (type === 'f64') return `0d${bits.toString(16).padStart(16, '0')}`;
  // As compilers do: untyped and signed immediates are written signed.
  return (type.startsWith('u') ? bits : BigInt.asIntN(widthOf(type), bits)).toString();
}

/** Bits with one NaN for all in each part: payloads differ between processors. */
export function oneNaN(type: Scalar, bits: bigint): bigint {
  const half = (x: bigint) => {
    const infinity = type.startsWith('b') ? 0x7f80n : 0x7c00n;
    return (x & 0x7fffn) > infinity ? 0x7fffn : x;
  };
  if (type === 'f32') return Number.isNaN(floatOf(type, bits)) ? 0x7fc00000n : bits;
  if (type === 'f64') return Number.isNaN(floatOf(type, bits)) ? 0x7ff8000000000000n : bits;
  if (!isHalf(type)) return bits;
  return type.endsWith('x2') ? half(bits & 0xffffn) | (half((bits >> 16n) & 0xffffn) << 16n) : half(bits);
}

/** Equal bits; NaNs of one type are equal to each other. */
export const sameValue = (type: Scalar, x: bigint, y: bigint): boolean =>
  x === y || oneNaN(type, x) === oneNaN(type, y);
