import type { InstructionClass } from '../counters/launch-profile.js';
import type { Instruction } from '../ptx/ast.js';
import type { Translation } from './emit/context.js';
import { isWide } from './emit/registers.js';
import type { KernelModel, ModelBlock } from './kernel-model.js';
import type {
  AreaRegister,
  BarrierPoint,
  CodePoint,
  PollPoint,
  SiteInfo,
  SplitPoint,
} from './translated-kernel.js';

function codePoint({ line, text, source }: Instruction): CodePoint {
  return { line, text, ...(source === undefined ? {} : { source }) };
}

/** Instructions of each class in a block. */
export function classesOf(block: ModelBlock): Partial<Record<InstructionClass, number>> {
  const counts: Partial<Record<InstructionClass, number>> = {};
  const add = (name: InstructionClass) => {
    counts[name] = (counts[name] ?? 0) + 1;
  };
  for (const instruction of block.instructions) if (instruction.class !== undefined) add(instruction.class);
  if (block.terminator.instruction !== undefined && !block.synthetic) add('branch');
  return counts;
}

/** An access, as counters and fault reports name it. */
export function siteInfo({ instruction, space, kind, bytes }: KernelModel['sites'][number]): SiteInfo {
  return { ...codePoint(instruction), space, kind, bytes };
}

/** What it takes to let the lanes go their own ways at the end of a block. */
export function splitPoint(t: Translation, id: number, meet: number): SplitPoint | undefined {
  const { terminator } = t.model.blocks[id]!;
  if (terminator.kind !== 'branch') return undefined;
  const { taken, fallthrough } = terminator;
  const live = new Set([...t.model.blocks[taken]!.liveIn, ...t.model.blocks[fallthrough]!.liveIn]);
  return { taken, fallthrough, meet, live: areaRegisters(t, live) };
}

function areaRegisters(t: Translation, registers: Iterable<string>): AreaRegister[] {
  return [...registers].map((register) => ({
    offset: t.slots.offset(register),
    wide: isWide(t.model.kindOf(register)),
    stride: t.shapes.of(register).stride,
  }));
}

/** Loops that only compute and read, by their header: those that may wait are not among them. */
export function quietPoints(t: Translation): Record<number, PollPoint> {
  const points: Record<number, PollPoint> = {};
  for (const [header, instruction] of t.model.quiet) {
    if (t.model.polling.headers.has(header)) continue;
    points[header] = { ...codePoint(instruction), live: areaRegisters(t, t.model.blocks[header]!.liveIn) };
  }
  return points;
}

/** Loops that may wait, by their header. */
export function pollPoints(t: Translation): Record<number, PollPoint> {
  const points: Record<number, PollPoint> = {};
  for (const [header, instruction] of t.model.polling.headers) {
    points[header] = { ...codePoint(instruction), live: areaRegisters(t, t.model.blocks[header]!.liveIn) };
  }
  return points;
}

/** Barriers, by the block that follows each. */
export function barrierPoints(model: KernelModel): Record<number, BarrierPoint> {
  const points: Record<number, BarrierPoint> = {};
  for (const { barrier, instructions, terminator } of model.blocks) {
    if (barrier === undefined || terminator.kind !== 'jump') continue;
    points[terminator.target] = {
      id: barrier.id,
      threads: barrier.threads,
      aligned: barrier.aligned,
      ...(barrier.warp === undefined ? {} : { warp: barrier.warp }),
      ...(barrier.dynamic === undefined ? {} : { dynamic: barrier.dynamic }),
      ...(barrier.arrive === undefined ? {} : { arrive: barrier.arrive }),
      ...(barrier.reduce === undefined ? {} : { reduce: barrier.reduce }),
      ...codePoint(instructions.at(-1)!.instruction),
    };
  }
  return points;
}

/** Traps, by the block that ends with each. */
export function trapPoints(model: KernelModel): Record<number, CodePoint> {
  const points: Record<number, CodePoint> = {};
  for (const { id, terminator } of model.blocks) {
    if (terminator.kind !== 'exit' || terminator.op !== 'trap') continue;
    if (terminator.instruction !== undefined) points[id] = codePoint(terminator.instruction);
  }
  return points;
}

/** Whether nothing but jumps lies between the start of a block and the thread's exit. */
function onlyEnds(model: KernelModel, id: number): boolean {
  const seen = new Set<number>();
  for (let block = model.blocks[id]!; !seen.has(block.id); ) {
    seen.add(block.id);
    if (block.instructions.length > 0) return false;
    const { terminator } = block;
    if (terminator.kind === 'exit') return terminator.op !== 'trap';
    if (terminator.kind !== 'jump') return false;
    block = model.blocks[terminator.target]!;
  }
  return false;
}

/** Blocks in which a thread has nothing left to do but to exit. */
export function endingBlocks(model: KernelModel): number[] {
  return model.blocks.flatMap(({ id }) => (onlyEnds(model, id) ? [id] : []));
}
