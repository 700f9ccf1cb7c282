import { type GemmSizes, toSizes } from '@ffma/core';
import type { SelectedKernel } from '../discover/select.js';
import type { ExperimentRecord } from '../result/experiment-schema.js';
import type { ResolvedExperiment } from './resolve.js';

const refOf = ({ gemm, kernel }: SelectedKernel) => ({ id: gemm.id, package: kernel.package.name });

const copyOf = (size: GemmSizes) => ({ m: size.m, n: size.n, k: size.k });

/** What a result file keeps of an experiment, so that it can be shown again without the packages. */
export function recordOf({ found, rows, leftOut }: ResolvedExperiment): ExperimentRecord {
  const { experiment } = found;
  return {
    name: experiment.name,
    package: found.package.name,
    question: experiment.question,
    source: { ...experiment.source },
    ...(experiment.ranked === true ? { ranked: true as const } : {}),
    rows: rows.map(({ row, reference, kernels }) => ({
      name: row.name,
      ...(row.about === undefined ? {} : { about: row.about }),
      ...(reference ? { reference: true as const } : {}),
      kernels: kernels.map(refOf),
      ...(row.sizes === undefined ? {} : { sizes: row.sizes.map((size) => copyOf(toSizes(size))) }),
      published: (row.published ?? []).map((one) => ({ ...one, size: copyOf(toSizes(one.size)) })),
    })),
    pairs: (experiment.pairs ?? [])
      .filter(({ of, to }) => [of, to].every((name) => rows.some(({ row }) => row.name === name)))
      .map((pair) => ({ ...pair })),
    ...(experiment.charts === undefined ? {} : { charts: [...experiment.charts] }),
    conclusions: [],
    notes: leftOut.map(({ row, reason }) => `The row ${row.name} was left out: ${reason}`),
  };
}
