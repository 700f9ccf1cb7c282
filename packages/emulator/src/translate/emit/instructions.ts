import type { KernelModel, ModelBlock, ModelInstruction } from '../kernel-model.js';
import { located } from '../located.js';
import type { AccessOp, Expr, FmaOp, Scalar, ValueOp, Vector } from '../lower/spec.js';
import { mayProgress } from '../polling.js';
import { isVarying, plain, type Shape } from '../shape.js';
import { Accesses, type LaneMask } from './accesses.js';
import { emitAssert } from './assert.js';
import { type AtomicFunctions, emitAtomic, progress } from './atomics.js';
import { emitCopy, emitGroup } from './copies.js';
import { filled } from './filled.js';
import { fmaScalar, fmaVector } from './fma.js';
import { emitHost } from './host.js';
import { gather, spread } from './lanes.js';
import { lastUses } from './last-uses.js';
import type { Operands } from './operands.js';
import type { TranslationOptions } from './options.js';
import { isWide } from './registers.js';
import { emitReceive, emitSend } from './warp.js';

/** Emits the instructions of basic blocks in one mode. */
export class Instructions {
  readonly #o: Operands;
  readonly #model: KernelModel;
  readonly #options: TranslationOptions;
  readonly #accesses: Accesses;
  readonly #atomics: AtomicFunctions;
  /** Whether the block at hand is part of a loop that may wait. */
  #polls = false;

  constructor(operands: Operands, model: KernelModel, options: TranslationOptions, atomics: AtomicFunctions) {
    this.#o = operands;
    this.#model = model;
    this.#options = options;
    this.#accesses = new Accesses(operands, options, model);
    this.#atomics = atomics;
  }

  /** All of a block but its terminator. */
  block(block: ModelBlock): Expr[] {
    const o = this.#o;
    o.out = [];
    if (this.#options.counters) this.#count(block.id);
    const polls = this.#model.polling.blocks.has(block.id);
    if (polls && mayProgress(block)) o.out.push(progress(o, o.f.m.i32.const(1)));
    this.#polls = polls;
    const lastUse = lastUses(block, this.#model.crossing);
    block.instructions.forEach((instruction, index) => {
      located(this.#model, instruction.instruction, () => this.#instruction(instruction));
      o.endInstruction();
      for (const register of lastUse.get(index) ?? []) {
        o.forget(register);
        o.regs.release(register);
      }
    });
    o.forgetAll();
    return o.out;
  }

  #count(id: number): void {
    const m = this.#o.f.m;
    const at = this.#o.f.local('i32');
    const lanes = this.#o.mode === 'lane' ? 1 : 4;
    const get = () => this.#o.f.get(at, 'i32');
    this.#o.out.push(
      this.#o.f.set(at, this.#o.ctxField('blockCounts')),
      m.f64.store(8 * id, 8, get(), m.f64.add(m.f64.load(8 * id, 8, get()), m.f64.const(lanes))),
    );
  }

  #instruction(instruction: ModelInstruction): void {
    const guard = instruction.instruction.guard;
    if (guard === undefined) {
      this.#ops(instruction, undefined);
      return;
    }
    const o = this.#o;
    const m = o.f.m;
    if (o.regs.isScalar(guard.reg)) {
      const holds = o.regs.scalar(guard.reg);
      const body = o.tentative(() => this.#ops(instruction, undefined));
      o.out.push(m.if(guard.negate ? m.i32.eqz(holds) : holds, m.block(null, body)));
      for (const op of instruction.ops) if ('dst' in op && op.dst !== undefined) o.forget(op.dst.reg);
      return;
    }
    const bits = m.i32x4.bitmask(o.regs.vector(guard.reg, 0));
    const mask = o.keep('i32', guard.negate ? m.i32.xor(bits, m.i32.const(15)) : bits);
    this.#ops(instruction, mask);
  }

  #ops(instruction: ModelInstruction, mask: LaneMask): void {
    for (const op of instruction.ops) {
      switch (op.kind) {
        case 'value':
          this.#value(op, mask === undefined ? undefined : instruction);
          break;
        case 'fma':
          this.#fma(op, mask === undefined ? undefined : instruction);
          break;
        case 'load':
        case 'store':
          if (op.space === 'param') this.#param(instruction, mask);
          else this.#access(op, instruction.site!, mask);
          break;
        case 'atomic':
          emitAtomic(this.#o, this.#accesses, this.#atomics, op, instruction.site!, mask, this.#polls);
          break;
        case 'copy':
          emitCopy(this.#o, this.#accesses, op, instruction.site!, mask);
          break;
        case 'commit':
        case 'wait':
          // Groups of no copies: there is nothing to wait for.
          if (this.#model.copies) emitGroup(this.#o, op, this.#options.checks, mask);
          break;
        case 'host':
          emitHost(this.#o, this.#accesses, op, instruction.site!, mask);
          break;
        case 'send':
          emitSend(this.#o, op);
          break;
        case 'receive':
          emitReceive(this.#o, op);
          break;
        case 'assert':
          emitAssert(this.#o, op, instruction.instruction.line);
          break;
        case 'fence':
          this.#o.out.push(this.#o.f.m.atomic.fence());
          if (op.wide) this.#accesses.between?.fence(mask);
          break;
        default:
          break;
      }
    }
  }

  /** Workers are threads of the host, whose processor may reorder what blocks do to global memory. */
  #access(op: AccessOp, site: number, mask: LaneMask): void {
    const fence = () => this.#o.out.push(this.#o.f.m.atomic.fence());
    if (op.ordered && op.kind === 'store') fence();
    this.#accesses.emit(op, site, mask);
    if (op.ordered && op.kind === 'load') fence();
  }

  /** Shape of what the operation makes, from its operands as they are now. */
  #shape(op: ValueOp | FmaOp): Shape {
    const shapes = op.srcs.map(({ operand }) => this.#o.shape(operand));
    return op.kind === 'value' && op.shape !== undefined && this.#o.mode !== 'lane'
      ? op.shape(...shapes)
      : plain(...shapes);
  }

  #value(narrow: ValueOp, guarded: ModelInstruction | undefined): void {
    const o = this.#o;
    const m = o.f.m;
    const op = filled(o, narrow);
    const shape = this.#shape(op);
    const { reg, kind } = op.dst;
    if (!isVarying(shape)) {
      const scalar = op.scalar(
        m,
        ...op.srcs.map(
          (src): Scalar =>
            () =>
              o.scalar(src),
        ),
      );
      this.#setSame(reg, o.toRegister(scalar, kind, reg), shape.stride!, guarded);
      return;
    }
    const halves = this.#halves(reg);
    const made = halves.map((half) => {
      if (op.vector === undefined) {
        return o.keep(
          'v128',
          gather(o.f.m, kind, half, (lane) =>
            op.scalar(
              m,
              ...op.srcs.map(
                (src): Scalar =>
                  () =>
                    o.laneOf(src, lane),
              ),
            ),
          ),
        );
      }
      const args = op.srcs.map(
        (src): Vector =>
          (h) =>
            o.vector(src, h),
      );
      return o.keep('v128', op.vector(m, half, ...args));
    });
    this.#setVaried(reg, made, guarded);
  }

  #halves(register: string): readonly (0 | 1)[] {
    return isWide(this.#o.regs.kind(register)) ? [0, 1] : [0];
  }

  #fma(op: FmaOp, guarded: ModelInstruction | undefined): void {
    const o = this.#o;
    const { reg } = op.dst;
    if (!isVarying(this.#shape(op))) {
      this.#setSame(reg, o.toRegister(fmaScalar(o, op, this.#options.fma), 'f32', reg), 0, guarded);
      return;
    }
    const value = fmaVector(o, op, this.#options.fma);
    if (guarded === undefined) {
      o.out.push(o.regs.setVector(reg, 0, value));
      o.forget(reg);
      return;
    }
    this.#setVaried(reg, [o.keep('v128', value)], guarded);
  }

  /** Writes a value that is the same in all lanes, or steps by `stride`. */
  #setSame(register: string, value: Expr, stride: number, guarded: ModelInstruction | undefined): void {
    const o = this.#o;
    if (o.regs.isScalar(register)) {
      o.out.push(o.regs.setScalar(register, value));
      o.forget(register);
      return;
    }
    const kind = o.regs.kind(register);
    const kept = o.keep(kind === 'pred' ? 'i32' : kind, value);
    this.#setVaried(
      register,
      this.#halves(register).map((half) => o.keep('v128', spread(o.f.m, kept(), kind, stride, half))),
      guarded,
    );
  }

  /** Writes vectors, in the lanes that the guard lets through. */
  #setVaried(register: string, made: readonly (() => Expr)[], guarded: ModelInstruction | undefined): void {
    const o = this.#o;
    const m = o.f.m;
    const guard = guarded?.instruction.guard;
    made.forEach((value, i) => {
      const half = i as 0 | 1;
      let result = value();
      if (guard !== undefined) {
        const narrow = () => o.regs.vector(guard.reg, 0);
        const from = half * 8;
        const pairs = [0, 1].flatMap((word) =>
          [0, 1].flatMap(() => [0, 1, 2, 3].map((b) => from + 4 * word + b)),
        );
        const mask = made.length === 1 ? narrow() : m.i8x16.shuffle(narrow(), narrow(), pairs);
        const old = o.regs.vector(register, half);
        result = guard.negate ? m.v128.bitselect(old, result, mask) : m.v128.bitselect(result, old, mask);
      }
      o.out.push(o.regs.setVector(register, half, result));
    });
    o.forget(register);
  }

  /** Parameters are constants of the launch: read without checks, alike for all lanes. */
  #param(instruction: ModelInstruction, mask: LaneMask): void {
    const o = this.#o;
    for (const op of instruction.ops) {
      if (op.kind !== 'load' || op.address.base?.kind === 'reg')
        throw new RangeError('A parameter is read by name.');
      const start = o.symbols.params.get(op.address.base?.name ?? '');
      if (start === undefined) throw new RangeError(`The kernel has no parameter ${op.address.base?.name}.`);
      const data = { at: () => o.ctxConstant('params'), offset: start + op.address.offset };
      op.elements.forEach((dst, i) => {
        if (dst === undefined) return;
        const value = this.#accesses.data.loadScalar(op, { data }, i * op.bytes, dst.reg);
        this.#setSame(dst.reg, value, 0, mask === undefined ? undefined : instruction);
      });
    }
  }
}
