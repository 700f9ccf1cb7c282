import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type BenchResult,
  type DiscoveredExperiment,
  type Discovery,
  type ExperimentResult,
  kernelsOf,
  measuredSizes,
  parseResult,
  type ResultRow,
  recordOf,
  resolveExperiment,
  type SelectedKernel,
  type Size,
  sameKernel,
  tflopsOf,
} from '@ffma/bench';
import { sameSize, toSizes } from '@ffma/core';
import { root } from './workspace.js';

/** µs that a kernel takes at a size, in a round. */
export type FakeTime = (id: string, size: Size, round: number) => number;

const ROUNDS = 15;

/** A result that was measured, for what a made-up one does not make up: device, host, versions, protocol. */
const measured = parseResult(readFileSync(join(root, 'results/h200-2026-11-30.json'), 'utf8'));

function timesOf(one: SelectedKernel, reference: SelectedKernel, size: Size, time: FakeTime) {
  const each = (of: SelectedKernel) =>
    Array.from({ length: ROUNDS }, (_, i) => time(of.gemm.id, size, i + 1));
  const middle = (values: readonly number[]) => [...values].sort((x, y) => x - y)[ROUNDS >> 1] as number;
  const us = each(one);
  const perRound = each(reference).map((base, i) => base / (us[i] as number));
  const flops = 2 * size.m * size.n * size.k;
  return {
    medianUs: middle(us),
    minUs: Math.min(...us),
    maxUs: Math.max(...us),
    tflops: tflopsOf(flops, middle(us)),
    rounds: us.map((value, i) => ({
      round: i + 1,
      medianUs: value,
      minUs: value,
      maxUs: value,
      launchesUs: [value],
      outliers: [],
    })),
    noise: { launches: 0, rounds: 0 },
    launched: 'singly' as const,
    ...(sameKernel(one, reference)
      ? {}
      : {
          ratio: {
            to: { id: reference.gemm.id, package: reference.kernel.package.name },
            median: middle(perRound),
            min: Math.min(...perRound),
            max: Math.max(...perRound),
            wins: perRound.filter((ratio) => ratio > 1).length,
            rounds: ROUNDS,
            // Every round of a made-up kernel is alike, or nearly.
            interval: { low: Math.min(...perRound), high: Math.max(...perRound) },
            perRound,
          },
        }),
  };
}

function rowOf(one: SelectedKernel, reference: SelectedKernel, size: Size, time: FakeTime): ResultRow {
  const template = measured.rows[0] as ResultRow;
  const { role: _, ...generic } = template;
  const { m, n, k } = size;
  return {
    ...generic,
    ...(sameKernel(one, reference) ? { role: 'reference' } : {}),
    ...(one.gemm.specialised === true ? { specialised: true } : {}),
    id: one.gemm.id,
    kernel: one.kernel.name,
    package: { name: one.kernel.package.name, version: one.kernel.package.version },
    exactness: one.gemm.exactness,
    asked: true,
    problem: { ...template.problem, m, n, k, lda: k, ldb: n, ldc: n },
    times: timesOf(one, reference, size, time),
  };
}

/** The result that an experiment would have, were its kernels as fast as `time` says. */
export function fakeExperimentResult(
  discovery: Discovery,
  found: DiscoveredExperiment,
  time: FakeTime,
): ExperimentResult {
  const resolved = resolveExperiment(discovery, found);
  const { reference } = resolved;
  if (reference === undefined) throw new Error('There is no reference here.');
  const sizes = found.experiment.sizes.map(toSizes);
  const at = (size: Size) =>
    kernelsOf(resolved).filter((one) =>
      resolved.rows.some(
        ({ row, kernels }) =>
          (row.sizes?.some((own) => sameSize(own, size)) ?? true) &&
          kernels.some((kernel) => sameKernel(kernel, one)),
      ),
    );
  const result: BenchResult = {
    ...measured,
    sessions: [],
    rows: sizes.flatMap((size) => at(size).map((one) => rowOf(one, reference, size, time))),
  };
  const made = { ...result, experiment: recordOf(resolved) };
  const conclusions = [...found.experiment.conclude(measuredSizes(made))];
  return { ...made, experiment: { ...made.experiment, conclusions } };
}
