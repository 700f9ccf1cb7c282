import { type Gemm, type Stream, UnsupportedError } from '@ffma/core';
import type { Size } from '../bench/sizes.js';
import type { SelectedKernel } from '../discover/select.js';
import { shape } from '../render/numbers.js';
import type { DeviceProblem } from '../timing/device-problem.js';
import { measure, type Round } from '../timing/measure.js';
import type { TimingDevice } from '../timing/timing-device.js';
import { checkSignal, Interrupted, type SweepContext } from './context.js';
import type { Rung } from './protocol.js';
import type { Candidate } from './prune.js';
import type { RoundRecord } from './records.js';
import { Runner } from './runner.js';
import { roundsOf } from './standing.js';
import { checkAfter } from './verify-stage.js';

/** A tournament at one size, with what its heats have in common. */
export interface Contest {
  readonly context: SweepContext<TimingDevice>;
  readonly size: Size;
  readonly reference: SelectedKernel;
  readonly stream: Stream;
  readonly problem: DeviceProblem;
  readonly candidates: ReadonlyMap<string, Candidate>;
}

/** To the nanosecond: events know no less. */
const nano = (us: number) => Math.round(us * 1000) / 1000;

function roundRecord(
  { context: { session }, size }: Contest,
  rung: Rung,
  heat: readonly string[],
  round: Round,
): RoundRecord {
  const [referenceUs = [], ...us] = round.us.map((launches) => launches.map(nano));
  const { clocks, attempt, used } = round;
  return {
    type: 'round',
    session,
    at: new Date().toISOString(),
    size,
    rung: rung.rung,
    heat: [...heat],
    round: round.round,
    attempt,
    used,
    throttledBy: [...round.throttledBy],
    referenceUs,
    us,
    ...(clocks.length === 0
      ? {}
      : {
          clocks: {
            smMHz: clocks.map(({ smClockMHz }) => smClockMHz),
            powerW: clocks.map(({ powerW }) => Math.round(powerW)),
          },
        }),
  };
}

/** Times the rounds of a heat that the log does not have yet. @throws Interrupted */
export async function timeHeat(contest: Contest, rung: Rung, heat: readonly string[]): Promise<void> {
  const { context, size, reference, stream, problem, candidates } = contest;
  const { device, log, protocol, work, signal } = context;
  const done = roundsOf(log, size, rung.rung, heat).length;
  const judgedAfter =
    rung.rung !== 'final' || heat.every((id) => log.checked(id, 'after', size) !== undefined);
  if (done >= rung.rounds && judgedAfter) return;
  checkSignal(context);
  const label = `${shape(size)} ${rung.rung === 'final' ? 'final' : `rung ${rung.rung + 1}`}`;
  work.begin(`${label}: ${heat.length} candidates`);
  const runners: { id: string; runner: Runner }[] = [];
  using _ = {
    [Symbol.dispose]: () => {
      for (const { runner } of runners) runner[Symbol.dispose]();
    },
  };
  const load = async (id: string, gemm: Gemm) => {
    const compiled = gemm.open === true ? log.compiled(id, size) : log.compiled(id);
    runners.push({ id, runner: await Runner.load(device, gemm, size, compiled) });
  };
  await load(reference.gemm.id, reference.gemm);
  if (runners[0]?.runner.loaded.artefact.mathMode === 'tf32')
    throw new UnsupportedError(
      `The reference ${reference.gemm.id} computes in TF32, but candidates in float32.`,
      {
        remedy: 'Choose another by --reference, and another file.',
      },
    );
  for (const id of heat) await load(id, (candidates.get(id) as Candidate).gemm);
  for (const { runner } of runners) runner.prepare(problem);
  if (done < rung.rounds) {
    const onRound = (round: Round) => {
      log.add(roundRecord(contest, rung, heat, { ...round, round: round.round + done }));
      if (round.used) work.end();
      work.begin(`${label}: round ${Math.min(rung.rounds, round.round + done + 1)} of ${rung.rounds}`);
    };
    const { l2, warmUpMs } = protocol;
    const contestants = runners.map(({ runner }) => runner.contestant(problem));
    const { endedBy } = await measure(device, contestants, {
      rounds: rung.rounds - done,
      launches: rung.launches,
      l2,
      warmUpMs,
      signal,
      onRound,
    });
    if (endedBy === 'interrupted') throw new Interrupted();
  }
  if (rung.rung === 'final') await checkAfter(context, stream, size, problem, runners.slice(1));
}
