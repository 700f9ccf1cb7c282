import type { Dim3 } from '@ffma/core';
import type { Operand } from '../ptx/ast.js';
import { asksOnce } from './emit/host.js';
import type { Symbols } from './emit/operands.js';
import type { KernelModel, ModelInstruction } from './kernel-model.js';
import type { AccessOp, Op } from './lower/spec.js';
import {
  constant,
  isUniform,
  isVarying,
  join,
  plain,
  type Shape,
  sameShape,
  trailingZeros,
  UNIFORM,
  uniform,
  VARYING,
} from './shape.js';
import { specialShape } from './special-shape.js';

/** log2 of the alignment of module-scope variables. */
const HEAP_ALIGN = 8;

/** How every register differs between lanes, for one extent of blocks. */
export interface Shapes {
  of(register: string): Shape;
  ofOperand(operand: Operand): Shape;
  /** Blocks whose branch can split the lanes, with the block where they meet again (−1: only at the end). */
  readonly divergent: ReadonlyMap<number, number>;
}

function writes(op: Op): readonly (readonly [string, 'computed' | 'loaded' | 'atomic'])[] {
  if (op.kind === 'value' || op.kind === 'fma') return [[op.dst.reg, 'computed']];
  if (op.kind === 'load')
    return op.elements.flatMap((e) => (e === undefined ? [] : [[e.reg, 'loaded'] as const]));
  if (op.kind === 'host') return op.dst === undefined ? [] : [[op.dst.reg, 'computed']];
  if (op.kind === 'receive') return [[op.dst.reg, 'atomic']];
  if (op.kind === 'atomic')
    return op.elements.flatMap((e) => (e === undefined ? [] : [[e.reg, 'atomic'] as const]));
  return [];
}

class Analysis implements Shapes {
  readonly divergent = new Map<number, number>();
  readonly #model: KernelModel;
  readonly #block: Dim3;
  readonly #symbols: Symbols;
  readonly #shapes = new Map<string, Shape>();
  /** Registers that get different values on different sides of a branch that splits the lanes. */
  readonly #forced = new Set<string>();

  constructor(model: KernelModel, block: Dim3, symbols: Symbols) {
    this.#model = model;
    this.#block = block;
    this.#symbols = symbols;
    do {
      this.#shapes.clear();
      this.#settle();
    } while (this.#forceDiverging());
  }

  of(register: string): Shape {
    return this.#shapes.get(register) ?? UNIFORM;
  }

  ofOperand(operand: Operand): Shape {
    switch (operand.kind) {
      case 'reg':
        return operand.negate === true && isUniform(this.of(operand.name)) ? UNIFORM : this.of(operand.name);
      case 'int':
        return constant(operand.value);
      case 'special':
        return specialShape(operand.name, operand.dim, this.#block);
      case 'symbol':
        return this.#symbol(operand.name, operand.offset);
      default:
        return UNIFORM;
    }
  }

  /** An offset in a window, which is known, or an address that the heap aligns. */
  #symbol(name: string, offset: number): Shape {
    const at = this.#symbols.shared.get(name) ?? this.#symbols.local.get(name);
    if (at !== undefined) return constant(BigInt(at + offset));
    return uniform(Math.min(HEAP_ALIGN, trailingZeros(BigInt(offset))));
  }

  #settle(): void {
    let changed = true;
    while (changed) {
      changed = false;
      for (const id of this.#model.flow.reversePostorder) {
        for (const instruction of this.#model.blocks[id]!.instructions) {
          if (this.#apply(instruction)) changed = true;
        }
      }
    }
  }

  #apply(instruction: ModelInstruction): boolean {
    const guard = instruction.instruction.guard;
    const guarded = guard !== undefined && isVarying(this.of(guard.reg));
    let changed = false;
    for (const op of instruction.ops) {
      for (const [register, how] of writes(op)) {
        const made = guarded || this.#forced.has(register) ? VARYING : this.#result(op, how);
        const old = this.#shapes.get(register);
        // An unguarded first definition may still join with values from before; those are joined when met.
        const next = join(old, made);
        if (sameShape(old, next)) continue;
        this.#shapes.set(register, next);
        changed = true;
      }
    }
    return changed;
  }

  #result(op: Op, how: 'computed' | 'loaded' | 'atomic'): Shape {
    if (how === 'atomic') return VARYING;
    if (op.kind === 'load') return this.#loaded(op);
    if (op.kind === 'host')
      return asksOnce(op) ? plain(...op.values.map(({ operand }) => this.ofOperand(operand))) : VARYING;
    if (op.kind !== 'value' && op.kind !== 'fma') return VARYING;
    const shapes = op.srcs.map((src) => this.ofOperand(src.operand));
    return op.kind === 'value' && op.shape !== undefined ? op.shape(...shapes) : plain(...shapes);
  }

  /** What lies at one address is the same for all lanes, but in local memory, where a generic address may lead. */
  #loaded(op: AccessOp): Shape {
    const isPrivate = op.space === 'local' || (op.space === 'generic' && this.#symbols.local.size > 0);
    return !isPrivate && isUniform(this.#addressShape(op.address)) ? UNIFORM : VARYING;
  }

  #addressShape(address: Extract<Operand, { kind: 'address' }>): Shape {
    return address.base?.kind === 'reg' ? this.of(address.base.name) : UNIFORM;
  }

  /** Finds branches that can split the lanes, and what becomes varying because of them. True if that is news. */
  #forceDiverging(): boolean {
    let news = false;
    const { blocks, flow } = this.#model;
    for (const block of blocks) {
      const { terminator } = block;
      if (terminator.kind !== 'branch' || !isVarying(this.of(terminator.guard.reg))) continue;
      const meet = flow.immediatePostDominator[block.id]!;
      const end = meet === flow.virtualExit ? -1 : meet;
      this.divergent.set(block.id, end);
      if (end === -1) continue;
      const live = new Set(blocks[end]!.liveIn);
      for (const id of this.#region(block.id, end)) {
        for (const { ops } of blocks[id]!.instructions) {
          for (const [register] of ops.flatMap(writes)) {
            if (!live.has(register) || this.#forced.has(register)) continue;
            this.#forced.add(register);
            news = true;
          }
        }
      }
    }
    return news;
  }

  /** Blocks that lanes may run apart from each other: reached from the branch without passing where they meet. */
  #region(branch: number, end: number): Set<number> {
    const seen = new Set<number>();
    const pending = [...this.#model.blocks[branch]!.successors];
    for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
      if (id === end || seen.has(id)) continue;
      seen.add(id);
      pending.push(...this.#model.blocks[id]!.successors);
    }
    return seen;
  }
}

/** Finds what is uniform, what grows by a constant from lane to lane, and which branches can split the lanes. */
export function analyseShapes(model: KernelModel, block: Dim3, symbols: Symbols): Shapes {
  return new Analysis(model, block, symbols);
}
