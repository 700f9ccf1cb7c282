import { type Device, DeviceLostError, type Gemm, type Stream } from '@ffma/core';
import { verifyGemm } from '@ffma/verify';
import type { Size } from '../bench/sizes.js';
import { hasFfmaCode, sentenceOf } from '../error-sentence.js';
import { shape } from '../render/numbers.js';
import { correctnessFrom, type Verdict, verdictName } from '../timing/check.js';
import type { DeviceProblem } from '../timing/device-problem.js';
import { integersFor } from '../timing/problem-batch.js';
import { correctnessOf } from '../verify/summary.js';
import { checkSignal, Interrupted, type SweepContext } from './context.js';
import type { Candidate } from './prune.js';
import type { Checked, Compiled } from './records.js';
import { loadOptionsFor, Runner, uploadProblem } from './runner.js';

/** Puts the conformance cases of a level before candidates that have not seen them. @throws Interrupted */
export async function verifyStage(
  context: SweepContext,
  candidates: readonly Candidate[],
  level: 'quick' | 'full',
): Promise<void> {
  const { device, log, work, signal, cases, caseTimeoutMs } = context;
  for (const { id, gemm } of candidates) {
    if (log.checked(id, level) !== undefined) continue;
    checkSignal(context);
    work.begin(`${id}: ${level} cases`);
    const report = await verifyGemm(device, gemm, {
      cases: cases(gemm, level),
      load: loadOptionsFor(log.compiled(id)),
      caseTimeoutMs,
      ...(signal === undefined ? {} : { signal }),
    });
    if (report.outcome === 'incomplete') throw new Interrupted();
    const { status, gates, failures } = correctnessOf(report);
    log.add({ type: 'checked', id, level, status, gates, failures });
    work.end();
    if (device.lost !== undefined) throw device.lost;
    if (report.ended?.by === 'timeout') throw hanging(id);
  }
}

/** Its kernel cannot be stopped, so that nothing else can be said of the device until the process ends. */
function hanging(id: string): DeviceLostError {
  return new DeviceLostError(`A case of ${id} did not end in its time, and the device was closed.`, {
    remedy: 'Go on without it by --resume; --timeout gives cases more time.',
  });
}

/** Something to judge at a size; `compiled` as for {@link Runner.load}. */
export interface Judged {
  readonly id: string;
  readonly gemm: Gemm;
  readonly compiled?: Compiled | undefined;
}

async function judgeOnce(
  device: Device,
  stream: Stream,
  problem: DeviceProblem,
  one: Judged,
): Promise<Verdict> {
  try {
    using runner = await Runner.load(device, one.gemm, problem.shape, one.compiled);
    runner.prepare(problem);
    return await runner.judge(stream, problem);
  } catch (error) {
    if (hasFfmaCode(error) && error.code === 'FFMA_INTEGRITY') throw error;
    return {
      name: verdictName(problem),
      status: 'failed',
      gates: [],
      sentence: sentenceOf(error),
      ran: false,
    };
  }
}

function checkedFrom(id: string, size: Size, level: Checked['level'], verdicts: readonly Verdict[]): Checked {
  const { status, gates, failures } = correctnessFrom(verdicts);
  return { type: 'checked', id, level, size, status, gates, failures };
}

/**
 * Judges candidates at the size at which they are to be timed: on integers that only exact float32 gets right, then on
 * the numbers of the timing.
 * @throws Interrupted; DeviceLostError, after which the log says which candidate took the device down
 */
export async function checkAtSize(
  context: SweepContext,
  stream: Stream,
  size: Size,
  all: readonly Judged[],
): Promise<void> {
  const { device, log, work } = context;
  const waiting = all.filter(({ id }) => log.checked(id, 'size', size) === undefined);
  if (waiting.length === 0) return;
  const verdicts = new Map<string, Verdict[]>(waiting.map(({ id }) => [id, []]));
  for (const set of [integersFor(size), 'uniform'] as const) {
    work.begin(`${shape(size)}: make numbers (${set})`);
    using problem = await uploadProblem(device, stream, size, set);
    for (const one of waiting) {
      const own = verdicts.get(one.id) as Verdict[];
      if (own.some(({ status }) => status !== 'passed')) continue;
      checkSignal(context);
      work.begin(`${shape(size)} ${one.id}: check on ${set}`);
      own.push(await judgeOnce(device, stream, problem, one));
      if (set === 'uniform' || own.some(({ status }) => status !== 'passed') || device.lost !== undefined) {
        log.add(checkedFrom(one.id, size, 'size', own));
        work.end();
      }
      if (device.lost !== undefined) throw device.lost;
    }
  }
}

/** Judges what timed operations compute once more, and writes it down. */
export async function checkAfter(
  { log }: Pick<SweepContext, 'log'>,
  stream: Stream,
  size: Size,
  problem: DeviceProblem,
  runners: readonly { readonly id: string; readonly runner: Runner }[],
): Promise<void> {
  for (const { id, runner } of runners) {
    const verdict = await runner.judge(stream, problem, ', after the timing');
    log.add(checkedFrom(id, size, 'after', [verdict]));
  }
}
