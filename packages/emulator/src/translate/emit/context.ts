import type { Dim3 } from '@ffma/core';
import type { KernelModel } from '../kernel-model.js';
import type { Expr, Wasm } from '../lower/spec.js';
import type { Shapes } from '../shapes.js';
import type { AtomicFunctions } from './atomics.js';
import { FunctionBuilder, type WasmType } from './function-builder.js';
import { Instructions } from './instructions.js';
import { Operands, type Symbols } from './operands.js';
import type { Mode, TranslationOptions } from './options.js';
import { type RegisterSlots, Registers } from './registers.js';

/** What all functions of one translation share. */
export interface Translation {
  readonly m: Wasm;
  readonly model: KernelModel;
  readonly shapes: Shapes;
  readonly slots: RegisterSlots;
  readonly symbols: Symbols;
  readonly options: TranslationOptions;
  readonly atomics: AtomicFunctions;
  readonly block: Dim3;
}

/** The parts that emit one function. */
export interface FunctionParts {
  readonly f: FunctionBuilder;
  readonly regs: Registers;
  readonly operands: Operands;
  readonly instructions: Instructions;
}

/** Parameters: hot and cold (state, ctx, start); lane (state, ctx, start, stop, lane). */
const PARAMS: Readonly<Record<Mode, readonly WasmType[]>> = {
  hot: ['i32', 'i32', 'i32'],
  cold: ['i32', 'i32', 'i32'],
  lane: ['i32', 'i32', 'i32', 'i32', 'i32'],
};

export function functionParts(t: Translation, mode: Mode): FunctionParts {
  const f = new FunctionBuilder(t.m, PARAMS[mode]);
  const regs = new Registers(f, t.model, t.shapes, t.slots, mode, mode === 'lane' ? 4 : undefined);
  const operands = new Operands(f, regs, t.shapes, t.symbols, mode, t.block);
  return { f, regs, operands, instructions: new Instructions(operands, t.model, t.options, t.atomics) };
}

/** Whether control must be handed over at a back edge to this header, and under which condition (absent: always). */
export function yieldsAt(t: Translation, header: number): 'always' | 'when-log-full' | undefined {
  if (t.model.polling.headers.has(header)) return 'always';
  return t.options.counters && t.model.loopEntries.has(header) ? 'when-log-full' : undefined;
}

/** Whether an edge goes back: every loop has one, those with several entries too. */
export function isBackEdge(t: Translation, from: number, to: number): boolean {
  const { backEdges, irreducibleEdges } = t.model.flow;
  return [...backEdges, ...irreducibleEdges].some((edge) => edge.from === from && edge.to === to);
}

/** Ends a block that traps: reported for the lane that runs, or for the first of four. */
export function trap({ f, operands }: FunctionParts, block: number): Expr {
  const { m } = f;
  const lane = operands.mode === 'lane' ? operands.lane() : m.i32.const(0);
  return m.block(null, [
    m.call('trap', [m.i32.const(block), lane, operands.state(), operands.ctx()], 0),
    m.unreachable(),
  ]);
}

/** The lanes' values of a guard, as a bit each. */
export function guardBits(parts: FunctionParts, register: string): Expr {
  return parts.f.m.i32x4.bitmask(parts.regs.vector(register, 0));
}
