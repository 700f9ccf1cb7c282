import { CTX, QUAD } from '../layout.js';
import type { BlockRunner } from './block-runner.js';
import { GROUP, LANE } from './block-status.js';
import { KernelFault } from './fault-record.js';

/** The first thread of a block that can run, and the block of code at which it goes on. */
function firstRunnable({ status }: BlockRunner): { thread: number; header: number } | undefined {
  for (let group = 0; group < status.groups.length; group++) {
    if (!status.runnable(group)) continue;
    if (status.groups[group] !== GROUP.apart) return { thread: 4 * group, header: status.pc[group]! };
    for (let thread = 4 * group; thread < 4 * group + 4; thread++) {
      if (status.lanes[thread] === LANE.ready) return { thread, header: status.lanePc[thread]! };
    }
  }
  return undefined;
}

/** A thread, and the block of code at which it goes on. */
function place({ status }: BlockRunner, thread: number): { thread: number; header: number } {
  const apart = status.groups[thread >> 2] === GROUP.apart;
  return { thread, header: (apart ? status.lanePc[thread] : status.pc[thread >> 2])! };
}

/**
 * Why a grid cannot go on: all its threads wait in loops for memory that none of them changes, or go round loops that
 * nothing can end.
 * @param unstarted blocks that no worker has begun, because the device holds no more at a time
 */
export function spinFault(runner: BlockRunner, i32: Int32Array, unstarted: number): KernelFault {
  const field = (offset: number) => i32[(runner.ctx + offset) >> 2]!;
  const { unserved } = runner.host?.signals ?? {};
  const found = unserved === undefined ? firstRunnable(runner) : place(runner, unserved);
  const waits = found === undefined ? undefined : runner.kernel.polls[found.header];
  const quiet = found === undefined ? undefined : runner.kernel.quiet[found.header];
  const at = waits ?? quiet;
  const tid = (offset: number) => {
    const { thread } = found!;
    return i32[((runner.state(thread >> 2) + offset) >> 2) + (thread & 3)]!;
  };
  const others =
    unstarted === 0
      ? ''
      : `; ${unstarted} blocks have not started, because the device holds no more at a time`;
  return new KernelFault({
    kind: waits === undefined && quiet !== undefined ? 'endless-loop' : 'deadlock',
    block: [field(CTX.ctaid), field(CTX.ctaid + 4), field(CTX.ctaid + 8)],
    thread: found === undefined ? undefined : [tid(QUAD.tidX), tid(QUAD.tidY), tid(QUAD.tidZ)],
    ...(at === undefined
      ? {}
      : { at: { line: at.line, text: at.text, ...(at.source === undefined ? {} : { source: at.source }) } }),
    note:
      waits === undefined && quiet !== undefined
        ? `its registers, and the memory that it reads, do not change any more${others}`
        : `${runner.host?.signals.stalled(found?.thread ?? -1) ?? 'it waits in a loop for memory that no thread of the grid changes any more'}${others}`,
  });
}
