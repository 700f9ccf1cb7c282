import type { PtxType } from './ast.js';
import { parseConstant } from './constant-expression.js';
import type { Cursor } from './cursor.js';
import { f32Bits, f64Bits, f64FromBits, type Literal } from './literal.js';
import { ptxError } from './ptx-error.js';
import { bytesOfType } from './types.js';

/** Initial values are kept whole on the host. */
const MOST_BYTES = 2 ** 28;

/**
 * Reads what follows `=` in a variable's declaration and gives its little-endian bytes. Elements that are left out
 * are zero. With an open first dimension the contents are as long as the list.
 *
 * @param dims sizes of the array, outermost first; empty for a scalar; a first size of −1 is taken from the list
 * @throws CompileError for an element that is a symbol's address: addresses are given when memory is laid out,
 * after parsing
 */
export function parseInitializer(cursor: Cursor, type: PtxType, dims: readonly number[]): Uint8Array {
  const size = bytesOfType(type);
  const strides = dims.map((_, d) => dims.slice(d + 1).reduce((product, n) => product * n, size));
  const open = dims[0] === -1;
  const length = open ? Number.POSITIVE_INFINITY : dims.reduce((product, n) => product * n, size);
  if (!open && length > MOST_BYTES) {
    throw ptxError(
      cursor,
      `an initialised array has ${length} bytes; the emulator takes at most ${MOST_BYTES}`,
      { found: length },
      'Leave the initial value out and fill the array from the host or a kernel.',
    );
  }
  const bytes: number[] = [];
  const scratch = new DataView(new ArrayBuffer(16));

  const list = (depth: number, from: number, limit: number): number => {
    let at = from;
    cursor.expect('{');
    while (cursor.kind !== '}') {
      const stride = cursor.kind === '{' ? strides[depth + 1] : undefined;
      if (cursor.kind === '{' && stride === undefined) throw cursor.expected('an element, not another list');
      const end = at + (cursor.kind === '{' ? (strides[depth] ?? size) : size);
      if (end > limit) throw cursor.expected(`'}': the array holds no more elements`);
      if (cursor.kind === '{') list(depth + 1, at, end);
      else element(at);
      at = end;
      if (!cursor.accept(',')) break;
    }
    cursor.expect('}');
    return at;
  };

  const element = (at: number) => {
    if (cursor.kind === 'word') {
      throw ptxError(
        cursor,
        `expected a number as initial value, found the address '${cursor.text}'`,
        { expected: 'a number', found: cursor.text },
        'Set the pointer from the host or inside the kernel instead.',
      );
    }
    writeElement(scratch, type, parseConstant(cursor, 'a number as initial value'));
    for (let i = 0; i < size; i++) bytes[at + i] = scratch.getUint8(i);
  };

  let used = size;
  if (dims.length === 0) element(0);
  else used = list(0, 0, length);
  const result = new Uint8Array(open ? used : length);
  for (let i = 0; i < Math.min(bytes.length, result.length); i++) result[i] = bytes[i] ?? 0;
  return result;
}

function writeElement(out: DataView, type: PtxType, literal: Literal): void {
  if (type === 'f32') {
    out.setUint32(0, toF32Bits(literal), true);
  } else if (type === 'f64') {
    out.setBigUint64(0, toF64Bits(literal), true);
  } else {
    const bits = literal.kind === 'int' ? literal.value : BigInt(literal.bits);
    out.setBigUint64(0, BigInt.asUintN(64, bits), true);
    out.setBigUint64(8, BigInt.asUintN(64, bits >> 64n), true);
  }
}

/** The literal's value as an f32's bits. */
export function toF32Bits(literal: Literal): number {
  if (literal.kind === 'f32') return literal.bits;
  return f32Bits(literal.kind === 'int' ? Number(literal.value) : f64FromBits(literal.bits));
}

function toF64Bits(literal: Literal): bigint {
  if (literal.kind === 'f64') return literal.bits;
  if (literal.kind === 'int') return f64Bits(Number(literal.value));
  const view = new DataView(new ArrayBuffer(4));
  view.setUint32(0, literal.bits);
  return f64Bits(view.getFloat32(0));
}
