import type { DefinedKernel } from '@ffma/core';
import { k01 } from '../kernels/course/k01-naive/kernel.js';
import { k02 } from '../kernels/course/k02-coalesced/kernel.js';
import { k03 } from '../kernels/course/k03-shared-tiles/kernel.js';

/** Every kernel of this package, each after its base. */
export const kernels: readonly DefinedKernel[] = [k01, k02, k03];

export { k01, k02, k03 };
