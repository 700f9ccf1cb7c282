import { MeasuredSize, type RowFigures, sameSize } from '@ffma/core';
import type { Size } from '../bench/sizes.js';
import type { ExperimentRecord, ExperimentRecordRow } from '../result/experiment-schema.js';
import type { BenchResult, ResultRow } from '../result/schema.js';

/** A result that an experiment made. */
export type ExperimentResult = BenchResult & { readonly experiment: ExperimentRecord };

export function isExperimentResult(result: BenchResult): result is ExperimentResult {
  return result.experiment !== undefined;
}

/** The rows of an experiment that are measured at a size. */
export function recordRowsAt({ rows }: ExperimentRecord, size: Size): ExperimentRecordRow[] {
  return rows.filter(({ sizes }) => sizes === undefined || sizes.some((own) => sameSize(own, size)));
}

/** The result's row that gives the figure of an experiment's row at a size: of several, the fastest. */
export function fastestOf(
  row: ExperimentRecordRow,
  rows: readonly ResultRow[],
  size: Size,
): ResultRow | undefined {
  const candidates = rows.filter(
    ({ id, package: owner, problem, times }) =>
      times !== undefined &&
      sameSize(problem, size) &&
      row.kernels.some((one) => one.id === id && one.package === owner.name),
  );
  return candidates.sort((x, y) => (x.times?.medianUs ?? 0) - (y.times?.medianUs ?? 0))[0];
}

/** Figures of a row at a size; undefined where it has none, or none beside the reference. */
function figuresOf(row: ExperimentRecordRow, result: ExperimentResult, size: Size): RowFigures | undefined {
  const found = fastestOf(row, result.rows, size);
  const share = found?.role === 'reference' ? 1 : found?.times?.ratio?.median;
  if (found?.times === undefined || share === undefined) return undefined;
  const { medianUs, ratio, rounds } = found.times;
  return {
    row: row.name,
    id: found.id,
    us: medianUs,
    ofReference: share,
    wins: ratio?.wins ?? 0,
    perRoundUs: rounds.map((round) => round.medianUs),
  };
}

/** The sizes of a result, in order. */
export function sizesIn({ rows }: BenchResult): Size[] {
  const all = rows.map(({ problem: { m, n, k } }) => ({ m, n, k }));
  return all.filter((size, i) => all.findIndex((other) => sameSize(size, other)) === i);
}

/** The sizes at which every row that belongs there has figures. */
export function measuredSizes(result: ExperimentResult): MeasuredSize[] {
  const session = (size: Size) => result.sessions?.find(({ problem }) => sameSize(problem, size));
  return sizesIn(result).flatMap((size) => {
    const rows = recordRowsAt(result.experiment, size);
    const figures = rows.flatMap((row) => figuresOf(row, result, size) ?? []);
    const whole = figures.length === rows.length && session(size)?.interrupted !== true;
    return whole ? [new MeasuredSize(size, figures)] : [];
  });
}
