import type { BenchResult, ResultRow } from '../result/schema.js';
import { rowKey } from '../roofline/traffic.js';
import type { ProfileResult, ProfileRow } from './schema.js';

/** A figure as the emulator has it, and as the profiler has it. */
export interface BesideFigure {
  readonly name: string;
  /** `count`: both count the same events; `model`: the emulator modelled a cache. */
  readonly kind: 'count' | 'model';
  /** Null where one of them has none. */
  readonly emulator: number | null;
  readonly profiler: number | null;
}

/** A kernel at a size with every figure that both have. */
export interface BesideRow {
  readonly id: string;
  readonly problem: { readonly m: number; readonly n: number; readonly k: number };
  readonly figures: readonly BesideFigure[];
}

/** Counts that have one name in both, summed over launches. */
const COUNTS = [
  ...['global.load.requests', 'global.load.sectors', 'global.store.requests', 'global.store.sectors'],
  ...['shared.load.requests', 'shared.load.wavefronts', 'shared.load.bankConflicts'],
  ...['shared.store.requests', 'shared.store.wavefronts', 'shared.store.bankConflicts'],
];

/** What the model of the cache calls a figure of the profiler, and what makes a share of its unit. */
const MODELLED = [
  { model: 'l2Model.readSectors', metric: 'l2.readSectors' },
  { model: 'l2Model.dramReadBytes', metric: 'dram.readBytes' },
  { model: 'l2Model.dramWrittenBytes', metric: 'dram.writtenBytes' },
] as const;

function profiled({ launches }: ProfileRow, metric: string): number | null {
  const values = launches.map(({ metrics }) => metrics[metric]);
  return values.every((value) => typeof value === 'number') ? values.reduce((x, y) => x + y, 0) : null;
}

/** The hit rate of several launches is not the sum of theirs: the one that multiplies stands for them. */
function hitRate({ launches }: ProfileRow): number | null {
  const percent = launches.find(({ main }) => main)?.metrics['l2.readHitRate'];
  return typeof percent === 'number' ? percent / 100 : null;
}

function figuresOf(row: ProfileRow, { counters }: ResultRow): BesideFigure[] {
  const value = (name: string) => counters?.values[name] ?? null;
  const ffma =
    counters?.launches.reduce((sum, { instructions }) => sum + (instructions.ffma ?? 0), 0) ?? null;
  const all: BesideFigure[] = [
    {
      name: 'instructions.ffma',
      kind: 'count',
      emulator: ffma,
      profiler: profiled(row, 'instructions.ffma'),
    },
    ...COUNTS.map((name) => ({
      name,
      kind: 'count' as const,
      emulator: value(name),
      profiler: profiled(row, name),
    })),
    ...MODELLED.map(({ model, metric }) => ({
      name: model,
      kind: 'model' as const,
      emulator: value(model),
      profiler: profiled(row, metric),
    })),
    {
      name: 'l2Model.readHitRate',
      kind: 'model',
      emulator: value('l2Model.readHitRate'),
      profiler: hitRate(row),
    },
  ];
  return all.filter(({ emulator, profiler }) => emulator !== null || profiler !== null);
}

/**
 * Sets what ncu counted beside what the emulator counted of the same kernels at the same sizes. Requests, sectors,
 * wavefronts, conflicts and FFMAs are counts of the same events; what a model of the cache gives is marked.
 */
export function besideCounters({ rows }: ProfileResult, counted: BenchResult): BesideRow[] {
  const byKey = new Map(
    counted.rows.filter(({ counters }) => counters !== undefined).map((row) => [rowKey(row), row]),
  );
  return rows.flatMap((row) => {
    const other = byKey.get(rowKey(row));
    if (other === undefined || row.launches.length === 0) return [];
    const { m, n, k } = row.problem;
    return [{ id: row.id, problem: { m, n, k }, figures: figuresOf(row, other) }];
  });
}
