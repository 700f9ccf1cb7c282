import type { Discovery } from '../discover/kernel-package.js';
import type { SelectedKernel } from '../discover/select.js';
import type { LeftOut } from '../discover/usable.js';
import type { BenchResult, ResultRow } from '../result/schema.js';
import type { OnStep } from '../step.js';
import type { Protocol } from '../timing/protocol.js';
import type { Size } from './sizes.js';

export interface RunBenchOptions {
  readonly sizes: readonly Size[];
  /** Where bases and the reference are looked for. */
  readonly discovery: Discovery;
  /** Compile variants that were not built. Default: on a GPU, where there is a compiler. */
  readonly compile?: boolean | undefined;
  /** Which of the kernels are measured at a size, beside the reference. Default: all. */
  readonly only?: ((kernel: SelectedKernel, size: Size) => boolean) | undefined;
  /** How times are taken, on a device that has a clock. */
  readonly protocol?: Partial<Protocol> | undefined;
  /** What A·B is multiplied by. Default 1. */
  readonly alpha?: number | undefined;
  /** What is added of C. Default 0: C is not read. */
  readonly beta?: number | undefined;
  /** Keep the GPU's UUID as it is, not only a digest of it. */
  readonly uuid?: boolean | undefined;
  /** What times are set beside: a selector, or `none`. Default: the first kernel that says it is a reference. */
  readonly reference?: string | undefined;
  /** A result that was not finished: what it has of a size is kept, where times were taken of the same things. */
  readonly earlier?: BenchResult | undefined;
  /** Ends the work after the row, or the round, that is running; the result says that it is not whole. */
  readonly signal?: AbortSignal | undefined;
  readonly onStep?: OnStep | undefined;
  readonly onRow?: ((row: ResultRow) => void) | undefined;
  /** Called after each size with everything so far, which is awaited: so that nothing measured is lost. */
  readonly onSize?: ((soFar: BenchResult) => unknown) | undefined;
  /** Called once where there are references that nobody named and that cannot be used here. */
  readonly onLeftOut?: ((leftOut: readonly LeftOut[]) => void) | undefined;
}
