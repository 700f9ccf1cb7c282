import { batchOf, type Size, sameSize, sizeFrom } from '../../bench/sizes.js';
import {
  type ExperimentResult,
  fastestOf,
  isExperimentResult,
  recordRowsAt,
} from '../../experiment/row-figures.js';
import { nameOf, sizesOf } from '../../render/rows.js';
import type { PublishedRecord } from '../../result/experiment-schema.js';
import type { BenchResult, ResultRow } from '../../result/schema.js';

/** One that is compared at several sizes: a kernel, or a row of an experiment, which is its fastest kernel. */
export interface Contender {
  readonly name: string;
  readonly about?: string;
  readonly reference?: true;
  /** What was measured at a size; undefined where nothing was. */
  at(size: Size): ResultRow | undefined;
  readonly published: readonly PublishedRecord[];
  /** Whether its figure at a size is that of the fastest of several. */
  readonly several: boolean;
}

/** Who was timed, and at which sizes. */
export interface LineUp {
  /** The least work first. */
  readonly sizes: readonly Size[];
  readonly contenders: readonly Contender[];
  /** Name of what the others are set beside. */
  readonly reference: string | undefined;
}

function ofExperiment(result: ExperimentResult): Contender[] {
  return result.experiment.rows.map((row) => ({
    name: row.name,
    ...(row.about === undefined ? {} : { about: row.about }),
    ...(row.reference ? { reference: true as const } : {}),
    at: (size) =>
      recordRowsAt(result.experiment, size).includes(row) ? fastestOf(row, result.rows, size) : undefined,
    published: row.published,
    several: row.kernels.length > 1,
  }));
}

/** One a kernel; those with sizes compiled in have an id for each size, so they go by their kernel's name. */
function ofBench({ rows }: BenchResult): Contender[] {
  const timed = rows.filter(({ times }) => times !== undefined);
  const fixed = (row: ResultRow) => row.specialised === true && row.id.includes(`_n${row.problem.n}`);
  const name = (row: ResultRow) => (fixed(row) ? `${row.kernel}, made for each size` : nameOf(row, timed));
  return [...new Set(timed.map(name))].map((own) => {
    const mine = timed.filter((row) => name(row) === own);
    return {
      name: own,
      ...(mine.some(({ role }) => role === 'reference') ? { reference: true as const } : {}),
      at: (size) =>
        mine
          .filter(({ problem }) => sameSize(problem, size))
          .sort((x, y) => (x.times?.medianUs ?? 0) - (y.times?.medianUs ?? 0))[0],
      published: [],
      several: false,
    };
  });
}

/** Everyone who has a time, in the order of the result. */
export function lineUpOf(result: BenchResult): LineUp {
  const all = isExperimentResult(result) ? ofExperiment(result) : ofBench(result);
  const sizes = sizesOf(result.rows).flatMap(([row]) => (row === undefined ? [] : sizeFrom(row.problem)));
  const work = (size: Size) => size.m * size.n * size.k * batchOf(size);
  const timed = (one: Contender) => sizes.some((size) => one.at(size)?.times !== undefined);
  return {
    sizes: sizes
      .filter((size) => all.some((one) => one.at(size)?.times !== undefined))
      .sort((x, y) => work(x) - work(y)),
    contenders: all.filter(timed),
    reference:
      all.find((one) => one.reference === true)?.name ??
      result.rows.find(({ role, times }) => role === 'reference' && times !== undefined)?.kernel,
  };
}

/** Speed as a share of the reference's: 1 for itself; undefined where it is not set beside it. */
export function shareOf(row: ResultRow | undefined): number | undefined {
  if (row?.times === undefined) return undefined;
  return row.role === 'reference' ? 1 : row.times.ratio?.median;
}
