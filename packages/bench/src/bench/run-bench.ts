import type { Device } from '@ffma/core';
import type { Discovery } from '../discover/kernel-package.js';
import { baseOf, type SelectedKernel } from '../discover/select.js';
import { deviceFacts, hostFacts, toolVersions } from '../result/provenance.js';
import type { BenchResult, ResultRow } from '../result/schema.js';
import type { OnStep } from '../step.js';
import { isCounting } from './counters.js';
import { measureRow } from './measure-row.js';
import type { Size } from './sizes.js';

export interface RunBenchOptions {
  readonly sizes: readonly Size[];
  /** Where bases are looked for. */
  readonly discovery: Discovery;
  /** Compile variants that were not built. Default false. */
  readonly compile?: boolean;
  readonly onStep?: OnStep;
  readonly onRow?: (row: ResultRow) => void;
}

interface Planned {
  readonly one: SelectedKernel;
  readonly asked: boolean;
  readonly base: SelectedKernel | undefined;
}

const same = (x: SelectedKernel, y: SelectedKernel) => x.gemm.id === y.gemm.id && x.kernel === y.kernel;

/** The kernels asked for, in order; a base that nobody asked for comes before the first that needs it. */
function withBases(selected: readonly SelectedKernel[], discovery: Discovery): Planned[] {
  const planned: Planned[] = [];
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

/**
 * Measures kernels at sizes, each beside the kernel it is based on. The result is complete and fits its schema; rows
 * that are wrong are in it without measurements.
 */
export async function runBench(
  device: Device,
  selected: readonly SelectedKernel[],
  { sizes, discovery, compile = false, onStep, onRow }: RunBenchOptions,
): Promise<BenchResult> {
  const planned = withBases(selected, discovery);
  const total = planned.length * sizes.length;
  const rows: ResultRow[] = [];
  for (const size of sizes) {
    for (const { one, asked, base } of planned) {
      onStep?.({ done: rows.length, total, label: `${one.gemm.id} at ${size.m}×${size.n}×${size.k}` });
      const row = await measureRow(device, one, size, { asked, base, compile });
      rows.push(row);
      onRow?.(row);
    }
  }
  return {
    schemaVersion: 1,
    kind: 'bench',
    createdAt: new Date().toISOString(),
    tool: toolVersions(),
    protocol: { name: isCounting(device) ? 'counters' : 'correctness', version: 1 },
    mathMode: 'fp32',
    host: hostFacts(),
    device: deviceFacts(device),
    rows,
  };
}
