import type { Device } from '@ffma/core';
import { compilesHere } from '../device/compile-here.js';
import type { Discovery } from '../discover/kernel-package.js';
import { baseOf, type SelectedKernel } from '../discover/select.js';
import { usableOn } from '../discover/usable.js';
import { shape } from '../render/numbers.js';
import { gitFacts } from '../result/git.js';
import type { BenchResult, ResultRow } from '../result/schema.js';
import { UsageError } from '../usage-error.js';
import { isCounting } from './counters.js';
import { benchResult } from './envelope.js';
import { measureRow } from './measure-row.js';
import type { RunBenchOptions } from './options.js';
import { scalarsOf } from './scalars.js';
import type { Size } from './sizes.js';

export interface PlannedCount {
  readonly one: SelectedKernel;
  readonly asked: boolean;
  readonly base: SelectedKernel | undefined;
}

const same = (x: SelectedKernel, y: SelectedKernel) => x.gemm.id === y.gemm.id && x.kernel === y.kernel;

/** The kernels asked for, in order; a base that nobody asked for comes before the first that needs it. */
export function withBases(selected: readonly SelectedKernel[], discovery: Discovery): PlannedCount[] {
  const planned: PlannedCount[] = [];
  for (const one of selected) {
    const found = baseOf(discovery, one.kernel);
    const base = found === undefined ? undefined : { gemm: found.gemm, kernel: found };
    const listed = [...selected, ...planned.map((other) => other.one)];
    if (base !== undefined && !listed.some((other) => same(other, base))) {
      planned.push({ one: base, asked: false, base: undefined });
    }
    planned.push({ one, asked: true, base });
  }
  return planned;
}

/** @throws UsageError for a batch, whose counters would be those of one of its products so many times */
export function checkCountable(sizes: readonly Size[]): void {
  const batched = sizes.find(({ batch }) => batch !== undefined);
  if (batched === undefined) return;
  throw new UsageError(`${shape(batched)} is a batch, which is timed on a GPU and not counted.`, {
    remedy: 'Count one of its products, or use --device cuda.',
  });
}

/** Checks kernels at sizes and, where the device counts, counts what each does beside the kernel it is based on. */
export async function runCounts(
  device: Device,
  selected: readonly SelectedKernel[],
  options: RunBenchOptions,
): Promise<BenchResult> {
  const { sizes, discovery, only = () => true, signal, onStep, onRow, onSize, onLeftOut } = options;
  checkCountable(sizes);
  const compile = await compilesHere(device, options.compile);
  const { usable, leftOut } = await usableOn(device, selected);
  if (leftOut.length > 0) onLeftOut?.(leftOut);
  const planned = withBases(usable, discovery);
  const work = sizes.map((size) => ({
    size,
    planned: planned.filter(({ one, asked }) => !asked || only(one, size)),
  }));
  const total = work.reduce((sum, { planned: own }) => sum + own.length, 0);
  const rows: ResultRow[] = [];
  const protocol = { name: isCounting(device) ? 'counters' : 'correctness', version: 1 };
  const scalars = scalarsOf(options);
  const git = discovery.root === undefined ? undefined : await gitFacts(discovery.root);
  const soFar = () =>
    benchResult(device, {
      protocol,
      git,
      rows,
      ...(rows.length < total ? { interrupted: true as const } : {}),
    });
  for (const { size, planned: own } of work) {
    for (const { one, asked, base } of own) {
      if (signal?.aborted === true) return soFar();
      onStep?.({ done: rows.length, total, label: `${one.gemm.id} at ${size.m}×${size.n}×${size.k}` });
      const row = await measureRow(device, one, { ...size, ...scalars }, { asked, base, compile });
      rows.push(row);
      onRow?.(row);
    }
    await onSize?.(soFar());
  }
  return soFar();
}
