import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { type Device, UnsupportedError } from '@ffma/core';
import { conformanceCases } from '@ffma/verify';
import { checkOperandMemory } from '../bench/operand-memory.js';
import type { Size } from '../bench/sizes.js';
import type { Discovery } from '../discover/kernel-package.js';
import type { SelectedKernel } from '../discover/select.js';
import { asVariant } from '../inspect/as-variant.js';
import { shape } from '../render/numbers.js';
import { deviceFacts, hostFacts } from '../result/provenance.js';
import type { OnStep } from '../step.js';
import { peakOf } from '../timing/peak.js';
import { isTiming, type TimingDevice } from '../timing/timing-device.js';
import { UsageError } from '../usage-error.js';
import { type Build, buildsOf, compileStage, type SweepCompiler } from './compile-stage.js';
import { type CasesOf, checkSignal, Interrupted, type SweepContext, Work } from './context.js';
import { countStage } from './count-stage.js';
import { type Declared, deriveResult, sortedRefusals } from './derive-result.js';
import { counterNamed } from './figures.js';
import { compilerInUse, identityOf } from './identity.js';
import { planSweep, type SweepPlan } from './plan-sweep.js';
import { type SweepProtocol, sweepProtocol } from './protocol.js';
import type { Candidate } from './prune.js';
import type { SessionRecord } from './records.js';
import { referenceFor } from './reference.js';
import type { SweepResult } from './schema.js';
import type { Shard } from './shard.js';
import type { SearchSpace } from './space.js';
import { SweepStore } from './store.js';
import { SweepLog } from './sweep-log.js';
import { contestAt } from './tournament.js';
import { checkAtSize, verifyStage } from './verify-stage.js';

export interface SweepOptions {
  readonly sizes: readonly Size[];
  /** Where the reference is looked for. */
  readonly discovery: Discovery;
  /** Replaces or adds values of parameters to those that the kernel declares; later ones win. */
  readonly space?: readonly SearchSpace[] | undefined;
  /** A part of the space. Default: all of it. */
  readonly shard?: Shard | undefined;
  /** How candidates are timed. */
  readonly protocol?: Partial<SweepProtocol> | undefined;
  /** A selector of the kernel that runs in every round. Default: the first that says it is a reference, else the swept kernel's own default variant, as with `none`. */
  readonly reference?: string | undefined;
  /** On a device that counts: the counter to rank by, as `overheadPerFfma`. Default: nothing is ranked there. */
  readonly by?: string | undefined;
  /** Compilations at a time. Default: one a core. */
  readonly jobs?: number | undefined;
  /** Default: the compile service. */
  readonly compiler?: SweepCompiler | undefined;
  /** What candidates, and finalists, have to pass. Default: the conformance cases of the level. */
  readonly cases?: CasesOf | undefined;
  /** That each of those cases may take, in ms; then the candidate is wrong and the sweep ends. Default 120 000. */
  readonly caseTimeoutMs?: number | undefined;
  /** Where the result goes, with a journal beside it while the sweep runs. Default: nothing is kept. */
  readonly file?: string | undefined;
  /** Goes on from what the file or its journal has. */
  readonly resume?: boolean | undefined;
  /** Ends the work after what is being measured; the result says that it is not whole. */
  readonly signal?: AbortSignal | undefined;
  readonly onStep?: OnStep | undefined;
  /** Told what a person should know while it runs. */
  readonly onNote?: ((sentence: string) => void) | undefined;
}

function rankedBy(device: Device, by: string | undefined): string {
  if (isTiming(device)) {
    if (by === undefined) return 'ratio';
    throw new UsageError(`--by names a counter, and ${device.name} counts nothing: there, times decide.`, {
      remedy: 'Leave it out, or use --device emulator.',
    });
  }
  return by === undefined ? 'nothing' : counterNamed(by);
}

function refusalsAt(candidates: readonly Candidate[], size: Size): { reason: string; ids: string[] }[] {
  const refusals = new Map<string, string[]>();
  for (const { id, gemm } of candidates) {
    const reason = gemm.refusal(size);
    if (reason !== undefined) refusals.set(reason, [...(refusals.get(reason) ?? []), id]);
  }
  return sortedRefusals(refusals);
}

/** @param sizes those of this run and of the ones before */
function declaredOf(
  { pruned, own, space }: SweepPlan,
  sizes: readonly Size[],
  seen: ReadonlySet<string>,
): Declared {
  const { points, refused, reasons, candidates } = pruned;
  const listed = candidates.filter((candidate) => own.includes(candidate) || seen.has(candidate.id));
  const searched = Object.keys(space);
  return {
    space: { points, refused, reasons: [...reasons], candidates: candidates.length },
    variants: listed.map(({ id, params }) => ({
      id,
      params: Object.fromEntries(searched.map((name) => [name, params[name] as number | boolean])),
    })),
    refused: sizes.map((size) => ({ size: { ...size }, refused: refusalsAt(listed, size) })),
  };
}

function sessionRecord(
  device: Device,
  session: string,
  sizes: readonly Size[],
  shard: Shard | undefined,
): SessionRecord {
  const peak = isTiming(device) ? peakOf(device) : 'No clock.';
  return {
    type: 'session',
    session,
    at: new Date().toISOString(),
    sizes: sizes.map((size) => ({ ...size })),
    ...(shard === undefined ? {} : { shard: { ...shard } }),
    host: hostFacts(),
    device: deviceFacts(device),
    ...(typeof peak === 'string' ? {} : { peakTflops: peak.tflops }),
  };
}

/** Each once, as records keep them. @throws UsageError for a batch */
function uniqueSizes(sizes: readonly Size[]): Size[] {
  const batch = sizes.find(({ batch: products = 1 }) => products > 1);
  if (batch !== undefined)
    throw new UsageError(`A sweep times one product at a time, but ${shape(batch)} is a batch of them.`);
  return [...new Map(sizes.map(({ m, n, k }) => [shape({ m, n, k }), { m, n, k }])).values()];
}

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

async function work(
  context: SweepContext,
  plan: SweepPlan,
  sizes: readonly Size[],
  reference: SelectedKernel | undefined,
  by: string,
  options: SweepOptions,
): Promise<void> {
  const { device, log, signal, protocol } = context;
  const builds = [...referenceBuilds(reference, sizes), ...buildsOf(plan.own, sizes)];
  const todo = builds.filter(({ candidate, size }) => log.compiled(candidate.id, size) === undefined);
  const unchecked = plan.own.filter(({ id }) => log.checked(id, 'quick') === undefined);
  const rounds = plan.sizes.reduce(
    (sum, { rungs, takes }) =>
      sum + takes + rungs.reduce((all, one) => all + one.rounds * Math.ceil(one.entrants / protocol.heat), 0),
    0,
  );
  context.work.expect(
    todo.length +
      unchecked.length +
      (by === 'nothing' ? 0 : by === 'ratio' ? rounds : plan.own.length * sizes.length),
  );
  const jobs = options.jobs ?? availableParallelism();
  context.work.begin(`compile ${todo.length} variants, ${jobs} at a time`);
  await compileStage(device, builds, log, {
    jobs,
    compile: options.compiler?.compile,
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
        options.shard === undefined,
      );
    } else if (by !== 'nothing') {
      await countStage(context, size, eligible(log, plan.own, size));
    }
  }
}

/**
 * Searches the parameters of a kernel for what is fastest on a device. Rules prune the space before anything is
 * compiled; compilers run on all cores; every candidate is verified before it is timed; then successive halving in
 * rounds that the reference shares, and a final by the protocol of a confirmation. A device that counts checks the
 * candidates, and ranks them by a counter where one is named.
 *
 * @throws UsageError for what cannot be swept or resumed, before anything runs; UnavailableError without a compiler;
 * DeviceLostError. What was found out until then is in the journal.
 */
export async function sweep(
  device: Device,
  selected: SelectedKernel,
  options: SweepOptions,
): Promise<SweepResult> {
  const protocol = sweepProtocol(options.protocol);
  const sizes = uniqueSizes(options.sizes);
  const { shard, file, resume = false, signal, onStep, onNote } = options;
  if (resume && file === undefined)
    throw new UsageError('--resume goes on from the file of --json, but there is none.');
  checkOperandMemory(sizes, device);
  const by = rankedBy(device, options.by);
  const plan = planSweep(selected, { sizes, space: options.space, shard, protocol });
  const reference = isTiming(device) ? await referenceFor(device, selected, sizes, options) : undefined;
  const { kernel, definition, space } = plan;
  const compiler = options.compiler?.name ?? (await compilerInUse());
  const identity = await identityOf({
    kernel,
    definition,
    space,
    device,
    compiler,
    reference,
    rankedBy: by,
    protocol,
  });
  using store = file === undefined ? undefined : await SweepStore.open(file, identity, resume);
  for (const note of store?.notes ?? []) onNote?.(note);
  const log = new SweepLog(store?.earlier, store?.journal);
  const session = randomUUID();
  log.add(sessionRecord(device, session, sizes, shard));
  const { cases = (gemm, level) => conformanceCases(gemm, { level }), caseTimeoutMs = 120_000 } = options;
  const context: SweepContext = {
    device,
    kernel,
    log,
    protocol,
    session,
    cases,
    caseTimeoutMs,
    work: new Work(onStep),
    signal,
  };
  let interrupted = false;
  try {
    await work(context, plan, sizes, reference, by, options);
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    interrupted = true;
  }
  const all = uniqueSizes(log.records.flatMap((record) => (record.type === 'session' ? record.sizes : [])));
  const seen = new Set(log.records.flatMap((record) => (record.type === 'compiled' ? [record.id] : [])));
  const createdAt = new Date().toISOString();
  const declared = declaredOf(plan, all, seen);
  const result = deriveResult({ identity, declared, records: log.records, interrupted, createdAt });
  await store?.finish(result);
  return result;
}
