import type { Size } from '../bench/sizes.js';
import type { Discovery } from '../discover/kernel-package.js';
import type { OnStep } from '../step.js';
import type { ProfileResult, ProfileRow } from './schema.js';

/** What `ffma profile` is told. */
export interface ProfileOptions {
  /** Where kernels are found, by the program that is profiled too. */
  readonly discovery: Discovery;
  readonly sizes: readonly Size[];
  /** `cold`: ncu flushes the caches before each of its passes. Default `cold`. */
  readonly cache?: 'cold' | 'warm' | undefined;
  /** Multiplications before the one that is profiled. Default 2. */
  readonly warmUps?: number | undefined;
  /** Compile variants that were not built. Default: where there is a compiler. */
  readonly compile?: boolean | undefined;
  /** After which ncu is ended, for each multiplication. Default ten minutes. */
  readonly timeoutMs?: number | undefined;
  /** Default `process.env`: PATH, FFMA_NCU, CUDA_HOME. */
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** Ends the work; what was profiled is kept. */
  readonly signal?: AbortSignal | undefined;
  readonly onStep?: OnStep | undefined;
  readonly onRow?: ((row: ProfileRow, soFar: ProfileResult) => unknown) | undefined;
}

export const WARM_UPS = 2;
export const TIMEOUT_MS = 600_000;
