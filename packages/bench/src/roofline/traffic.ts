import type { ProfileResult, ProfileRow } from '../profile/schema.js';
import { shape } from '../render/numbers.js';
import type { BenchResult, ResultRow } from '../result/schema.js';
import type { RooflinePoint } from './schema.js';

/** Bytes between the L2 cache and DRAM of one multiplication. */
export type Traffic = RooflinePoint['dram'];

type Row = Pick<ResultRow, 'id' | 'package' | 'problem'>;

/** A kernel at a size, the same in every kind of file. */
export function rowKey({ id, package: from, problem }: Row): string {
  const { alpha, beta } = problem;
  return `${from.name}/${id}@${shape(problem)}, ${alpha}, ${beta}`;
}

/**
 * C leaves the cache at some time: what a profiler did not see of it was still there when the kernel ended, and is
 * written later.
 */
const atLeastC = (written: number, { problem: { m, n, batch = 1 } }: Row) =>
  Math.max(written, 4 * m * n * batch);

function measuredOf(row: ProfileRow, by: string): Traffic | undefined {
  const sum = (name: string) => {
    const values = row.launches.map(({ metrics }) => metrics[name]);
    return values.every((value) => typeof value === 'number') ? values.reduce((x, y) => x + y, 0) : undefined;
  };
  const [read, written] = [sum('dram.readBytes'), sum('dram.writtenBytes')];
  if (row.launches.length === 0 || read === undefined || written === undefined) return undefined;
  return { readBytes: read, writtenBytes: atLeastC(written, row), source: 'ncu', by };
}

function modelledOf(row: ResultRow, by: string): Traffic | undefined {
  const value = (name: string) => row.counters?.values[`l2Model.${name}`] ?? undefined;
  const [read, written, dirty] = [value('dramReadBytes'), value('dramWrittenBytes'), value('dirtyBytes')];
  if (read === undefined || written === undefined) return undefined;
  return { readBytes: read, writtenBytes: atLeastC(written + (dirty ?? 0), row), source: 'model', by };
}

/** Traffic by kernel and size: as a profiler counted it, else as the emulator's cache modelled it. */
export function trafficOf(
  profiles: readonly ProfileResult[],
  benches: readonly BenchResult[],
): ReadonlyMap<string, Traffic> {
  const found = new Map<string, Traffic>();
  const add = (row: Row, traffic: Traffic | undefined) => {
    if (traffic !== undefined) found.set(rowKey(row), traffic);
  };
  for (const { rows, device } of benches)
    for (const row of rows) add(row, modelledOf(row, `L2 model of the ${device.name}`));
  for (const { rows, profiler } of profiles)
    for (const row of rows) add(row, measuredOf(row, `${profiler.name} ${profiler.version}`));
  return found;
}
