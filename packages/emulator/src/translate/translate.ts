import type { Dim3 } from '@ffma/core';
import binaryen from 'binaryen';
import type { InstructionClass } from '../counters/launch-profile.js';
import { HEAP_START, MAX_HEAP_BYTES, PAGE_BYTES } from '../layout.js';
import type { PtxModule } from '../ptx/ast.js';
import { AtomicFunctions } from './emit/atomics.js';
import { entryBlocks, type Translation } from './emit/context.js';
import { emitDispatch } from './emit/dispatch.js';
import { emitHot } from './emit/hot.js';
import type { TranslationOptions } from './emit/options.js';
import { isWide, RegisterSlots, stateBytes } from './emit/registers.js';
import { addRuntime } from './emit/runtime-functions.js';
import { layOut } from './kernel-memory.js';
import { type KernelModel, type ModelBlock, modelKernel } from './kernel-model.js';
import { analyseShapes } from './shapes.js';
import type {
  AreaRegister,
  BarrierPoint,
  SiteInfo,
  SplitPoint,
  TranslatedKernel,
} from './translated-kernel.js';

function classesOf(block: ModelBlock): Partial<Record<InstructionClass, number>> {
  const counts: Partial<Record<InstructionClass, number>> = {};
  const add = (name: InstructionClass) => {
    counts[name] = (counts[name] ?? 0) + 1;
  };
  for (const instruction of block.instructions) add(instruction.class);
  if (block.terminator.instruction !== undefined && !block.synthetic) add('branch');
  return counts;
}

function siteInfo(site: KernelModel['sites'][number]): SiteInfo {
  const { instruction, op } = site;
  const count = op.kind === 'atomic' ? 1 : Math.max(op.elements.length, op.values.length);
  return {
    line: instruction.line,
    text: instruction.text,
    ...(instruction.source === undefined ? {} : { source: instruction.source }),
    space: op.space,
    kind: op.kind,
    bytes: op.bytes * count,
  };
}

function splitPoint(t: Translation, id: number, meet: number): SplitPoint | undefined {
  const { terminator } = t.model.blocks[id]!;
  if (terminator.kind !== 'branch') return undefined;
  const { taken, fallthrough } = terminator;
  const live = new Set([...t.model.blocks[taken]!.liveIn, ...t.model.blocks[fallthrough]!.liveIn]);
  return {
    taken,
    fallthrough,
    meet,
    live: [...live].map((register): AreaRegister => {
      const kind = t.model.kindOf(register);
      return { offset: t.slots.offset(register), wide: isWide(kind), stride: t.shapes.of(register).stride };
    }),
  };
}

function barrierPoints(model: KernelModel): Record<number, BarrierPoint> {
  const points: Record<number, BarrierPoint> = {};
  for (const { barrier, instructions, terminator } of model.blocks) {
    if (barrier === undefined || terminator.kind !== 'jump') continue;
    const { line, text, source } = instructions.at(-1)!.instruction;
    points[terminator.target] = {
      id: barrier.id,
      threads: barrier.threads,
      line,
      text,
      ...(source === undefined ? {} : { source }),
    };
  }
  return points;
}

/**
 * Translates a kernel for blocks of one extent.
 * @throws CompileError for what the emulator does not know
 */
export function translateKernel(
  module: PtxModule,
  name: string,
  block: Dim3,
  options: TranslationOptions,
): TranslatedKernel {
  const fn = module.functions.get(name);
  if (fn === undefined) throw new RangeError(`The module has no kernel ${name}.`);
  const model = modelKernel(fn, 'PTX');
  const m = new binaryen.Module();
  try {
    addRuntime(m, options, {
      initial: HEAP_START / PAGE_BYTES,
      maximum: (HEAP_START + MAX_HEAP_BYTES) / PAGE_BYTES,
    });
    const t: Translation = {
      m,
      model,
      shapes: analyseShapes(model, block),
      slots: new RegisterSlots(model),
      symbols: layOut(module, fn),
      options,
      atomics: new AtomicFunctions(m),
      block,
    };
    const entries = entryBlocks(t);
    for (const entry of entries) m.addFunctionExport(emitHot(t, entry), `hot${entry}`);
    for (const mode of ['cold', 'lane'] as const) {
      emitDispatch(t, mode);
      m.addFunctionExport(mode, mode);
    }
    const splits: Record<number, SplitPoint> = {};
    for (const [id, meet] of t.shapes.divergent) {
      const point = splitPoint(t, id, meet);
      if (point !== undefined) splits[id] = point;
    }
    return {
      name,
      wasm: m.emitBinary(),
      entries,
      areaBytes: t.slots.bytes,
      stateBytes: stateBytes(t.slots),
      splits,
      barriers: barrierPoints(model),
      sites: model.sites.map(siteInfo),
      classes: model.blocks.map(classesOf),
      polls: model.pollingHeaders.size > 0,
    };
  } finally {
    m.dispose();
  }
}
