import type { Size } from '../bench/sizes.js';
import type { LeftOut } from '../discover/usable.js';
import type { BenchResult, ResultRow } from '../result/schema.js';
import type { OnStep } from '../step.js';
import type { VerifiedKernel } from '../verify/run-verify.js';

export interface TourOptions {
  /** Where counters are taken. */
  readonly size: Size;
  /** Where times are taken, on a GPU. Default 1024³. */
  readonly timedAt?: Size;
  readonly fma?: 'auto' | 'relaxed' | 'f64';
  readonly onStep?: OnStep;
  /** Called when the device that verifies is open; `noGpu` is why it is not a GPU. */
  readonly onDevice?: (
    device: { readonly name: string; readonly arch: string },
    noGpu: string | undefined,
  ) => void;
  readonly onVerified?: (verified: VerifiedKernel) => void;
  /** Called once where there are references that do not run where the others are verified. */
  readonly onLeftOut?: (leftOut: readonly LeftOut[]) => void;
  /** Called with the times that were taken, on a machine with a GPU. */
  readonly onTimed?: (timed: BenchResult) => void;
  /** Called for each row, with the rows so far. */
  readonly onRow?: (row: ResultRow, rows: readonly ResultRow[]) => void;
}

export interface TourResult {
  readonly verified: readonly VerifiedKernel[];
  /** Absent where there is no GPU. */
  readonly timed?: BenchResult;
  readonly counted: BenchResult;
}
