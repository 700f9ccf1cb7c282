import type { Buffer } from '../device/buffer.js';
import type { Device } from '../device/device.js';
import { shown } from '../device/shown.js';
import { ArgumentError, ClosedError } from '../errors.js';
import type { GemmOperands, MatrixRef } from './gemm.js';
import { type GemmProblem, type GemmShape, gemmProblem, matrixAlignment, matrixBytes } from './problem.js';

/** A matrix in device memory, checked. */
export interface BoundOperand {
  readonly buffer: Buffer;
  readonly byteOffset: number;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function operand(name: string, ref: MatrixRef | Buffer, device: Device): BoundOperand {
  const { buffer, byteOffset = 0 } = isObject(ref) && 'buffer' in ref ? ref : { buffer: ref };
  if (!isObject(buffer) || !isObject(buffer.device)) {
    throw new ArgumentError(`${name} must be a buffer or { buffer, byteOffset }, but is ${shown(ref)}.`);
  }
  if (buffer.closed) throw new ClosedError(`buffer of ${name}`);
  if (buffer.device !== device) throw new ArgumentError(`${name} lives on another device than the kernel.`);
  if (!Number.isInteger(byteOffset) || byteOffset < 0 || byteOffset % 4 !== 0) {
    throw new ArgumentError(
      `The byte offset of ${name} must be a multiple of 4, at least 0, but is ${shown(byteOffset)}.`,
    );
  }
  return { buffer, byteOffset };
}

function checkSpan(
  name: string,
  { buffer, byteOffset }: BoundOperand,
  rows: number,
  cols: number,
  ld: number,
): void {
  const end = byteOffset + matrixBytes(rows, cols, ld);
  if (end > buffer.byteLength) {
    throw new ArgumentError(
      `${name} is ${rows}×${cols} with leading dimension ${ld} at byte ${byteOffset}, so it needs ${end} bytes, ` +
        `but its buffer has ${buffer.byteLength}.`,
    );
  }
}

function overlaps(x: BoundOperand, xBytes: number, y: BoundOperand, yBytes: number): boolean {
  const xs = x.buffer.address + BigInt(x.byteOffset);
  const ys = y.buffer.address + BigInt(y.byteOffset);
  return xBytes > 0 && yBytes > 0 && xs < ys + BigInt(yBytes) && ys < xs + BigInt(xBytes);
}

/** A problem whose operands are known: their alignment is in it. */
export interface BoundProblem {
  readonly problem: GemmProblem;
  readonly operands: { readonly a: BoundOperand; readonly b: BoundOperand; readonly c: BoundOperand };
}

/**
 * Checks a problem together with its operands, as everything behind the contract has to before it launches anything:
 * that they are open, on this device, large enough, and that C overlaps neither A nor B.
 * @throws ArgumentError, ClosedError
 */
export function bindOperands(device: Device, shape: GemmShape, operands: GemmOperands): BoundProblem {
  if (!isObject(operands)) {
    throw new ArgumentError(`The operands must be { a, b, c }, but are ${shown(operands)}.`);
  }
  const a = operand('A', operands.a, device);
  const b = operand('B', operands.b, device);
  const c = operand('C', operands.c, device);
  const bare = gemmProblem(shape);
  const at = (o: BoundOperand, rows: number, ld: number) =>
    matrixAlignment(o.buffer.address + BigInt(o.byteOffset), rows, ld);
  const problem: GemmProblem = {
    ...bare,
    alignment: { a: at(a, bare.m, bare.lda), b: at(b, bare.k, bare.ldb), c: at(c, bare.m, bare.ldc) },
  };
  const { m, n, k, lda, ldb, ldc } = problem;
  checkSpan('A', a, m, k, lda);
  checkSpan('B', b, k, n, ldb);
  checkSpan('C', c, m, n, ldc);
  for (const [name, input, bytes] of [
    ['A', a, matrixBytes(m, k, lda)],
    ['B', b, matrixBytes(k, n, ldb)],
  ] as const) {
    if (overlaps(input, bytes, c, matrixBytes(m, n, ldc))) {
      throw new ArgumentError(`C overlaps ${name} in memory; the result would be undefined.`, {
        remedy: 'Give C memory of its own.',
      });
    }
  }
  return { problem, operands: { a, b, c } };
}
