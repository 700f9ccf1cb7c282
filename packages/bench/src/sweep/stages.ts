import { availableParallelism } from 'node:os';
import { UnsupportedError } from '@ffma/core';
import type { Size } from '../bench/sizes.js';
import type { SelectedKernel } from '../discover/select.js';
import { asVariant } from '../inspect/as-variant.js';
import { shape } from '../render/numbers.js';
import { isTiming, type TimingDevice } from '../timing/timing-device.js';
import { type Build, buildsOf, compileStage } from './compile-stage.js';
import { checkSignal, type SweepContext } from './context.js';
import { countStage } from './count-stage.js';
import type { SweepOptions } from './options.js';
import type { SweepPlan } from './plan-sweep.js';
import type { Rung } from './protocol.js';
import type { Candidate } from './prune.js';
import type { SweepLog } from './sweep-log.js';
import { contestAt } from './tournament.js';
import { checkAtSize, verifyStage } from './verify-stage.js';

/** Those that were built and judged right so far, and take the size. */
function eligible(log: SweepLog, candidates: readonly Candidate[], size: Size): Candidate[] {
  return candidates.filter(({ id, gemm }) => {
    if (gemm.refusal(size) !== undefined) return false;
    const compiled = gemm.open === true ? log.compiled(id, size) : log.compiled(id);
    return compiled?.outcome === 'built' && log.checked(id, 'quick')?.status === 'passed';
  });
}

/** What the reference has compiled: it runs as the candidates run. */
function referenceBuilds(reference: SelectedKernel | undefined, sizes: readonly Size[]): Build[] {
  if (reference === undefined || asVariant(reference.gemm) === undefined) return [];
  const { gemm } = reference;
  return buildsOf([{ id: gemm.id, params: {}, gemm }], sizes);
}

async function timeAt(
  context: SweepContext<TimingDevice>,
  plan: SweepPlan,
  size: Size,
  reference: SelectedKernel,
  together: boolean,
): Promise<void> {
  const { device, log } = context;
  const compiledFor = ({ id, gemm }: Pick<Candidate, 'id' | 'gemm'>) =>
    gemm.open === true ? log.compiled(id, size) : log.compiled(id);
  using stream = device.createStream();
  const { gemm } = reference;
  const own = eligible(log, plan.own, size);
  if (own.length === 0 && !together) return;
  const judged = [{ id: gemm.id, gemm }, ...own.filter(({ id }) => id !== gemm.id)];
  await checkAtSize(
    context,
    stream,
    size,
    judged.map((one) => ({ ...one, compiled: compiledFor(one) })),
  );
  const beside = log.checked(gemm.id, 'size', size);
  if (beside?.status !== 'passed') {
    throw new UnsupportedError(
      `The reference ${gemm.id} is not right at ${shape(size)}: ${beside?.failures[0] ?? ''}`,
      {
        remedy: 'Choose another by --reference, and another file.',
      },
    );
  }
  const field = own.filter(({ id }) => log.checked(id, 'size', size)?.status === 'passed');
  await contestAt(context, { size, reference, stream, field, all: plan.pruned.candidates, together });
}

/** How much there is to do, for a progress line; rungs are counted as if nobody dropped out. */
function piecesOf(
  { log, protocol }: SweepContext,
  builds: readonly Build[],
  plan: SweepPlan,
  sizes: readonly Size[],
  by: string,
): number {
  const uncompiled = builds.filter(({ candidate, size }) => log.compiled(candidate.id, size) === undefined);
  const unchecked = plan.own.filter(({ id }) => log.checked(id, 'quick') === undefined);
  const before = uncompiled.length + unchecked.length;
  if (by === 'nothing') return before;
  if (by !== 'ratio') return before + plan.own.length * sizes.length;
  const heats = (rung: Rung) => (rung.rung === 'final' ? 1 : Math.ceil(rung.entrants / protocol.heat));
  return plan.sizes.reduce(
    (sum, { rungs, takes }) => sum + takes + rungs.reduce((all, one) => all + one.rounds * heats(one), 0),
    before,
  );
}

export interface StageOptions extends Pick<SweepOptions, 'jobs' | 'compiler' | 'shard'> {
  readonly plan: SweepPlan;
  readonly sizes: readonly Size[];
  /** Undefined on a device that has no clock. */
  readonly reference: SelectedKernel | undefined;
  /** `ratio`, a counter, or `nothing`. */
  readonly by: string;
}

/** Compiles, verifies, and times or counts what the log does not have yet. @throws Interrupted */
export async function runStages(
  context: SweepContext,
  { plan, sizes, reference, by, jobs = availableParallelism(), compiler, shard }: StageOptions,
): Promise<void> {
  const { device, log, signal } = context;
  const builds = [...referenceBuilds(reference, sizes), ...buildsOf(plan.own, sizes)];
  context.work.expect(piecesOf(context, builds, plan, sizes, by));
  context.work.begin(`compile, ${jobs} at a time`);
  await compileStage(device, builds, log, {
    jobs,
    compile: compiler?.compile,
    signal,
    onBuild: ({ candidate }) => {
      context.work.end();
      context.work.begin(`${candidate.id}: compiled`);
    },
  });
  checkSignal(context);
  const built = plan.own.filter(({ id }) =>
    log.records.some((r) => r.type === 'compiled' && r.id === id && r.outcome === 'built'),
  );
  await verifyStage(context, built, 'quick');
  for (const size of sizes) {
    if (isTiming(device)) {
      await timeAt(
        context as SweepContext<TimingDevice>,
        plan,
        size,
        reference as SelectedKernel,
        shard === undefined,
      );
    } else if (by !== 'nothing') {
      await countStage(context, size, eligible(log, plan.own, size));
    }
  }
}
