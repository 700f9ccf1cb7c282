import { CTX, QUAD } from '../layout.js';
import { placeSuffix } from '../ptx/kernel-place.js';
import type { BarrierPoint } from '../translate/translated-kernel.js';
import type { BlockRunner, Views } from './block-runner.js';
import { KernelFault } from './fault-record.js';
import { arrivalsOf, barrierOf, reduceBarrier, takeArrivals } from './named-barriers.js';
import { releaseWarps } from './warp-barriers.js';

/** Whether the threads of each warp that wait at this barrier do so at one instruction, where it asks for that. */
function warpsAgree(runner: BlockRunner, waiting: ReadonlyMap<number, number>): boolean {
  if (![...waiting.values()].some((resume) => runner.kernel.barriers[resume]!.aligned)) return true;
  const byWarp = new Map<number, number>();
  for (const [thread, resume] of waiting) {
    const warp = thread >> 5;
    if ((byWarp.get(warp) ?? resume) !== resume) return false;
    byWarp.set(warp, resume);
  }
  return true;
}

/**
 * The first warps to have come to a barrier, once their threads are as many as it asks for; undefined before that.
 * A warp counts when all its threads are there. PTX ISA, "bar": the barrier completes at the count, and can be used
 * again at once, so later warps are in its next turn.
 */
function firstToArrive(
  runner: BlockRunner,
  waiting: ReadonlyMap<number, number>,
  needed: number,
): Map<number, number> | undefined {
  const first = new Map<number, number>();
  for (const warp of runner.status.arrivals) {
    const threads = [...waiting].filter(([thread]) => thread >> 5 === warp);
    const live = runner.status.liveThreads().filter((thread) => thread >> 5 === warp);
    if (threads.length === 0 || threads.length !== live.length) continue;
    for (const [thread, resume] of threads) first.set(thread, resume);
    if (first.size >= needed) return first.size === needed ? first : undefined;
  }
  return undefined;
}

/** Lets go the threads of every barrier that is complete. False if none is. */
export function releaseBarriers(runner: BlockRunner, views: Views): boolean {
  const inWarps = runner.warpsMeet && releaseWarps(runner, views.i32);
  const arrived = takeArrivals(runner, views.i32);
  return releaseBlock(runner, views.i32) || inWarps || arrived;
}

function releaseBlock(runner: BlockRunner, i32: Int32Array): boolean {
  // The usual case: the whole block, at one barrier.
  const point = runner.status.meetingPoint();
  const barrier = point === undefined ? undefined : runner.kernel.barriers[point]!;
  const plain =
    barrier?.warp === undefined && barrier?.dynamic === undefined && barrier?.reduce === undefined;
  if (barrier !== undefined && plain && barrier.threads === undefined) {
    for (let warp = 0; 32 * warp < runner.threads; warp++) runner.passBarrier(warp);
    runner.meet();
    runner.status.releaseAll();
    return true;
  }
  const byBarrier = new Map<number, Map<number, number>>();
  runner.status.forEachWaiting((thread, resume) => {
    if (runner.kernel.barriers[resume]!.warp !== undefined || thread >= runner.threads) return;
    const { id } = barrierOf(runner, i32, thread, resume);
    const waiting = byBarrier.get(id) ?? new Map<number, number>();
    byBarrier.set(id, waiting.set(thread, resume));
    runner.status.arrivals.add(thread >> 5);
  });
  let released = false;
  const arrivals = arrivalsOf(runner, i32);
  for (const [id, waiting] of byBarrier) {
    const [[thread, resume]] = [...waiting] as [[number, number]];
    const { threads } = barrierOf(runner, i32, thread, resume);
    const needed = (threads ?? runner.status.liveThreads().length) - (arrivals.get(id) ?? 0);
    const ready = waiting.size > needed ? firstToArrive(runner, waiting, needed) : waiting;
    if (ready?.size !== needed || !warpsAgree(runner, ready)) continue;
    released = true;
    const warps = new Set([...ready.keys()].map((thread) => thread >> 5));
    // What threads did that have exited, or only announce themselves, is taken to be seen by all.
    runner.meet(threads === undefined || (arrivals.get(id) ?? 0) > 0 ? undefined : warps);
    arrivals.delete(id);
    reduceBarrier(runner, i32, ready);
    for (const warp of warps) {
      runner.passBarrier(warp);
      runner.status.arrivals.delete(warp);
    }
    for (const thread of ready.keys()) runner.status.release(thread);
  }
  return released;
}

/** Why a block cannot go on: some threads wait at a barrier that others never reach. */
export function deadlockFault(runner: BlockRunner, { i32 }: Views): KernelFault {
  const waiting = new Map<number, BarrierPoint>();
  runner.status.forEachWaiting((thread, resume) => waiting.set(thread, runner.kernel.barriers[resume]!));
  const [first, point] = [...waiting][0] ?? [0, undefined];
  const at = (linear: number): [number, number, number] => {
    const state = runner.state(linear >> 2) >> 2;
    const read = (offset: number) => i32[state + offset / 4 + (linear & 3)]!;
    return [read(QUAD.tidX), read(QUAD.tidY), read(QUAD.tidZ)];
  };
  const here = [...waiting.values()].filter((p) => p === point).length;
  const elsewhere = [...waiting].find(([, p]) => p !== point);
  const absent = runner.status.liveThreads().find((thread) => !waiting.has(thread));
  const other =
    elsewhere !== undefined
      ? `thread (${at(elsewhere[0]).join(', ')}) waits at another, PTX line ${elsewhere[1].line}${placeSuffix(elsewhere[1].source)}`
      : absent !== undefined
        ? `thread (${at(absent).join(', ')}) goes on without it`
        : point?.threads === undefined
          ? 'those that they wait for do not come'
          : `it lets ${point.threads} go at a time, and no others can come`;
  const ctx = runner.ctx >> 2;
  return new KernelFault({
    kind: 'barrier-divergence',
    block: [i32[ctx + CTX.ctaid / 4]!, i32[ctx + CTX.ctaid / 4 + 1]!, i32[ctx + CTX.ctaid / 4 + 2]!],
    thread: at(first),
    ...(point === undefined ? {} : { at: point }),
    note: `${here} of the block's ${runner.threads} threads wait at this one; ${other}`,
  });
}
