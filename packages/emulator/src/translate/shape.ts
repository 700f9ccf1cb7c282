/**
 * What is known, before a kernel runs, about how a value differs between the four lanes of a group. A value that
 * is the same in all lanes, or grows by a constant from lane to lane, is kept as one scalar: lane 0's.
 */
export interface Shape {
  /** Lane l holds base + l·stride; stride 0 is "uniform"; undefined is "varying". */
  readonly stride: number | undefined;
  /** The base is a multiple of 2^align (lane 0's value, as an unsigned integer). */
  readonly align: number;
  /** The value, where it is uniform and known. */
  readonly value?: bigint;
}

export const VARYING: Shape = { stride: undefined, align: 0 };
export const UNIFORM: Shape = { stride: 0, align: 0 };
export const MAX_ALIGN = 31;

export const isUniform = (s: Shape): boolean => s.stride === 0;
export const isVarying = (s: Shape): boolean => s.stride === undefined;

/** log2 of the largest power of two that divides `value`; 0 is divided by all. */
export function trailingZeros(value: bigint): number {
  if (value === 0n) return MAX_ALIGN;
  let n = 0;
  while (n < MAX_ALIGN && ((value >> BigInt(n)) & 1n) === 0n) n++;
  return n;
}

export function constant(value: bigint): Shape {
  return { stride: 0, align: trailingZeros(value), value };
}

export function uniform(align = 0): Shape {
  return { stride: 0, align: Math.max(0, Math.min(align, MAX_ALIGN)) };
}

/** Lanes differ by `stride`; a stride too large to matter is varying. */
export function affine(stride: number, align: number): Shape {
  return Math.abs(stride) > 2 ** 24 ? VARYING : { stride, align: Math.max(0, Math.min(align, MAX_ALIGN)) };
}

/** The value may come from either. */
export function join(x: Shape | undefined, y: Shape): Shape {
  if (x === undefined) return y;
  if (x.stride === undefined || x.stride !== y.stride) return VARYING;
  const align = Math.min(x.align, y.align);
  return x.value !== undefined && x.value === y.value ? x : { stride: x.stride, align };
}

export function sameShape(x: Shape | undefined, y: Shape): boolean {
  return x !== undefined && x.stride === y.stride && x.align === y.align && x.value === y.value;
}

/**
 * How many low bits the lanes can change: with lanes base..base+3·stride and a base that is a multiple of
 * 2^bits > 3·stride, no lane carries out of those bits. undefined where a carry cannot be ruled out.
 */
export function laneBits(s: Shape): number | undefined {
  if (s.stride === undefined || s.stride < 0) return undefined;
  if (s.stride === 0) return 0;
  const bits = 32 - Math.clz32(3 * s.stride);
  return bits <= s.align ? bits : undefined;
}

type Rule = (...shapes: Shape[]) => Shape;

const both = (x: Shape, y: Shape, of: (a: bigint, b: bigint) => bigint): bigint | undefined =>
  x.value === undefined || y.value === undefined ? undefined : of(x.value, y.value);

/** Result of an operation whose result is uniform when all its inputs are, and says nothing more. */
export const plain: Rule = (...shapes) => (shapes.every(isUniform) ? UNIFORM : VARYING);

export const addShape: Rule = (x, y) => {
  if (x!.stride === undefined || y!.stride === undefined) return VARYING;
  const value = both(x!, y!, (a, b) => a + b);
  if (value !== undefined) return constant(value);
  return affine(x!.stride + y!.stride, Math.min(x!.align, y!.align));
};

export const subShape: Rule = (x, y) => {
  if (x!.stride === undefined || y!.stride === undefined) return VARYING;
  const value = both(x!, y!, (a, b) => a - b);
  if (value !== undefined) return constant(value);
  return affine(x!.stride - y!.stride, Math.min(x!.align, y!.align));
};

/** Multiplication modulo the width. */
export const mulShape: Rule = (x, y) => {
  const value = both(x!, y!, (a, b) => a * b);
  if (value !== undefined) return constant(value);
  if (isUniform(x!) && isUniform(y!)) return uniform(x!.align + y!.align);
  const [lanes, factor] = y!.value === undefined ? [y!, x!] : [x!, y!];
  if (factor.value === undefined || lanes.stride === undefined) return VARYING;
  if (factor.value < -(2n ** 24n) || factor.value > 2n ** 24n) return VARYING;
  return affine(lanes.stride * Number(factor.value), lanes.align + factor.align);
};

/** A wider type: only where no lane can pass the narrower type's end. */
export const widenShape: Rule = (x) => {
  if (isUniform(x!))
    return x!.value !== undefined && (x!.value < 0n || x!.value > 0x7fffffffn) ? uniform(x!.align) : x!;
  return laneBits(x!) === undefined ? VARYING : x!;
};

export const shlShape: Rule = (x, by) =>
  by!.value === undefined || by!.value < 0n || by!.value > 24n
    ? plain(x!, by!)
    : mulShape(x!, constant(1n << by!.value));

export const shrShape: Rule = (x, by) => {
  if (isUniform(x!) || by!.value === undefined) return plain(x!, by!);
  const bits = laneBits(x!);
  // Beyond 31 bits a tracked value may be another one modulo the register's width.
  return bits !== undefined && BigInt(bits) <= by!.value && by!.value < 2n ** 31n
    ? uniform(x!.align - Number(by!.value))
    : VARYING;
};

/** Bitwise and: the bits that lanes change must be kept whole or dropped whole. */
export const andShape: Rule = (x, y) => {
  if (isUniform(x!) && isUniform(y!)) return uniform(Math.max(x!.align, y!.align));
  const [lanes, mask] = isUniform(y!) ? [x!, y!] : [y!, x!];
  const bits = laneBits(lanes);
  if (bits === undefined || !isUniform(mask)) return VARYING;
  if (mask.align >= bits) return uniform(Math.max(mask.align, 0));
  if (mask.value === undefined) return VARYING;
  const low = (1n << BigInt(bits)) - 1n;
  return (mask.value & low) === low ? affine(lanes.stride!, lanes.align) : VARYING;
};

/** Bitwise or / exclusive or: like an addition where the uniform side has zeros under the lanes' bits. */
export const orShape: Rule = (x, y) => {
  if (isUniform(x!) && isUniform(y!)) return uniform(Math.min(x!.align, y!.align));
  const [lanes, other] = isUniform(y!) ? [x!, y!] : [y!, x!];
  const bits = laneBits(lanes);
  if (bits === undefined || !isUniform(other) || other.align < bits) return VARYING;
  return affine(lanes.stride!, Math.min(lanes.align, other.align));
};

/** The same value, whatever it is. */
export const sameAs: Rule = (x) => x!;

/** One of two values, chosen by a predicate (the last operand). */
export const selectShape: Rule = (x, y, p) => (isUniform(p!) ? join(x, y!) : VARYING);
