import type { DefinedKernel } from '@ffma/core';
import { h00 } from '../kernels/h00-cp-async/kernel.js';
import { h01 } from '../kernels/h01-tma/kernel.js';
import { h02 } from '../kernels/h02-sliced/kernel.js';
import { h03 } from '../kernels/h03-stream-k-tail/kernel.js';

/** Every kernel of this package, each after its base. */
export const kernels: readonly DefinedKernel[] = [h00, h01, h02, h03];

export { h00, h01, h02, h03 };
