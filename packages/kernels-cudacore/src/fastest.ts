import { type FastestAt, fastestOf, type GemmShape, type Variant } from '@ffma/core';
import { k05 } from '../kernels/course/k05-patch/kernel.js';
import { k06 } from '../kernels/course/k06-warp-tiles/kernel.js';
import { k08 } from '../kernels/course/k08-async/kernel.js';
import { k12 } from '../kernels/course/k12-spread/kernel.js';

const [tall, large] = [
  k12.variant('128x64x16_nospread_tagged'),
  k12.variant('128x256x8_s2_nospread_tagged'),
] as unknown as Variant[];

/** The fastest of this package, on an NVIDIA H200: results/h200-confirm.json, which a test holds it to. */
export const fastest = [
  { size: 512, variant: tall },
  { size: 1024, variant: tall },
  { size: 1536, variant: tall },
  { size: 2048, variant: large },
  { size: 3072, variant: tall },
  { size: 4096, variant: large },
] as readonly FastestAt[];

/** For what is no multiple of those tiles, the largest first: k05 takes any product. */
const others = [k08, k06, k05] as unknown as readonly Variant[];

/**
 * The variant of this package to use for a product: of those that were the fastest of it at the cubes that were timed,
 * the one of the nearest; where none of those takes it, the furthest of the ladder that does. All ship built.
 */
export function fastestFor(shape: GemmShape): Variant {
  return fastestOf(fastest, others, shape);
}
