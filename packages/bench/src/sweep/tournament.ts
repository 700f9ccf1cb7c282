import type { Stream } from '@ffma/core';
import type { Size } from '../bench/sizes.js';
import type { SelectedKernel } from '../discover/select.js';
import { shape } from '../render/numbers.js';
import type { TimingDevice } from '../timing/timing-device.js';
import { checkSignal, type SweepContext } from './context.js';
import { type Contest, timeHeat } from './heat.js';
import { type Rung, scheduleFor } from './protocol.js';
import type { Candidate } from './prune.js';
import { uploadProblem } from './runner.js';
import { hashOf } from './shard.js';
import { disqualified, openFinals, roundsOf, standings, timedIn } from './standing.js';
import { verifyStage } from './verify-stage.js';

/** Who runs beside whom, and in which order: by the seed alone, whatever order the candidates come in. */
function drawn(ids: readonly string[], seed: number, size: Size, { rung }: Rung): string[] {
  const lot = (id: string) => hashOf(`${seed} ${shape(size)} ${rung} ${id}`);
  return [...ids].sort((x, y) => lot(x) - lot(y) || (x < y ? -1 : 1));
}

/** A field in heats of about equal size, none over the most. */
function inHeats(ids: readonly string[], most: number): string[][] {
  const count = Math.ceil(ids.length / most);
  return Array.from({ length: count }, (_, i) =>
    ids.slice(Math.floor((i * ids.length) / count), Math.floor(((i + 1) * ids.length) / count)),
  );
}

/** Times a rung in heats, and says who goes on: those of the highest median ratio, ties by id. */
async function climb(
  contest: Contest,
  rung: Rung,
  field: readonly string[],
  places: number,
): Promise<string[]> {
  const { context, size } = contest;
  const { log, protocol } = context;
  const most = rung.rung === 'final' ? field.length : protocol.heat;
  const heats = inHeats(drawn(field, protocol.seed, size, rung), most);
  for (const heat of heats) await timeHeat(contest, rung, heat);
  return heats
    .flatMap((ids) => {
      const heat = { rung: rung.rung, ids, rounds: roundsOf(log, size, rung.rung, ids) };
      return ids.map((id) => ({ id, timed: timedIn(heat, id) }));
    })
    .filter(({ id, timed }) => disqualified(log, size, id, timed) === undefined)
    .sort((x, y) => y.timed.ratio.median - x.timed.ratio.median || (x.id < y.id ? -1 : 1))
    .slice(0, places)
    .map(({ id }) => id);
}

const sorted = (ids: readonly string[]) => [...ids].sort();

function finish({ context, size }: Contest, field: readonly string[], finalists: readonly string[]): void {
  const { log, session } = context;
  const at = new Date().toISOString();
  log.add({ type: 'finished', session, at, size, field: sorted(field), finalists: sorted(finalists) });
}

/** All cases of those who are in the final, before it; who fails is out. */
async function verified({ context, candidates }: Contest, ids: readonly string[]): Promise<string[]> {
  await verifyStage(
    context,
    ids.map((id) => candidates.get(id) as Candidate),
    'full',
  );
  return ids.filter((id) => context.log.checked(id, 'full')?.status === 'passed');
}

/** From all to the finalists, and their final. */
async function play(contest: Contest, field: readonly string[]): Promise<void> {
  const { protocol, log } = contest.context;
  const schedule = scheduleFor(field.length, protocol);
  let left = [...field];
  for (const [i, rung] of schedule.entries()) {
    if (left.length === 0) break;
    if (rung.rung !== 'final') left = await climb(contest, rung, left, schedule[i + 1]?.entrants ?? 0);
  }
  const finalists = await verified(contest, sorted(left));
  const final = schedule.at(-1);
  if (final !== undefined && finalists.length > 0) await climb(contest, final, finalists, finalists.length);
  finish(
    contest,
    field,
    finalists.filter((id) => log.fault(id, contest.size) === undefined),
  );
}

/**
 * Whoever is best of several finals, as those of shards that were merged, meets in one more. Of each final that is
 * open the best one is in it, else that final would stay open.
 */
async function playOff(contest: Contest): Promise<void> {
  const { context, size } = contest;
  const { log, protocol } = context;
  const { rounds, launches } = protocol;
  const finals = openFinals(log, size, rounds);
  if (finals.length < 2) return;
  const ranked = standings(log, size, rounds).filter(
    ({ rung, superseded }) => rung === 'final' && !superseded,
  );
  const best = ranked.slice(0, protocol.finalists);
  const heads = finals.flatMap(({ ids }) => ranked.find(({ id }) => ids.includes(id)) ?? []);
  const ids = new Set([...best, ...heads].map(({ id }) => id));
  const finalists = await verified(contest, sorted([...ids]));
  const rung: Rung = { rung: 'final', entrants: finalists.length, rounds, launches };
  await climb(contest, rung, finalists, finalists.length);
  const field = log.finished(size).flatMap((record) => record.field);
  finish(contest, [...new Set(field)], finalists);
}

export interface ContestOptions {
  readonly size: Size;
  readonly reference: SelectedKernel;
  readonly stream: Stream;
  /** Those who compete: right at this size. */
  readonly field: readonly Candidate[];
  /** Those who may be known from elsewhere. */
  readonly all: readonly Candidate[];
  /** Whether the best of several finals meet. */
  readonly together: boolean;
}

/**
 * Finds the fastest of candidates at a size: who has not been in a finished tournament plays one; then the best of all
 * finals meet. Goes on where the log ends.
 * @throws Interrupted; DeviceLostError
 */
export async function contestAt(
  context: SweepContext<TimingDevice>,
  { size, reference, stream, field, all, together }: ContestOptions,
): Promise<void> {
  const { device, log, work, protocol } = context;
  const played = new Set(log.finished(size).flatMap((record) => record.field));
  const waiting = field.filter(({ id }) => !played.has(id));
  const meet = together && (waiting.length > 0 || openFinals(log, size, protocol.rounds).length > 1);
  if (waiting.length === 0 && !meet) return;
  checkSignal(context);
  work.begin(`${shape(size)}: make numbers`);
  using problem = await uploadProblem(device, stream, size, 'uniform');
  const candidates = new Map(all.map((candidate) => [candidate.id, candidate]));
  const contest: Contest = { context, size, reference, stream, problem, candidates };
  if (waiting.length > 0) await play(contest, sorted(waiting.map(({ id }) => id)));
  if (together) await playOff(contest);
}
