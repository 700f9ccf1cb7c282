import { type Device, type Experiment, rowsAt, sameSize, toSizes, UnsupportedError } from '@ffma/core';
import type { RunBenchOptions } from '../bench/options.js';
import { runBench } from '../bench/run-bench.js';
import type { Size } from '../bench/sizes.js';
import type { DiscoveredExperiment } from '../discover/kernel-package.js';
import { sentenceOf } from '../error-sentence.js';
import type { BenchResult } from '../result/schema.js';
import { isTiming } from '../timing/timing-device.js';
import { UsageError } from '../usage-error.js';
import { recordOf } from './record.js';
import { kernelsOf, resolveExperiment, sameKernel } from './resolve.js';
import { type ExperimentResult, measuredSizes } from './row-figures.js';

export interface RunExperimentOptions
  extends Omit<RunBenchOptions, 'sizes' | 'only' | 'onSize' | 'onLeftOut'> {
  /** Default: those of the experiment. */
  readonly sizes?: readonly Size[] | undefined;
  /** Called after each size with everything so far, which is awaited. */
  readonly onSize?: ((soFar: ExperimentResult) => unknown) | undefined;
}

/** A result with what its experiment says of it. */
function concluded(
  result: BenchResult,
  experiment: Experiment,
  record: ExperimentResult['experiment'],
): ExperimentResult {
  const made = { ...result, experiment: record };
  try {
    return { ...made, experiment: { ...record, conclusions: [...experiment.conclude(measuredSizes(made))] } };
  } catch (error) {
    const note = `What follows from the figures could not be told: ${sentenceOf(error)}`;
    return { ...made, experiment: { ...record, notes: [...record.notes, note] } };
  }
}

/** The sizes to measure at, each once. @throws UsageError where the experiment has no row at one */
export function sizesFor(experiment: Experiment, asked: readonly Size[] | undefined): Size[] {
  const all = (asked ?? experiment.sizes).map(toSizes);
  const sizes = all.filter((size, i) => all.findIndex((other) => sameSize(other, size)) === i);
  const empty = sizes.find((size) => rowsAt(experiment, size).length === 0);
  if (empty === undefined) return sizes;
  const { m, n, k } = empty;
  throw new UsageError(`Experiment ${experiment.name} has no row at ${m}×${n}×${k}.`, {
    remedy: 'Leave out --sizes to measure at its own.',
  });
}

function checkEarlier({ name }: Experiment, earlier: BenchResult | undefined): void {
  if (earlier === undefined || earlier.experiment?.name === name) return;
  throw new UsageError(
    `The earlier result is of ${earlier.experiment?.name ?? 'no experiment'}, not of ${name}.`,
    { remedy: 'Write to another file, or leave out --resume.' },
  );
}

/**
 * Runs an experiment: times what its rows name by the protocol of {@link runBench}, and asks it what follows.
 * @throws UnsupportedError on a device that gives no times; UsageError where a row does not exist, or as runBench does
 */
export async function runExperiment(
  device: Device,
  found: DiscoveredExperiment,
  options: RunExperimentOptions,
): Promise<ExperimentResult> {
  const { experiment } = found;
  if (!isTiming(device)) {
    throw new UnsupportedError(
      `${experiment.name} is about times, and ${device.name} has no clock of a GPU.`,
      {
        remedy: 'Run it with --device cuda, or with --check to see that every row exists and is valid.',
      },
    );
  }
  const { discovery, reference, earlier, protocol = {}, onSize } = options;
  checkEarlier(experiment, earlier);
  const resolved = resolveExperiment(discovery, found, reference);
  const record = recordOf(resolved);
  const result = await runBench(device, kernelsOf(resolved), {
    ...options,
    sizes: sizesFor(experiment, options.sizes),
    protocol: { ...(experiment.rounds === undefined ? {} : { rounds: experiment.rounds }), ...protocol },
    only: (kernel, size) =>
      resolved.rows.some(
        ({ row, kernels }) =>
          (row.sizes?.some((own) => sameSize(own, size)) ?? true) &&
          kernels.some((one) => sameKernel(one, kernel)),
      ),
    onSize: (soFar) => onSize?.(concluded(soFar, experiment, record)),
  });
  return concluded(result, experiment, record);
}
