import { setFlagsFromString } from 'node:v8';
import { UnavailableError } from '@ffma/core';

/**
 * (a, b, c) → lane 0 of f32x4.relaxed_madd(a, b, c). Written out, because assembling it would need the translator:
 * type section, function section, export "f", and the body local.get/splat ×3, relaxed_madd, extract_lane 0.
 */
const PROBE = Uint8Array.from([
  0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x01, 0x60, 0x03, 0x7d, 0x7d, 0x7d, 0x01, 0x7d,
  0x03, 0x02, 0x01, 0x00, 0x07, 0x05, 0x01, 0x01, 0x66, 0x00, 0x00, 0x0a, 0x16, 0x01, 0x14, 0x00, 0x20, 0x00,
  0xfd, 0x13, 0x20, 0x01, 0xfd, 0x13, 0x20, 0x02, 0xfd, 0x13, 0xfd, 0x85, 0x02, 0xfd, 0x1f, 0x00, 0x0b,
]);

type Madd = (a: number, b: number, c: number) => number;

/** [a, b, c, fma(a, b, c)]: each differs from the twice rounded result, or is subnormal. */
const VECTORS: readonly (readonly [number, number, number, number])[] = [
  [1 + 2 ** -12, 1 + 2 ** -12, -(1 + 2 ** -11), 2 ** -24],
  [1 + 2 ** -23, 1 - 2 ** -24, -1, 2 ** -24 - 2 ** -47],
  [2 ** -75, 2 ** -74, 2 ** -149, 2 ** -148],
  [2 ** -100, -(2 ** -49), 2 ** -148, 2 ** -149],
];

/** Whether the engine takes relaxed SIMD, and the processor fuses multiply and add. */
export function relaxedFuses(): boolean {
  if (!WebAssembly.validate(PROBE)) return false;
  const { f } = new WebAssembly.Instance(new WebAssembly.Module(PROBE)).exports as { f: Madd };
  return VECTORS.every(([a, b, c, exact]) => Object.is(f(a, b, c), exact));
}

/**
 * Which way of computing exact FMAs a device takes. `relaxed` switches the engine's feature on where it is off,
 * for the whole process.
 * @throws UnavailableError where `relaxed` is asked for and cannot be exact
 */
export function chooseFmaPath(wanted: 'auto' | 'relaxed' | 'f64'): 'relaxed' | 'f64' {
  if (wanted === 'f64') return 'f64';
  if (wanted === 'relaxed' && !WebAssembly.validate(PROBE))
    setFlagsFromString('--experimental-wasm-relaxed-simd');
  if (relaxedFuses()) return 'relaxed';
  if (wanted === 'auto') return 'f64';
  throw new UnavailableError(
    'This machine does not fuse relaxed SIMD multiply-add, so it would not be exact.',
    {
      remedy: "Use fma: 'f64', which gives the same bits more slowly.",
    },
  );
}
