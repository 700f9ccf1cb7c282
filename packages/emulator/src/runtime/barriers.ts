import { CTX, QUAD } from '../layout.js';
import { placeSuffix } from '../ptx/kernel-place.js';
import type { BarrierPoint } from '../translate/translated-kernel.js';
import { type BlockRunner, GROUP, LANE, type Views } from './block-runner.js';
import { KernelFault } from './fault-record.js';

/** Calls `visit` for every thread that waits at a barrier, with the block at which it goes on. */
function forEachWaiting(runner: BlockRunner, visit: (thread: number, resume: number) => void): void {
  runner.groups.forEach((status, group) => {
    for (let lane = 0; lane < 4; lane++) {
      if (status === GROUP.barrier) visit(4 * group + lane, runner.pc[group]!);
      else if (status === GROUP.apart && runner.lanes[4 * group + lane] === LANE.barrier) {
        visit(4 * group + lane, runner.lanePc[4 * group + lane]!);
      }
    }
  });
}

/** Threads that have not exited. */
function liveThreads(runner: BlockRunner): number[] {
  const live: number[] = [];
  runner.groups.forEach((status, group) => {
    if (status === GROUP.exited) return;
    for (let lane = 0; lane < 4; lane++) {
      if (status !== GROUP.apart || runner.lanes[4 * group + lane] !== LANE.exited)
        live.push(4 * group + lane);
    }
  });
  return live;
}

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

/** Lets go the threads of every barrier that is complete. False if none is. */
export function releaseBarriers(runner: BlockRunner): boolean {
  const byBarrier = new Map<number, Map<number, number>>();
  forEachWaiting(runner, (thread, resume) => {
    const id = runner.kernel.barriers[resume]!.id;
    const waiting = byBarrier.get(id) ?? new Map<number, number>();
    byBarrier.set(id, waiting.set(thread, resume));
  });
  let released = false;
  for (const waiting of byBarrier.values()) {
    const [resume] = waiting.values();
    const needed = runner.kernel.barriers[resume!]!.threads ?? liveThreads(runner).length;
    if (waiting.size !== needed || !warpsAgree(runner, waiting)) continue;
    released = true;
    for (const warp of new Set([...waiting.keys()].map((thread) => thread >> 5))) runner.passBarrier(warp);
    for (const thread of waiting.keys()) {
      const group = thread >> 2;
      if (runner.groups[group] === GROUP.barrier) runner.groups[group] = GROUP.ready;
      if (runner.groups[group] === GROUP.apart) runner.lanes[thread] = LANE.ready;
    }
  }
  return released;
}

/** Why a block cannot go on: some threads wait at a barrier that others never reach. */
export function deadlockFault(runner: BlockRunner, { i32 }: Views): KernelFault {
  const waiting = new Map<number, BarrierPoint>();
  forEachWaiting(runner, (thread, resume) => waiting.set(thread, runner.kernel.barriers[resume]!));
  const [first, point] = [...waiting][0] ?? [0, undefined];
  const at = (linear: number): [number, number, number] => {
    const state = runner.state(linear >> 2) >> 2;
    const read = (offset: number) => i32[state + offset / 4 + (linear & 3)]!;
    return [read(QUAD.tidX), read(QUAD.tidY), read(QUAD.tidZ)];
  };
  const here = [...waiting.values()].filter((p) => p === point).length;
  const elsewhere = [...waiting].find(([, p]) => p !== point);
  const absent = liveThreads(runner).find((thread) => !waiting.has(thread));
  const other =
    elsewhere !== undefined
      ? `thread (${at(elsewhere[0]).join(', ')}) waits at another, PTX line ${elsewhere[1].line}${placeSuffix(elsewhere[1].source)}`
      : absent !== undefined
        ? `thread (${at(absent).join(', ')}) goes on without it`
        : `it lets ${point?.threads} go at a time, and no others can come`;
  const ctx = runner.ctx >> 2;
  return new KernelFault({
    kind: 'barrier-divergence',
    block: [i32[ctx + CTX.ctaid / 4]!, i32[ctx + CTX.ctaid / 4 + 1]!, i32[ctx + CTX.ctaid / 4 + 2]!],
    thread: at(first),
    ...(point === undefined ? {} : { at: point }),
    note: `${here} of the block's ${runner.threads} threads wait at this one; ${other}`,
  });
}
