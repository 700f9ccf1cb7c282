import { CTX, QUAD } from '../layout.js';
import type { TranslatedKernel } from '../translate/translated-kernel.js';
import type { BlockRunner } from './block-runner.js';
import { KernelFault } from './fault-record.js';

/** By block: the threads that have said that they will not wait at a barrier (`bar.arrive`), by its number. */
const arrived = new WeakMap<BlockRunner, { readonly block: string; readonly by: Map<number, number> }>();
const arrives = new WeakMap<TranslatedKernel, boolean>();

/** Where a thread has put what it sent: predicate, number and count of threads. */
const word = (runner: BlockRunner, thread: number, index: number): number =>
  ((runner.state(thread >> 2) + QUAD.warpOperands + 16 * index) >> 2) + (thread & 3);

/** The number and the count of threads of the barrier that a thread waits at. */
export function barrierOf(
  runner: BlockRunner,
  i32: Int32Array,
  thread: number,
  resume: number,
): { readonly id: number; readonly threads: number | undefined } {
  const point = runner.kernel.barriers[resume]!;
  if (point.dynamic !== true) return point;
  const id = i32[word(runner, thread, 1)]!;
  const threads = i32[word(runner, thread, 2)]!;
  if (id >= 0 && id < 16 && threads >= 0 && threads % 32 === 0) return { id, threads: threads || undefined };
  const at = (runner.ctx + CTX.ctaid) >> 2;
  const tid = (offset: number) => i32[((runner.state(thread >> 2) + offset) >> 2) + (thread & 3)]!;
  throw new KernelFault({
    kind: 'barrier-divergence',
    block: [i32[at]!, i32[at + 1]!, i32[at + 2]!],
    thread: [tid(QUAD.tidX), tid(QUAD.tidY), tid(QUAD.tidZ)],
    at: point,
    note: `barrier ${id} is asked for with ${threads} threads; numbers go from 0 to 15, threads by whole warps of 32`,
  });
}

/** Threads of the block that have arrived at each barrier without waiting there. */
export function arrivalsOf(runner: BlockRunner, i32: Int32Array): Map<number, number> {
  const at = (runner.ctx + CTX.ctaid) >> 2;
  const block = `${i32[at]}, ${i32[at + 1]}, ${i32[at + 2]}`;
  let known = arrived.get(runner);
  if (known?.block !== block) {
    known = { block, by: new Map() };
    arrived.set(runner, known);
  }
  return known.by;
}

/** Counts the threads that have come to a `bar.arrive`, and lets them go. True if there were any. */
export function takeArrivals(runner: BlockRunner, i32: Int32Array): boolean {
  const { kernel, status } = runner;
  let any = arrives.get(kernel);
  if (any === undefined) {
    any = Object.values(kernel.barriers).some(({ arrive }) => arrive === true);
    arrives.set(kernel, any);
  }
  if (!any) return false;
  const threads: number[] = [];
  status.forEachWaiting((thread, resume) => {
    if (kernel.barriers[resume]!.arrive === true && thread < runner.threads) threads.push(thread);
  });
  const counts = arrivalsOf(runner, i32);
  for (const thread of threads) {
    const { id } = barrierOf(runner, i32, thread, status.waitsAt(thread)!);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  // Lanes that run together go on together.
  for (const warp of new Set(threads.map((thread) => thread >> 5))) runner.passBarrier(warp);
  for (const thread of threads) status.release(thread);
  return threads.length > 0;
}

/** Gives every thread of a `bar.red` what the predicates of all come to. */
export function reduceBarrier(
  runner: BlockRunner,
  i32: Int32Array,
  waiting: ReadonlyMap<number, number>,
): void {
  const [resume] = waiting.values();
  const how = runner.kernel.barriers[resume!]?.reduce;
  if (how === undefined) return;
  let yes = 0;
  for (const thread of waiting.keys()) if (i32[word(runner, thread, 0)] !== 0) yes++;
  const holds = how === 'and' ? yes === waiting.size : yes > 0;
  const result = how === 'popc' ? yes : holds ? -1 : 0;
  for (const thread of waiting.keys()) i32[word(runner, thread, 0)] = result;
}
