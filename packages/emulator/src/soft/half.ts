import { FORMATS } from './formats.js';

/** Formats of 16 bits. */
export type HalfName = 'f16' | 'bf16';

/** The NaN that GPUs make. */
const NAN = 0x7fff;

const floats = new Float32Array(1);
const bits = new Int32Array(floats.buffer);

function decode(name: HalfName, half: number): number {
  if (name === 'bf16') {
    bits[0] = half << 16;
    return floats[0]!;
  }
  const exponent = (half >> 10) & 31;
  const fraction = half & 0x3ff;
  const sign = half & 0x8000 ? -1 : 1;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (fraction + 1024) * 2 ** (exponent - 25));
}

const tables: Partial<Record<HalfName, Float32Array>> = {};

/** The value of 16 bits. */
export function halfValue(name: HalfName, half: number): number {
  tables[name] ??= Float32Array.from({ length: 65536 }, (_, i) => decode(name, i));
  return tables[name][half & 0xffff]!;
}

/** The bits of a value that the format holds exactly; of a NaN, the one that GPUs make. */
export function halfBits(name: HalfName, value: number): number {
  if (Number.isNaN(value)) return NAN;
  floats[0] = value;
  if (name === 'bf16') return bits[0]! >>> 16;
  const sign = (bits[0]! >>> 16) & 0x8000;
  const magnitude = Math.abs(value);
  if (magnitude > FORMATS.f16.largest) return sign | 0x7c00;
  if (magnitude < 2 ** -14) return sign | (magnitude * 2 ** 24);
  return sign | (((bits[0]! & 0x7fffffff) >> 13) - (112 << 10));
}
