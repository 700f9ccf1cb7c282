import { ArgumentError } from '../errors.js';
import type { Buffer } from './buffer.js';
import { shown } from './shown.js';

/** Checks that bytes lie within a buffer. @throws ArgumentError */
export function checkSpan(buffer: Buffer, byteOffset: number, byteLength: number): void {
  const whole = Number.isInteger(byteOffset) && Number.isInteger(byteLength);
  if (whole && byteOffset >= 0 && byteLength >= 0 && byteOffset + byteLength <= buffer.byteLength) return;
  throw new ArgumentError(
    `${shown(byteLength)} bytes at byte ${shown(byteOffset)} do not fit into a buffer of ${buffer.byteLength} bytes.`,
  );
}

/**
 * Checks what a fill is asked for.
 * @param byteLength default: to the end of the buffer
 * @returns the bytes to fill
 * @throws ArgumentError
 */
export function fillLength(buffer: Buffer, word: number, byteOffset: number, byteLength?: number): number {
  checkSpan(buffer, byteOffset, byteLength === undefined ? 0 : byteLength);
  const bytes = byteLength === undefined ? buffer.byteLength - byteOffset : byteLength;
  if (byteOffset % 4 !== 0 || bytes % 4 !== 0) {
    throw new ArgumentError(
      `A fill works on whole 4-byte words, but was asked for ${bytes} bytes at byte ${byteOffset}.`,
    );
  }
  if (!Number.isInteger(word)) throw new ArgumentError(`A fill takes a 32-bit word, but got ${shown(word)}.`);
  return bytes;
}
