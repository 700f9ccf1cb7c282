import { type FastestAt, fastestOf, type GemmShape, type Variant } from '@ffma/core';
import { k14 } from '../kernels/k14-stream-k/kernel.js';

const [small, large] = [k14.variant('64x128x8_s2'), k14.variant('128x256x8_s3')] as unknown as Variant[];

/** The fastest of this package, on an NVIDIA H200: results/h200-confirm.json, which a test holds it to. */
export const fastest = [
  { size: 512, variant: small },
  { size: 1024, variant: small },
  { size: 1536, variant: large },
  { size: 2048, variant: large },
  { size: 3072, variant: large },
  { size: 4096, variant: large },
] as readonly FastestAt[];

/**
 * The variant of this package to use for a product: of those that were the fastest of it at the cubes that were timed,
 * the one of the nearest. All ship built.
 * @throws UnsupportedError where m or n are no multiples of their tiles, or k none of 8
 */
export function fastestFor(shape: GemmShape): Variant {
  return fastestOf(fastest, [k14 as unknown as Variant], shape);
}
