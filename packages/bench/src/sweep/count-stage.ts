import { measureRow } from '../bench/measure-row.js';
import type { Size } from '../bench/sizes.js';
import { shape } from '../render/numbers.js';
import { checkSignal, type SweepContext } from './context.js';
import { higherIsBetter } from './figures.js';
import type { Candidate } from './prune.js';
import type { SweepLog } from './sweep-log.js';

/** Checks candidates at a size and counts what each does. @throws Interrupted */
export async function countStage(
  context: SweepContext,
  size: Size,
  candidates: readonly Candidate[],
): Promise<void> {
  const { device, kernel, log, work } = context;
  for (const { id, gemm } of candidates) {
    if (log.checked(id, 'size', size) !== undefined) continue;
    checkSignal(context);
    work.begin(`${shape(size)} ${id}: count`);
    const parts = { asked: true, base: undefined, compile: true };
    const { correctness, counters } = await measureRow(device, { gemm, kernel }, size, parts);
    const { status, gates, failures } = correctness;
    // The verdict comes last: a count without one is counted again, a verdict without a count is not.
    if (counters !== undefined) log.add({ type: 'counted', id, size, values: counters.values });
    log.add({ type: 'checked', id, level: 'size', size, status, gates, failures });
    work.end();
    if (device.lost !== undefined) throw device.lost;
  }
}

export interface CountedStanding {
  readonly id: string;
  readonly value: number;
}

/** Candidates of a size by a counter, best first, then by id. Those that are wrong or did not count it are left out. */
export function countedStandings(log: SweepLog, size: Size, by: string): CountedStanding[] {
  const sign = higherIsBetter(by) ? -1 : 1;
  const ids = new Set(log.records.flatMap((record) => (record.type === 'counted' ? [record.id] : [])));
  return [...ids]
    .filter((id) => log.fault(id, size) === undefined)
    .flatMap((id) => {
      const value = log.counted(id, size)?.values[by];
      return typeof value === 'number' ? [{ id, value }] : [];
    })
    .sort((x, y) => sign * (x.value - y.value) || (x.id < y.id ? -1 : 1));
}
