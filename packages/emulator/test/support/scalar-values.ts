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
  | 'pred';

export const widthOf = (type: Scalar): 1 | 16 | 32 | 64 =>
  type === 'pred' ? 1 : (Number(type.slice(1)) as 16 | 32 | 64);

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

const EDGES: Readonly<Record<Scalar, readonly bigint[]>> = {
  ...(Object.fromEntries(
    ([16, 32, 64] as const).flatMap((width) =>
      ['u', 's', 'b'].map((kind) => [`${kind}${width}`, integerEdges(width)]),
    ),
  ) as Record<Exclude<Scalar, 'f32' | 'f64' | 'pred'>, bigint[]>),
  // Smallest and largest subnormal, smallest normal, largest finite.
  f32: [...FLOATS.map(f32Bits), 0x00000001n, 0x807fffffn, 0x00800000n, 0x7f7fffffn],
  f64: [...FLOATS.map(f64Bits), 1n, 0x800fffffffffffffn, 0x0010000000000000n, 0x7fefffffffffffffn],
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

/** Equal bits; NaNs of one type are equal to each other. */
export function sameValue(type: Scalar, x: bigint, y: bigint): boolean {
  if (x === y) return true;
  return (
    (type === 'f32' || type === 'f64') && Number.isNaN(floatOf(type, x)) && Number.isNaN(floatOf(type, y))
  );
}
