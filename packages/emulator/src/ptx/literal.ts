import type { Operand } from './ast.js';

/** A number as PTX writes it, before it is fitted to a type. */
export type Literal = Extract<Operand, { kind: 'int' | 'f32' | 'f64' }>;

const view = new DataView(new ArrayBuffer(8));

export function f32Bits(value: number): number {
  view.setFloat32(0, value);
  return view.getUint32(0);
}

export function f64Bits(value: number): bigint {
  view.setFloat64(0, value);
  return view.getBigUint64(0);
}

export function f64FromBits(bits: bigint): number {
  view.setBigUint64(0, bits);
  return view.getFloat64(0);
}

/**
 * Reads an unsigned literal: decimal, `0x…`, `0b…` or octal integers with an optional `U`, `0f` + 8 and
 * `0d` + 16 hex digits, decimal floating point. Gives `undefined` if it is none of these.
 */
export function parseLiteral(text: string): Literal | undefined {
  if (/^(0|[1-9]\d*)$/.test(text)) return { kind: 'int', value: BigInt(text) };
  if (/^0[fF][\da-fA-F]{8}$/.test(text)) return { kind: 'f32', bits: Number.parseInt(text.slice(2), 16) };
  if (/^0[dD][\da-fA-F]{16}$/.test(text)) return { kind: 'f64', bits: BigInt(`0x${text.slice(2)}`) };
  const digits = text.endsWith('U') ? text.slice(0, -1) : text;
  if (/^(0[xX][\da-fA-F]+|0[bB][01]+|[1-9]\d*|0)$/.test(digits))
    return { kind: 'int', value: BigInt(digits) };
  if (/^0[0-7]+$/.test(digits)) return { kind: 'int', value: BigInt(`0o${digits.slice(1)}`) };
  if (/^\d+(\.\d+([eE][+-]?\d+)?|[eE][+-]?\d+)$/.test(text))
    return { kind: 'f64', bits: f64Bits(Number(text)) };
  return undefined;
}

/** The literal with its sign changed: an integer's value, a float's sign bit. */
export function negateLiteral(literal: Literal): Literal {
  switch (literal.kind) {
    case 'int':
      return { kind: 'int', value: -literal.value };
    case 'f32':
      return { kind: 'f32', bits: (literal.bits ^ 0x80000000) >>> 0 };
    case 'f64':
      return { kind: 'f64', bits: literal.bits ^ (1n << 63n) };
  }
}
