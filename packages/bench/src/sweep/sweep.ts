import { randomUUID } from 'node:crypto';
import type { Device } from '@ffma/core';
import { conformanceCases } from '@ffma/verify';
import { checkOperandMemory } from '../bench/operand-memory.js';
import type { Size } from '../bench/sizes.js';
import type { SelectedKernel } from '../discover/select.js';
import { shape } from '../render/numbers.js';
import { deviceFacts, hostFacts } from '../result/provenance.js';
import { peakOf } from '../timing/peak.js';
import { isTiming } from '../timing/timing-device.js';
import { UsageError } from '../usage-error.js';
import { Interrupted, type SweepContext, Work } from './context.js';
import { declaredOf } from './declared.js';
import { deriveResult } from './derive-result.js';
import { counterNamed } from './figures.js';
import { compilerInUse, identityOf } from './identity.js';
import type { SweepOptions } from './options.js';
import { planSweep } from './plan-sweep.js';
import { sweepProtocol } from './protocol.js';
import type { SessionRecord } from './records.js';
import { referenceFor } from './reference.js';
import type { SweepResult } from './schema.js';
import type { Shard } from './shard.js';
import { runStages } from './stages.js';
import { SweepStore } from './store.js';
import { SweepLog } from './sweep-log.js';

function rankedBy(device: Device, by: string | undefined): string {
  if (isTiming(device)) {
    if (by === undefined) return 'ratio';
    throw new UsageError(`--by names a counter, and ${device.name} counts nothing: there, times decide.`, {
      remedy: 'Leave it out, or use --device emulator.',
    });
  }
  return by === undefined ? 'nothing' : counterNamed(by);
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
    await runStages(context, { ...options, plan, sizes, reference, by });
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
