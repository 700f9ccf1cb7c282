import { isBackEdge, type Translation, yieldsAt } from './context.js';

/** One function of vector code: where it can start, and the blocks that it holds. */
export interface HotFunction {
  readonly name: string;
  readonly starts: readonly number[];
  readonly region: readonly number[];
}

/**
 * Whether code for `to` is another function's, although nothing is waited for: the edge leads into or out of a loop with
 * a barrier. It is taken once, while each part of such a loop is a function of its own: without this, every one of them
 * would hold the whole loop, and all that follows it.
 */
export function handsOver(t: Translation, from: number, to: number): boolean {
  return barrierLoops(t).some(
    ({ header, blocks }) => blocks.has(from) !== blocks.has(to) && (blocks.has(from) || to === header),
  );
}

const loopsOf = new WeakMap<Translation, readonly { header: number; blocks: ReadonlySet<number> }[]>();

function barrierLoops(t: Translation) {
  let loops = loopsOf.get(t);
  if (loops === undefined) {
    loops = t.model.flow.loops
      .filter(({ blocks }) => blocks.some((id) => t.model.blocks[id]!.barrier !== undefined))
      .map(({ header, blocks }) => ({ header, blocks: new Set(blocks) }));
    loopsOf.set(t, loops);
  }
  return loops;
}

/** Blocks that code from `start` reaches before it must come back. */
function regionOf(t: Translation, start: number): Set<number> {
  const seen = new Set<number>([start]);
  const pending = [start];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    const block = t.model.blocks[id]!;
    if (block.barrier !== undefined) continue;
    for (const next of block.successors) {
      if (seen.has(next) || handsOver(t, id, next)) continue;
      if (isBackEdge(t, id, next) && yieldsAt(t, next) === 'always') continue;
      seen.add(next);
      pending.push(next);
    }
  }
  return seen;
}

/** Blocks at which vector code can start: the beginning, after a barrier, headers at which it hands over, other functions. */
function startsOf(t: Translation): Set<number> {
  const starts = new Set<number>([0]);
  for (const { id, barrier, terminator, successors } of t.model.blocks) {
    if (barrier !== undefined && terminator.kind === 'jump') starts.add(terminator.target);
    else for (const next of successors) if (handsOver(t, id, next)) starts.add(next);
  }
  for (const header of t.model.loopEntries) if (yieldsAt(t, header) !== undefined) starts.add(header);
  return starts;
}

/** Divides a kernel into functions of vector code. A start whose blocks another function has is one of that, too. */
export function hotFunctions(t: Translation): HotFunction[] {
  const regions = [...startsOf(t)]
    .map((start) => ({ start, region: regionOf(t, start) }))
    .sort((a, b) => b.region.size - a.region.size || a.start - b.start);
  const functions: { starts: number[]; region: Set<number> }[] = [];
  for (const { start, region } of regions) {
    const holder = functions.find((one) => one.region.has(start));
    if (holder !== undefined) holder.starts.push(start);
    else functions.push({ starts: [start], region });
  }
  return functions.map(({ starts, region }) => ({
    name: `hot${starts[0]}`,
    starts,
    region: [...region].sort((a, b) => a - b),
  }));
}
