import { type Device, gemmProblem } from '@ffma/core';
import type { SelectedKernel } from '../discover/select.js';
import { usableOn } from '../discover/usable.js';
import { shape } from '../render/numbers.js';
import { flushFor, planTimes, protocolParameters } from '../timing/plan-times.js';
import { protocolOf } from '../timing/protocol.js';
import { earlierSizes, keptPart } from '../timing/resume.js';
import { isTiming, type TimingDevice } from '../timing/timing-device.js';
import { totalMs } from '../timing/work.js';
import { checkOperandMemory, operandBytes } from './operand-memory.js';
import type { RunBenchOptions } from './options.js';
import { checkCountable, withBases } from './run-counts.js';
import { type Scalars, scalarsOf } from './scalars.js';
import { type Size, sizeFrom } from './sizes.js';

/** A kernel that would be measured at a size. */
export interface PlannedKernel {
  readonly id: string;
  readonly package: string;
  readonly role?: 'reference';
  /** Why it would not be measured there. */
  readonly refusal?: string;
}

/** What would be done at a size. */
export interface PlannedSize {
  readonly size: Size;
  readonly kernels: readonly PlannedKernel[];
  /** Launches that are timed, of all kernels in all rounds; at most, where a rule may end them. 0 where nothing is timed. */
  readonly launches: number;
  /** On the device: operands, and the buffer that flushes the cache. */
  readonly deviceBytes: number;
  readonly estimatedMs: number;
  /** True where an earlier result has it already, so that nothing of it is run. */
  readonly kept?: true;
}

/** What `ffma bench` would do, and roughly how long it would take; nothing of it was run. */
export interface BenchPlan {
  readonly kind: 'bench-plan';
  readonly schemaVersion: 1;
  /** Absent where the device cannot be opened here. */
  readonly device?: { readonly kind: string; readonly name: string; readonly arch: string };
  readonly measures: 'times' | 'counters';
  /** How times are taken, as the result would say it. */
  readonly parameters?: Readonly<Record<string, number | string>>;
  readonly sizes: readonly PlannedSize[];
  readonly estimatedMs: number;
}

/** Multiply-adds that the emulator does in a ms, with its counters, on all the workers of a small machine. */
const EMULATED = 3e5;
/** What it takes to translate a kernel, and to check it on two data sets. */
const TRANSLATED_MS = 600;

type PlanOptions = Pick<
  RunBenchOptions,
  'sizes' | 'discovery' | 'only' | 'reference' | 'protocol' | 'alpha' | 'beta' | 'earlier'
>;

function planned(
  { gemm, kernel }: SelectedKernel,
  size: Size,
  scalars: Scalars,
  device: Device | undefined,
  role?: 'reference',
): PlannedKernel {
  const { m, n, k } = size;
  const refusal = gemm.refusal(gemmProblem({ m, n, k, ...scalars }), device);
  return {
    id: gemm.id,
    package: kernel.package.name,
    ...(role === undefined ? {} : { role }),
    ...(refusal === undefined ? {} : { refusal }),
  };
}

function planOfTimes(
  device: TimingDevice | undefined,
  selected: readonly SelectedKernel[],
  options: PlanOptions,
): Pick<BenchPlan, 'parameters' | 'sizes'> {
  const protocol = protocolOf(options.protocol);
  const scalars = scalarsOf(options);
  const { sizes, reference } = planTimes(selected, options, protocol, device);
  const earlier = new Map(earlierSizes(options.earlier).map((part) => [shape(part.size), part]));
  const operands = (size: Size) =>
    operandBytes(size) + (scalars.beta === 0 ? 0 : 4 * size.m * size.n * (size.batch ?? 1));
  return {
    parameters: protocolParameters(protocol, scalars, device),
    sizes: sizes.map(({ size, entries, work }) => {
      const kernels = entries.map((entry) =>
        planned(entry.kernel, size, scalars, device, entry === reference ? 'reference' : undefined),
      );
      const kept = keptPart(earlier.get(shape(size)), entries, reference) !== undefined;
      const taking = kernels.filter(({ refusal }) => refusal === undefined).length;
      return {
        size,
        kernels,
        launches: kept ? 0 : protocol.rounds * protocol.launches * taking,
        deviceBytes: operands(size) + flushFor(protocol, device),
        estimatedMs: kept ? 0 : totalMs(work),
        ...(kept ? { kept } : {}),
      };
    }),
  };
}

async function planOfCounts(
  device: Device,
  selected: readonly SelectedKernel[],
  options: PlanOptions,
): Promise<PlannedSize[]> {
  const { discovery, only = () => true } = options;
  const scalars = scalarsOf(options);
  checkCountable(options.sizes);
  const { usable } = await usableOn(device, selected);
  const rows = withBases(usable, discovery);
  return options.sizes.map((size) => {
    const own = rows.filter(({ one, asked }) => !asked || only(one, size));
    const { m, n, k } = size;
    return {
      size: sizeFrom(size),
      kernels: own.map(({ one }) => planned(one, size, scalars, device)),
      launches: 0,
      deviceBytes: operandBytes(size),
      estimatedMs: own.length * (TRANSLATED_MS + (2 * m * n * k) / EMULATED),
    };
  });
}

/**
 * What {@link runBench} would do with these options. Nothing is run, compiled or allocated.
 * @param device undefined where there is no GPU here: then a plan of times, for what is usual
 * @returns rejects with UsageError, ArgumentError as runBench does for options that it refuses
 */
export async function planBench(
  device: Device | undefined,
  selected: readonly SelectedKernel[],
  options: PlanOptions,
): Promise<BenchPlan> {
  checkOperandMemory(options.sizes, device);
  const times = device === undefined || isTiming(device);
  const made = times
    ? planOfTimes(device, selected, options)
    : { sizes: await planOfCounts(device, selected, options) };
  const { kind, name, arch } = device ?? {};
  return {
    kind: 'bench-plan',
    schemaVersion: 1,
    ...(kind === undefined || name === undefined || arch === undefined
      ? {}
      : { device: { kind, name, arch } }),
    measures: times ? 'times' : 'counters',
    ...made,
    estimatedMs: made.sizes.reduce((sum, { estimatedMs }) => sum + estimatedMs, 0),
  };
}
