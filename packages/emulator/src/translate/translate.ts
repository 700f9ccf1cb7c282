import type { Dim3 } from '@ffma/core';
import binaryen from 'binaryen';
import { HEAP_START, MAX_HEAP_BYTES, PAGE_BYTES } from '../layout.js';
import type { PtxModule } from '../ptx/ast.js';
import { looksBetweenBlocks } from '../sanitizers.js';
import { AtomicFunctions } from './emit/atomics.js';
import type { Translation } from './emit/context.js';
import { addCopyFunctions } from './emit/copies.js';
import { emitDispatch } from './emit/dispatch.js';
import { addGlobalRaceImports } from './emit/global-races.js';
import { addHostImports } from './emit/host.js';
import { emitHot } from './emit/hot.js';
import type { TranslationOptions } from './emit/options.js';
import { addRaceFunctions } from './emit/race-functions.js';
import { hotFunctions } from './emit/regions.js';
import { RegisterSlots, stateBytes } from './emit/registers.js';
import { addRuntime } from './emit/runtime-functions.js';
import {
  barrierPoints,
  classesOf,
  endingBlocks,
  pollPoints,
  quietPoints,
  siteInfo,
  splitPoint,
  trapPoints,
} from './kernel-facts.js';
import { layOut } from './kernel-memory.js';
import { modelKernel } from './kernel-model.js';
import { analyseShapes } from './shapes.js';
import type { SplitPoint, TranslatedKernel } from './translated-kernel.js';

/** Which functions can be needed that run lanes apart, or together again after that. */
function dispatchModes({ shapes, block: [x, y, z], options, model }: Translation): ('cold' | 'lane')[] {
  if (shapes.divergent.size > 0 || (x * y * z) % 4 !== 0) return ['cold', 'lane'];
  // A loop that only computes comes back to its header, where nothing else may start.
  return options.checks && model.quiet.size > 0 ? ['cold'] : [];
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
  const symbols = layOut(module, fn);
  const m = new binaryen.Module();
  try {
    addRuntime(m, options, {
      initial: HEAP_START / PAGE_BYTES,
      maximum: (HEAP_START + MAX_HEAP_BYTES) / PAGE_BYTES,
    });
    const t: Translation = {
      m,
      model,
      shapes: analyseShapes(model, block, symbols),
      slots: new RegisterSlots(model),
      symbols,
      options,
      atomics: new AtomicFunctions(m),
      block,
    };
    if (options.sanitizers.racecheck !== false) addRaceFunctions(m);
    if (looksBetweenBlocks(options.sanitizers)) addGlobalRaceImports(m);
    if (model.signals) addHostImports(m);
    if (model.copies) addCopyFunctions(m, options, stateBytes(t.slots));
    const hot = hotFunctions(t);
    for (const one of hot) {
      emitHot(t, one);
      m.addFunctionExport(one.name, one.name);
    }
    for (const mode of dispatchModes(t)) {
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
      hot: hot.map(({ name: fn, starts }) => ({ name: fn, starts })),
      areaBytes: t.slots.bytes,
      stateBytes: stateBytes(t.slots),
      splits,
      barriers: barrierPoints(model),
      ends: endingBlocks(model),
      traps: trapPoints(model),
      sites: model.sites.map(siteInfo),
      classes: model.blocks.map(classesOf),
      polls: pollPoints(t),
      quiet: options.checks ? quietPoints(t) : {},
      copies: model.copies,
      signals: model.signals,
      awaitsBlocks: model.polling.blocksToo,
    };
  } finally {
    m.dispose();
  }
}
