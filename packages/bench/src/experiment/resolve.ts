import type { ExperimentRow } from '@ffma/core';
import type { DiscoveredExperiment, Discovery } from '../discover/kernel-package.js';
import { type SelectedKernel, selectKernels } from '../discover/select.js';
import { sentenceOf } from '../error-sentence.js';
import { chooseReference } from '../timing/reference.js';
import { UsageError } from '../usage-error.js';

/** A row with the kernels that it names; one where it is the reference. */
export interface ResolvedRow {
  readonly row: ExperimentRow;
  readonly reference: boolean;
  readonly kernels: readonly SelectedKernel[];
}

export interface ResolvedExperiment {
  readonly found: DiscoveredExperiment;
  readonly rows: readonly ResolvedRow[];
  readonly reference: SelectedKernel | undefined;
  /** Optional rows whose kernel is in no installed package, with the reason. */
  readonly leftOut: readonly { readonly row: ExperimentRow; readonly reason: string }[];
}

/** Kernels by a selector: those of the declaring package, else of the others. @throws UsageError */
function select(discovery: Discovery, found: DiscoveredExperiment, selector: string): SelectedKernel[] {
  const own = discovery.kernels.filter((kernel) => kernel.package.name === found.package.name);
  if (own.length > 0) {
    const within = { ...discovery, kernels: own, packages: [found.package] };
    try {
      return selectKernels(within, [selector]);
    } catch (error) {
      // A kernel of its own with another variant is a mistake; one that it has not may be another package's.
      const name = selector.replace(/\/.*/, '');
      if (!(error instanceof UsageError) || own.some((kernel) => kernel.name === name)) throw error;
    }
  }
  return selectKernels(discovery, [selector]);
}

/** @throws UsageError naming the kernel packages that an experiment needs and that are not here, or why they are not */
function checkPackages(
  { packages, broken }: Discovery,
  { name, packages: needed = [] }: DiscoveredExperiment['experiment'],
): void {
  const missing = needed.filter((one) => !packages.some((installed) => installed.name === one));
  if (missing.length === 0) return;
  const unusable = broken.find((one) => missing.includes(one.name));
  const why = unusable === undefined ? '' : ` ${unusable.name} is not usable: ${unusable.reason}`;
  throw new UsageError(
    `Experiment ${name} also measures kernels of ${missing.join(', ')}, which are not here.${why}`,
    unusable === undefined ? { remedy: `Run npm install -D ${missing.join(' ')}.` } : {},
  );
}

/** Of kernels those with the sizes compiled in, or those without, as a row asks. @throws UsageError where none is left */
function keepAsked(
  { name, specialised }: ExperimentRow,
  kernels: readonly SelectedKernel[],
): SelectedKernel[] {
  const kept = kernels.filter(
    ({ gemm }) => specialised === undefined || (gemm.specialised === true) === specialised,
  );
  if (kept.length > 0) return kept;
  const which = specialised ? 'has the sizes of a problem compiled in' : 'takes any size';
  throw new UsageError(`None of the kernels of row ${name} ${which}.`);
}

/** Selectors of a row; undefined where it is the reference. */
function selectorsOf({ kernel }: ExperimentRow): readonly string[] | undefined {
  if (typeof kernel === 'string') return [kernel];
  return Array.isArray(kernel) ? (kernel as readonly string[]) : undefined;
}

/**
 * Looks up every row of an experiment.
 * @param reference a selector, or `none`; default: the first kernel that says it is a reference
 * @throws UsageError naming the row whose kernel does not exist, or the package that is not installed
 */
export function resolveExperiment(
  discovery: Discovery,
  found: DiscoveredExperiment,
  reference?: string,
): ResolvedExperiment {
  const { experiment } = found;
  checkPackages(discovery, experiment);
  const chosen = chooseReference(discovery, reference);
  const rows: ResolvedRow[] = [];
  const leftOut: { row: ExperimentRow; reason: string }[] = [];
  for (const row of experiment.rows) {
    const selectors = selectorsOf(row);
    if (selectors === undefined) {
      const named = chosen === undefined ? [] : [{ ...chosen, named: true as const }];
      rows.push({ row, reference: true, kernels: named });
      continue;
    }
    try {
      const named = selectors.flatMap((selector) => select(discovery, found, selector));
      const kernels = keepAsked(row, named);
      rows.push({ row, reference: false, kernels: kernels.map((one) => ({ ...one, named: true as const })) });
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      if (row.optional === true) {
        leftOut.push({ row, reason: sentenceOf(error) });
        continue;
      }
      throw new UsageError(
        `Row ${row.name} of experiment ${experiment.name} cannot be measured: ${sentenceOf(error)}`,
        {
          cause: error,
        },
      );
    }
  }
  return { found, rows, reference: chosen, leftOut };
}

/** Every kernel of an experiment once, in the order of its rows. */
export function kernelsOf({ rows }: ResolvedExperiment): SelectedKernel[] {
  const all = rows.flatMap(({ kernels }) => kernels);
  return all.filter((one, i) => all.findIndex((other) => sameKernel(one, other)) === i);
}

export function sameKernel(x: SelectedKernel, y: SelectedKernel): boolean {
  return x.gemm.id === y.gemm.id && x.kernel.package.name === y.kernel.package.name;
}
