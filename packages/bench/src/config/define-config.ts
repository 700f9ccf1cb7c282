import type { Size } from '../bench/sizes.js';
import type { DeviceKind } from '../device/open-bench-device.js';

/** `1024`, `'1024x512x64'`, `'b8x1024'` for a batch of 8, or an object of the same. */
export type SizeSpec = number | string | Size;

/** What `ffma bench` is asked to do, as its flags say it; a flag overrides the field of its name. */
export interface BenchConfig {
  /** Selectors: `k02`, `k02/wide`, `k02/*`, a full id, a package, or `all`. Default: all. */
  readonly kernels?: readonly string[] | undefined;
  readonly device?: DeviceKind | undefined;
  /** What is measured; with `suite`, its sizes come after these. */
  readonly sizes?: readonly SizeSpec[] | undefined;
  /** The sizes of a suite: one of `suites`, or built in. */
  readonly suite?: string | undefined;
  /** What A·B is multiplied by. Default 1. */
  readonly alpha?: number | undefined;
  /** What is added of C. Default 0: C is not read. */
  readonly beta?: number | undefined;
  /** What times are set beside: a selector of one kernel, or `none`. */
  readonly reference?: string | undefined;
  /** Rounds that count. Default 15. Not with `untilCi`. */
  readonly rounds?: number | undefined;
  /** Timed launches of each kernel in a round. Default 40. */
  readonly launches?: number | undefined;
  /** Stop once the 95 % interval of every ratio is narrower than this: `'1%'` or 0.01. */
  readonly untilCi?: string | number | undefined;
  /** Rounds at most, with `untilCi`. Default 100. */
  readonly maxRounds?: number | undefined;
  /** For the rounds of one size: `'90s'`, `'10m'`, or seconds. */
  readonly timeLimit?: string | number | undefined;
  /** The L2 cache before each launch. Default `cold`. */
  readonly l2?: 'cold' | 'warm' | undefined;
  /** Launch as CUDA graphs. */
  readonly graph?: boolean | undefined;
  /** Every declared variant of each kernel. */
  readonly allVariants?: boolean | undefined;
  /** Compile variants that were not built. */
  readonly compile?: boolean | undefined;
  /** Keep the GPU's UUID in the result, not only a digest of it. */
  readonly uuid?: boolean | undefined;
}

/** What a configuration file exports as its default. */
export interface FfmaConfig {
  readonly bench?: BenchConfig | undefined;
  /** Sizes that belong together, by a name for `--suite`. */
  readonly suites?: Readonly<Record<string, readonly SizeSpec[]>> | undefined;
}

/** Gives a configuration file its types: `export default defineConfig({ … })`. Checked when `ffma` reads it. */
export function defineConfig(config: FfmaConfig): FfmaConfig {
  return config;
}
