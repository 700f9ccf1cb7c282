import { gemmFlops } from '@ffma/core';
import type { ProfileResult } from '../profile/schema.js';
import { shape } from '../render/numbers.js';
import { nameOf } from '../render/rows.js';
import type { BenchResult, ResultRow } from '../result/schema.js';
import type { RooflinePoint, RooflineResult } from './schema.js';
import { rowKey, type Traffic, trafficOf } from './traffic.js';

type Roof = Pick<RooflineResult, 'compute' | 'memory'>;

/** FLOP per byte at which the roofs meet. */
export function ridgeOf({ compute, memory }: Roof): number {
  return ((compute[0]?.tflops ?? Number.NaN) * 1e3) / (memory[0]?.gbps ?? Number.NaN);
}

function pointOf(row: ResultRow, dram: Traffic, roof: Roof): RooflinePoint | undefined {
  if (row.times === undefined) return undefined;
  const { medianUs, tflops } = row.times;
  const flops = gemmFlops(row.problem) * (row.problem.batch ?? 1);
  const intensity = flops / (dram.readBytes + dram.writtenBytes);
  const [compute, memory] = [
    roof.compute[0]?.tflops ?? Number.NaN,
    ((roof.memory[0]?.gbps ?? Number.NaN) * intensity) / 1e3,
  ];
  const roofTflops = Math.min(compute, memory);
  return {
    id: row.id,
    kernel: row.kernel,
    package: row.package,
    ...(row.role === undefined ? {} : { role: row.role }),
    problem: row.problem,
    medianUs,
    tflops,
    dram,
    intensity,
    roofTflops,
    ofRoof: tflops / roofTflops,
    bound: compute <= memory ? 'compute' : 'memory',
  };
}

/** As many rows are named; of a ladder there are dozens. */
const MOST_NAMED = 4;

/** Says which rows were timed and whose bytes nobody knows. */
function unknownNote(rows: readonly ResultRow[], traffic: ReadonlyMap<string, Traffic>): string[] {
  const unknown = rows.filter((row) => !traffic.has(rowKey(row)));
  if (unknown.length === 0) return [];
  const named = unknown.slice(0, MOST_NAMED).map((row) => `${nameOf(row, rows)} at ${shape(row.problem)}`);
  const which =
    unknown.length <= MOST_NAMED
      ? named.join(', ')
      : `${unknown.length} of the ${rows.length} rows that were timed, such as ${named[0]}`;
  return [
    `Bytes from DRAM are not known of ${which}: ffma profile counts them, ffma bench --l2 models them.`,
  ];
}

/**
 * Points of a roofline: every row that was timed and whose bytes are known. Times are those of benchmarks alone; a
 * profiler gives only bytes.
 * @returns and, as a sentence, the rows that were timed and whose bytes nobody knows
 */
export function pointsOf(
  roof: Roof,
  benches: readonly BenchResult[],
  profiles: readonly ProfileResult[],
): { readonly points: RooflinePoint[]; readonly notes: string[] } {
  const traffic = trafficOf(profiles, benches);
  // Of a row that was measured twice, the later file counts.
  const timed = new Map(
    benches
      .flatMap(({ rows }) => rows.filter(({ times }) => times !== undefined))
      .map((row) => [rowKey(row), row]),
  );
  const points = [...timed].flatMap(([key, row]) => {
    const dram = traffic.get(key);
    const point = dram && pointOf(row, dram, roof);
    return point === undefined ? [] : [point];
  });
  return { points, notes: unknownNote([...timed.values()], traffic) };
}
