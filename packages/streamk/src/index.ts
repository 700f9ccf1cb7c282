import type { DefinedKernel } from '@ffma/core';
import { k14 } from '../kernels/k14-stream-k/kernel.js';
import { streamkDeterministic } from '../kernels/streamk-deterministic/kernel.js';

/** Every kernel of this package, each after its base. */
export const kernels: readonly DefinedKernel[] = [k14, streamkDeterministic];

export { experiments } from '../experiments/index.js';
export { fastest, fastestFor } from './fastest.js';
export { k14, streamkDeterministic };
