import type { DefinedKernel } from '@ffma/core';
import { k01 } from '../kernels/course/k01-naive/kernel.js';
import { k02 } from '../kernels/course/k02-coalesced/kernel.js';
import { k03 } from '../kernels/course/k03-shared-tiles/kernel.js';
import { k04 } from '../kernels/course/k04-strip/kernel.js';
import { k05 } from '../kernels/course/k05-patch/kernel.js';
import { k06 } from '../kernels/course/k06-warp-tiles/kernel.js';
import { k07 } from '../kernels/course/k07-searched/kernel.js';
import { k08 } from '../kernels/course/k08-async/kernel.js';
import { k09 } from '../kernels/course/k09-prefetch/kernel.js';
import { k09s } from '../kernels/course/k09s-swizzle/kernel.js';
import { k10 } from '../kernels/course/k10-large-patch/kernel.js';
import { k11 } from '../kernels/course/k11-hoisted/kernel.js';
import { k12 } from '../kernels/course/k12-spread/kernel.js';
import { k13 } from '../kernels/course/k13-specialised/kernel.js';
import { study } from '../kernels/study/index.js';

/** Every kernel of this package, each after its base. */
export const kernels: readonly DefinedKernel[] = [
  k01,
  k02,
  k03,
  k04,
  k05,
  k06,
  k07,
  k08,
  k09,
  k09s,
  k10,
  k11,
  k12,
  k13,
  ...study,
];

export { experiments } from '../experiments/index.js';
export * from '../kernels/study/index.js';
export { fastest, fastestFor } from './fastest.js';
export { k01, k02, k03, k04, k05, k06, k07, k08, k09, k09s, k10, k11, k12, k13 };
