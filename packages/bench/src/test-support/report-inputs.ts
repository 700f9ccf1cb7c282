import type { ComparisonResult } from '../compare/schema.js';
import type { ProfileResult } from '../profile/schema.js';
import type { ReportInput } from '../report/inputs.js';
import type { BenchResult, ResultRow } from '../result/schema.js';
import type { RooflineResult } from '../roofline/schema.js';
import type { SweepResult } from '../sweep/schema.js';
import { chartedExperiment, everyChart } from './charted-experiment.js';
import { timedBench } from './timed-bench.js';

/** What made a result, for one of another kind. */
const madeBy = ({ createdAt, tool, host, device }: BenchResult) => ({ createdAt, tool, host, device });

/** A profile of the rows of a benchmark: each waits mostly for what `worst` says. */
export function profileOf(
  result: BenchResult,
  rows: readonly ResultRow[] = result.rows,
  worst: (id: string) => string = () => 'wait',
): ProfileResult {
  return {
    schemaVersion: 1,
    kind: 'profile',
    ...madeBy(result),
    profiler: { name: 'Nsight Compute', version: '2025.3.0' },
    protocol: { name: 'one-launch', version: 1, cache: 'cold', clocks: 'unchanged', warmUpLaunches: 2 },
    durations: 'profiled',
    metrics: [
      { name: 'warps.active', title: 'active', unit: 'warps', meaning: 'Warps that a scheduler holds.' },
    ],
    rows: rows.map(({ id, kernel, package: owner, problem }, i) => ({
      id,
      kernel,
      package: owner,
      problem,
      status: 'profiled',
      launches: [
        {
          kernel: id,
          main: true,
          metrics: {
            'warps.active': 1 + i,
            'issue.active': 50 + i,
            'stall.cyclesPerIssue': 2,
            'dram.readBytes': 1000 * (i + 1),
          },
          missing: {},
          stalls: [
            { reason: worst(id), perIssue: 0.5 },
            { reason: 'math_pipe_throttle', perIssue: 0.25 },
          ],
          opcodes: {
            level: 'executed',
            counts: { FFMA: 1000, LDS: 100 + i, MOV: 20 },
            total: 1120 + i,
            ffmaShare: 0.9,
            overheadPerFfma: 0.12,
          },
        },
      ],
    })),
    notes: [],
  };
}

export function rooflineOf(result: BenchResult): RooflineResult {
  const spread = { medianUs: 10, minUs: 9, maxUs: 11 };
  return {
    schemaVersion: 1,
    kind: 'roofline',
    ...madeBy(result),
    protocol: { name: 'alternating-rounds', version: 2, parameters: { rounds: 5 } },
    compute: [{ name: 'ffma', title: 'FFMA from registers', tflops: 60, flops: 1e9, ...spread }],
    memory: [{ name: 'copy', title: 'copy', gbps: 3000, bytes: 1e9, ...spread }],
    ridge: 20,
    points: result.rows.slice(0, 2).map(({ id, kernel, package: owner, problem, role }, i) => ({
      id,
      kernel,
      package: owner,
      problem,
      ...(role === undefined ? {} : { role }),
      medianUs: 50,
      tflops: 30 + i,
      dram: { readBytes: 4096, writtenBytes: 1024, source: i === 0 ? 'ncu' : 'model', by: 'ncu 2025.3' },
      intensity: 100 + i,
      roofTflops: 60,
      ofRoof: 0.5,
      bound: 'compute',
    })),
    notes: [],
  };
}

export function comparisonOf({ createdAt, tool, rows }: BenchResult): ComparisonResult {
  return {
    schemaVersion: 1,
    kind: 'comparison',
    createdAt,
    tool,
    rule: { threshold: 0.03, confidence: 0.95, by: 'auto' },
    pairs: [],
    rows: rows.map(({ id, kernel, package: owner, problem }, i) => ({
      pair: 0,
      id,
      kernel,
      package: owner.name,
      problem,
      settings: {},
      verdict: i === 0 ? 'slower' : 'same',
      change: i === 0 ? 0.1 : 0.001,
      interval: i === 0 ? { low: 0.08, high: 0.12 } : { low: -0.01, high: 0.01 },
      base: { version: '1.0.0', perRound: [1] },
      new: { version: '1.0.0', perRound: [1] },
    })),
    onlyInBase: [],
    onlyInNew: [],
    notes: [],
    failures: ['One row is slower by more than 3 %.'],
  } as ComparisonResult;
}

/** A sweep of three candidates at a size, of which the second was not timed to the end. */
export function sweepOf(result: BenchResult, rankedBy = 'ratio'): SweepResult {
  const { createdAt, tool, host, device, protocol } = result;
  const ratio = (median: number) => ({ median, min: median, max: median, wins: 2 });
  return {
    schemaVersion: 1,
    kind: 'sweep',
    createdAt,
    tool,
    host,
    device,
    identity: {
      kernel: 'k07',
      package: { name: '@x/ladder', version: '1.0.0' },
      source: 'a'.repeat(64),
      space: { BM: [64, 128] },
      params: { BM: 64 },
      device: { kind: device.kind, name: device.name, arch: device.arch },
      compiler: 'nvcc 13.0.88',
      rankedBy,
      protocol: { name: protocol.name, version: protocol.version, parameters: {} },
      tool,
    },
    space: { points: 4, refused: 1, reasons: [{ reason: 'A tile fits', count: 1 }], candidates: 3 },
    variants: ['a', 'b', 'c'].map((id) => ({ id, params: { BM: 64 }, outcome: 'built' as const })),
    sizes: [
      {
        size: { m: 8, n: 8, k: 8 },
        refused: [],
        ranking: [
          { id: 'a', rung: 'final', rounds: 3, medianUs: 50, tflops: 1, ratio: ratio(1.1), counter: 0.1 },
          { id: 'b', rung: 0, rounds: 1, medianUs: 60, tflops: 1, ratio: ratio(0.9), counter: 0.2 },
          { id: 'c' },
        ],
        winner: 'a',
        together: true,
      },
    ],
    notes: [],
    records: [],
  };
}

/** A result of each kind that has charts, and an experiment that asks for all of its own. */
export async function inputsOfEveryKind(): Promise<ReportInput[]> {
  const { result } = await timedBench({ options: { sizes: [8, 16].map((n) => ({ m: n, n, k: n })) } });
  const experiment = await chartedExperiment(...everyChart);
  return [
    { file: 'bench.json', result },
    { file: 'profile.json', result: profileOf(result) },
    { file: 'roofline.json', result: rooflineOf(result) },
    { file: 'comparison.json', result: comparisonOf(result) },
    { file: 'sweep.json', result: sweepOf(result) },
    { file: 'made-up.json', result: experiment },
    { file: 'profile-of-made-up.json', result: profileOf(experiment) },
  ];
}
