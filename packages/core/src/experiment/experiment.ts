import type { GemmSizes } from '../gemm/specialise.js';
import type { ExperimentChart } from './charts.js';
import { checkExperiment } from './check-experiment.js';
import type { MeasuredSize } from './measured-size.js';

/** A square problem by its extent, or m×n×k. */
export type ExperimentSize = number | GemmSizes;

/** A figure that somebody else published. */
export interface PublishedFigure {
  readonly size: ExperimentSize;
  readonly value: number;
  /** `us`: microseconds. `%`: speed as a percentage of the reference's, over 100 is faster. `TFLOP/s`. */
  readonly unit: 'us' | '%' | 'TFLOP/s';
  /** What it was measured on: `H100`. */
  readonly gpu: string;
  /** Whether it is the time of one configuration, named in advance, or the best of several that were tried. */
  readonly kind: 'fixed configuration' | "sweep's best";
  /** What else has to be known: `Nsight Compute replay time`. */
  readonly note?: string;
}

/** What is measured against the other rows. */
export interface ExperimentRow {
  /** Short name, unique in the experiment: pairs and `conclude` speak of it. */
  readonly name: string;
  /** What it stands for, in a few words: `asynchronous copies`. */
  readonly about?: string;
  /**
   * A kernel as `ffma` selects it: `k09` (its default variant), `k09/128x64x8_both`, an id. Several, or `k09/*` (every
   * declared variant): each is measured, and the row's figure is that of the fastest. Kernels of the declaring package
   * come first, then those of others. `{ role: 'reference' }`: what everything is measured against.
   */
  readonly kernel: string | readonly string[] | { readonly role: 'reference' };
  /**
   * Of the variants that are named, only those that have the sizes of a problem compiled in (true), or only those that
   * take any size (false). Default: both.
   */
  readonly specialised?: boolean;
  /** Where it is measured. Default: at every size of the experiment. */
  readonly sizes?: readonly ExperimentSize[];
  /** Left out where no installed package has the kernel, such as one that comes in a package of its own. */
  readonly optional?: boolean;
  readonly published?: readonly PublishedFigure[];
}

/** Two rows whose times are set beside each other, round by round. */
export interface ExperimentPair {
  /** Name of the row that is judged. */
  readonly of: string;
  /** Name of the row it is judged by. */
  readonly to: string;
  /** What differs between them: `A transposed`. */
  readonly about?: string;
  /** What was published of the two, where times of both were not: `up to 10 % slower`. */
  readonly published?: string;
}

/** A question that times answer, with what was published about it. A kernel package exports `experiments`. */
export interface Experiment {
  /** What `ffma experiment run` takes: `k09-two-by-two`. */
  readonly name: string;
  /** One sentence, ending in a question mark. */
  readonly question: string;
  /** What it repeats. */
  readonly source: { readonly title: string; readonly table: string };
  readonly sizes: readonly ExperimentSize[];
  /** Kernel packages beside the declaring one, without which it cannot be run: `@ffma/kernels-cudacore`. */
  readonly packages?: readonly string[];
  readonly rows: readonly ExperimentRow[];
  readonly pairs?: readonly ExperimentPair[];
  /** Drawn by `ffma report`, beside the charts that every experiment has: each row by size, and round by round. */
  readonly charts?: readonly ExperimentChart[];
  /** Rows are reported in the order of their times: a search. */
  readonly ranked?: boolean;
  /** Alternating rounds. Default: those of the protocol, 15. */
  readonly rounds?: number;
  /**
   * What the figures say, as sentences. Pure. Asked with the sizes at which every row that belongs there was measured,
   * which may be none of them.
   */
  conclude(measured: readonly MeasuredSize[]): readonly string[];
}

/** Declares an experiment. @throws ArgumentError where it contradicts itself */
export function defineExperiment(experiment: Experiment): Experiment {
  checkExperiment(experiment);
  return experiment;
}
