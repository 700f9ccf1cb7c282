import type { DefinedKernel } from '@ffma/core';
import { k01 } from '../kernels/course/k01-naive/kernel.js';
import { k02 } from '../kernels/course/k02-coalesced/kernel.js';
import { k03 } from '../kernels/course/k03-shared-tiles/kernel.js';
import { k04 } from '../kernels/course/k04-strip/kernel.js';
import { k05 } from '../kernels/course/k05-patch/kernel.js';
import { k06 } from '../kernels/course/k06-warp-tiles/kernel.js';
import { k07 } from '../kernels/course/k07-searched/kernel.js';

/** Every kernel of this package, each after its base. */
export const kernels: readonly DefinedKernel[] = [k01, k02, k03, k04, k05, k06, k07];

export { k01, k02, k03, k04, k05, k06, k07 };
