import { fakeMeasuredSize, gemmProblem, rowsAt, sizeLabel } from '@ffma/core';
import type { Size } from '../bench/sizes.js';
import type { DiscoveredExperiment, Discovery } from '../discover/kernel-package.js';
import type { SelectedKernel } from '../discover/select.js';
import { sentenceOf } from '../error-sentence.js';
import { type ResolvedRow, resolveExperiment } from './resolve.js';
import { sizesFor } from './run-experiment.js';

/** What would be measured of a row at a size, and what is wrong with it. */
export interface CheckedRow {
  readonly row: string;
  readonly size: Size;
  /** Ids, with sizes filled in where they are compiled in. */
  readonly ids: readonly string[];
  /** Sentences; none where the row can be measured. */
  readonly problems: readonly string[];
}

export interface CheckedExperiment {
  readonly rows: readonly CheckedRow[];
  /** Rows that were left out, and what is wrong with the experiment as a whole. */
  readonly notes: readonly string[];
  /** Nothing is wrong. */
  readonly passed: boolean;
}

/** What a kernel is at a size, or why it does not take it. */
function checkKernel({ gemm }: SelectedKernel, size: Size): { id: string; problem?: string } {
  const refusal = gemm.refusal(gemmProblem(size));
  if (refusal !== undefined) return { id: gemm.id, problem: `${gemm.id}: ${refusal}` };
  try {
    return { id: gemm.open === true ? (gemm.forShape?.(size) ?? gemm).id : gemm.id };
  } catch (error) {
    return { id: gemm.id, problem: `${gemm.id}: ${sentenceOf(error)}` };
  }
}

function checkRow({ row, reference, kernels }: ResolvedRow, size: Size): CheckedRow {
  const checked = kernels.map((one) => checkKernel(one, size));
  const none = kernels.length === 0 && !reference ? ['It names no kernel.'] : [];
  return {
    row: row.name,
    size,
    ids: checked.map(({ id }) => id),
    problems: [...none, ...checked.flatMap(({ problem }) => problem ?? [])],
  };
}

/** Asks for conclusions from figures that are made up, in two orders: they must be sentences. */
function checkConclusions(
  { experiment }: DiscoveredExperiment,
  sizes: readonly Size[],
  known: readonly string[],
): string[] {
  const complaints: string[] = [];
  for (const sign of [1, -1]) {
    const measured = sizes.map((size) => {
      const rows = rowsAt(experiment, size).filter(({ name }) => known.includes(name));
      const us = rows.map(({ name }, i): [string, number] => [name, 100 + sign * (i + 1)]);
      return fakeMeasuredSize(size, Object.fromEntries(us), 100);
    });
    for (const some of [[], measured]) {
      try {
        const said = experiment.conclude(some);
        const odd = said.find(
          (sentence) => typeof sentence !== 'string' || /\bNaN\b|undefined/.test(sentence),
        );
        if (odd !== undefined) complaints.push(`Its conclude() says '${odd}'.`);
      } catch (error) {
        complaints.push(`Its conclude() throws: ${sentenceOf(error)}`);
      }
    }
  }
  return [...new Set(complaints)];
}

/**
 * Checks without a GPU that an experiment can be run: that every row's kernels exist and take its sizes, and that its
 * conclusions can be told. Nothing is loaded or compiled.
 * @throws UsageError where a row names a kernel that does not exist
 */
export function checkExperimentRows(
  discovery: Discovery,
  found: DiscoveredExperiment,
  options: { readonly sizes?: readonly Size[] | undefined; readonly reference?: string | undefined } = {},
): CheckedExperiment {
  const { experiment } = found;
  const resolved = resolveExperiment(discovery, found, options.reference);
  const sizes = sizesFor(experiment, options.sizes);
  const rows = sizes.flatMap((size) => {
    const here = rowsAt(experiment, size);
    return resolved.rows.filter(({ row }) => here.includes(row)).map((row) => checkRow(row, size));
  });
  const known = resolved.rows.map(({ row }) => row.name);
  const complaints = checkConclusions(found, sizes, known);
  const leftOut = resolved.leftOut.map(({ row, reason }) => `The row ${row.name} is left out: ${reason}`);
  const missing =
    resolved.reference === undefined
      ? ['There is no reference here, so nothing will be set beside one.']
      : [];
  const refused = rows.filter(({ problems }) => problems.length > 0);
  return {
    rows,
    notes: [...leftOut, ...missing, ...complaints],
    passed: refused.length === 0 && complaints.length === 0,
  };
}

const found = ({ ids, problems }: CheckedRow) => problems.join(' ') || ids.join(', ') || 'the reference';

/** Checked rows as lines, sizes at which the same is found in one: `both at 1024³, 2048³: k09_…`. */
export function checkedLines(
  rows: readonly CheckedRow[],
): { readonly text: string; readonly bad: boolean }[] {
  const alike = new Map<string, CheckedRow[]>();
  for (const one of rows) {
    const key = JSON.stringify([one.row, found(one)]);
    alike.set(key, [...(alike.get(key) ?? []), one]);
  }
  return [...alike.values()].map((same) => {
    const [first] = same as [CheckedRow];
    const sizes = same.map(({ size }) => sizeLabel(size)).join(', ');
    return { text: `${first.row} at ${sizes}: ${found(first)}`, bad: first.problems.length > 0 };
  });
}
