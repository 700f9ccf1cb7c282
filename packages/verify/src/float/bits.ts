/** Views of one 32-bit word: as a float32 and as its bits. */
const f32 = new Float32Array(1);
const u32 = new Uint32Array(f32.buffer);

/** Bits of the float32 nearest to `value`, as an unsigned integer. A NaN's payload does not survive a JS number. */
export function bitsOf(value: number): number {
  f32[0] = value;
  return u32[0] as number;
}

/** The float32 with these bits, as a number. */
export function floatOf(bits: number): number {
  u32[0] = bits;
  return f32[0] as number;
}

/** A word for people: `0x3f800000`. */
export function hexWord(word: number): string {
  return `0x${(word >>> 0).toString(16).padStart(8, '0')}`;
}

/** Same float32 value to the bit, signs of zero included; every NaN equals every NaN. */
export function sameValue(x: number, y: number): boolean {
  return Object.is(x, y);
}

/** A number that survives JSON: what JSON cannot write is its name. */
export type ReportedNumber = number | 'NaN' | 'Infinity' | '-Infinity' | '-0';

export function reported(value: number): ReportedNumber {
  if (Number.isFinite(value)) return Object.is(value, -0) ? '-0' : value;
  return String(value) as 'NaN' | 'Infinity' | '-Infinity';
}
