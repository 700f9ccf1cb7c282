import { CTX, QUAD, WARP } from '../layout.js';
import type { WarpOperation } from '../translate/lower/spec.js';
import type { BlockRunner } from './block-runner.js';
import { GROUP } from './block-status.js';
import { KernelFault } from './fault-record.js';
import { operateWarp } from './warp-operations.js';

/** Where each lane of a warp goes on from the warp's barrier that it waits at; −1: it waits at none. */
const resumes = new Int32Array(WARP);
const masks = new Int32Array(WARP);

/** Reads what the lanes of a warp wait for. Lanes at a barrier of their warp, a bit each. */
function readWarp(runner: BlockRunner, i32: Int32Array, warp: number): number {
  let waiting = 0;
  for (let lane = 0; lane < WARP && WARP * warp + lane < runner.threads; lane++) {
    const thread = WARP * warp + lane;
    const resume = runner.status.waitsAt(thread);
    const here = resume !== undefined && runner.kernel.barriers[resume]!.warp !== undefined;
    resumes[lane] = here ? resume : -1;
    if (!here) continue;
    waiting |= 1 << lane;
    masks[lane] = i32[((runner.state(thread >> 2) + QUAD.warpMask) >> 2) + (lane & 3)]!;
  }
  return waiting;
}

/** Lanes that have come for the same thing as lane `first`: the same instruction, or one for the same lanes. */
function alike(runner: BlockRunner, first: number, waiting: number): number {
  const { warp } = runner.kernel.barriers[resumes[first]!]!;
  let lanes = 0;
  for (let lane = 0; lane < WARP; lane++) {
    if ((waiting & (1 << lane)) === 0 || masks[lane] !== masks[first]) continue;
    const same =
      warp === 'sync'
        ? runner.kernel.barriers[resumes[lane]!]!.warp === 'sync'
        : resumes[lane] === resumes[first];
    if (same) lanes |= 1 << lane;
  }
  return lanes;
}

function absentFault(runner: BlockRunner, i32: Int32Array, warp: number, lane: number): KernelFault {
  const point = runner.kernel.barriers[resumes[lane]!]!;
  const field = (offset: number) => i32[(runner.ctx + offset) >> 2]!;
  const tid = (offset: number) => i32[((runner.state(8 * warp + (lane >> 2)) + offset) >> 2) + (lane & 3)]!;
  return new KernelFault({
    kind: 'barrier-divergence',
    block: [field(CTX.ctaid), field(CTX.ctaid + 4), field(CTX.ctaid + 8)],
    thread: [tid(QUAD.tidX), tid(QUAD.tidY), tid(QUAD.tidZ)],
    at: {
      line: point.line,
      text: point.text,
      ...(point.source === undefined ? {} : { source: point.source }),
    },
    note: `lane ${lane} is not among the lanes of its own mask, 0x${(masks[lane]! >>> 0).toString(16)}`,
  });
}

/** Lanes that have come for the same thing, all of those that it waits for. */
interface Meeting {
  readonly lanes: number;
  readonly operation: WarpOperation;
}

/** The meetings of a warp that nobody is missing from. */
function completeMeetings(runner: BlockRunner, i32: Int32Array, warp: number): Meeting[] {
  let waiting = readWarp(runner, i32, warp);
  if (waiting === 0) return [];
  const live = runner.status.liveLanes(warp);
  const meetings: Meeting[] = [];
  while (waiting !== 0) {
    const first = 31 - Math.clz32(waiting);
    const lanes = alike(runner, first, waiting);
    waiting &= ~lanes;
    const operation = runner.kernel.barriers[resumes[first]!]!.warp!;
    const mask = masks[first]!;
    if ((lanes & ~mask) !== 0) throw absentFault(runner, i32, warp, 31 - Math.clz32(lanes & ~mask));
    if (operation === 'active' || (mask & live & ~lanes) === 0) meetings.push({ lanes, operation });
  }
  return meetings;
}

/** Lanes of groups that run together of which not all four can go on. */
function heldBack(runner: BlockRunner, warp: number, lanes: number): number {
  let held = 0;
  for (let group = 0; group < 8; group++) {
    const bits = (lanes >>> (4 * group)) & 15;
    const together = runner.status.groups[8 * warp + group] === GROUP.barrier;
    if (bits !== 0 && bits !== 15 && together) held |= bits << (4 * group);
  }
  return held;
}

/**
 * Lets go the lanes of every warp that have met at a barrier of the warp, once all lanes of their mask that have not
 * exited are there, and does what they have come for. Four lanes that run together may have come with different masks:
 * they go on when all of them can. False if none have.
 */
export function releaseWarps(runner: BlockRunner, i32: Int32Array): boolean {
  let released = false;
  for (let warp = 0; WARP * warp < runner.threads; warp++) {
    let meetings = completeMeetings(runner, i32, warp);
    for (let held = -1; held !== 0; ) {
      held = heldBack(
        runner,
        warp,
        meetings.reduce((all, { lanes }) => all | lanes, 0),
      );
      const back = held;
      meetings = meetings.filter(({ lanes }) => (lanes & back) === 0);
    }
    if (meetings.length === 0) continue;
    for (const { lanes, operation } of meetings) operateWarp(runner, i32, warp, operation, lanes);
    runner.passWarpBarrier(warp);
    for (const { lanes } of meetings) {
      for (let lane = 0; lane < WARP; lane++)
        if (lanes & (1 << lane)) runner.status.release(WARP * warp + lane);
    }
    released = true;
  }
  return released;
}
