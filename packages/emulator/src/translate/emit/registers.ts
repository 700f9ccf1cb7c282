import { QUAD } from '../../layout.js';
import type { KernelModel } from '../kernel-model.js';
import { type Expr, typeBytes, type ValueKind, type Wasm } from '../lower/spec.js';
import { isVarying, type Shape, UNIFORM } from '../shape.js';
import type { Shapes } from '../shapes.js';
import type { FunctionBuilder, WasmType } from './function-builder.js';
import type { Mode } from './options.js';

/** Where each crossing register lies in a group's register area: lanes side by side. */
export class RegisterSlots {
  readonly #offsets = new Map<string, number>();
  /** Bytes of one area. */
  readonly bytes: number;

  constructor(model: KernelModel) {
    let next = 0;
    for (const register of model.crossing) {
      this.#offsets.set(register, next);
      next += isWide(model.kindOf(register)) ? 32 : 16;
    }
    this.bytes = next;
  }

  /** Bytes from the start of the area. */
  offset(register: string): number {
    return this.#offsets.get(register)!;
  }
}

export const isWide = (kind: ValueKind): boolean => kind === 'i64' || kind === 'f64';

export const wasmTypeOf = (kind: ValueKind): WasmType => (kind === 'pred' ? 'i32' : kind);

/**
 * Reads and writes PTX registers in one mode. A register whose lanes are known to be equal, or to grow by a
 * constant, is one scalar, lane 0's; so is every register of lane code. The others are one v128, or two for 64 bits.
 * Predicates are 0 or 1 as scalars, 0 or all ones in a vector and in memory.
 */
export class Registers {
  readonly #f: FunctionBuilder;
  readonly #m: Wasm;
  readonly #model: KernelModel;
  readonly #shapes: Shapes;
  readonly #slots: RegisterSlots;
  readonly #mode: Mode;
  /** Locals of a register: one, or two halves. */
  readonly #locals = new Map<string, readonly number[]>();
  /** Lane code: address of the lane's 32-bit and 64-bit slots. */
  readonly #laneBase: { readonly narrow: number; readonly wide: number } | undefined;

  constructor(
    f: FunctionBuilder,
    model: KernelModel,
    shapes: Shapes,
    slots: RegisterSlots,
    mode: Mode,
    laneParam?: number,
  ) {
    this.#f = f;
    this.#m = f.m;
    this.#model = model;
    this.#shapes = shapes;
    this.#slots = slots;
    this.#mode = mode;
    if (mode === 'lane' && laneParam !== undefined) {
      this.#laneBase = { narrow: f.local('i32'), wide: f.local('i32') };
    }
  }

  /** Statements that a lane function starts with. */
  prologue(state: () => Expr, lane: () => Expr): Expr[] {
    const base = this.#laneBase;
    if (base === undefined) return [];
    const m = this.#m;
    const at = (shift: number) => m.i32.add(state(), m.i32.shl(lane(), m.i32.const(shift)));
    return [this.#f.set(base.narrow, at(2)), this.#f.set(base.wide, at(3))];
  }

  kind(register: string): ValueKind {
    return this.#model.kindOf(register);
  }

  /** Bytes of the register as the kernel declares it. */
  declaredBytes(register: string): number {
    return typeBytes(this.#model.fn.registers.get(register)!);
  }

  shape(register: string): Shape {
    return this.#mode === 'lane' ? UNIFORM : this.#shapes.of(register);
  }

  isScalar(register: string): boolean {
    return this.#mode === 'lane' || !isVarying(this.#shapes.of(register));
  }

  #inMemory(register: string): boolean {
    return this.#mode !== 'hot' && this.#model.crossing.has(register);
  }

  #localsOf(register: string): readonly number[] {
    let locals = this.#locals.get(register);
    if (locals === undefined) {
      const count = !this.isScalar(register) && isWide(this.kind(register)) ? 2 : 1;
      const type = this.#typeOf(register);
      // A register that crosses blocks must not share its local with values of any block.
      const crossing = this.#model.crossing.has(register);
      locals = Array.from({ length: count }, () => (crossing ? this.#f.local(type) : this.#f.acquire(type)));
      this.#locals.set(register, locals);
    }
    return locals;
  }

  #typeOf(register: string): WasmType {
    return this.isScalar(register) ? wasmTypeOf(this.kind(register)) : 'v128';
  }

  /** Gives back the locals of registers that are not read any more. */
  release(register: string): void {
    const locals = this.#locals.get(register);
    if (locals === undefined || this.#model.crossing.has(register)) return;
    for (const local of locals) this.#f.release(this.#typeOf(register), local);
    this.#locals.delete(register);
  }

  /** Offset of a slot from `state`, and the address to add it to. */
  #place(register: string): { base: Expr; offset: number } {
    const area = this.#mode === 'lane' ? QUAD.registers + this.#slots.bytes : QUAD.registers;
    const offset = area + this.#slots.offset(register);
    const lane = this.#laneBase;
    const base = lane === undefined ? 0 : isWide(this.kind(register)) ? lane.wide : lane.narrow;
    return { base: this.#f.get(base, 'i32'), offset };
  }

  /** The scalar of a register, or lane 0 of a vector's first half. */
  scalar(register: string): Expr {
    if (!this.#inMemory(register)) return this.#f.get(this.#localsOf(register)[0]!, this.#typeOf(register));
    return this.#loadScalar(register);
  }

  #loadScalar(register: string): Expr {
    const { base, offset } = this.#place(register);
    const kind = this.kind(register);
    const m = this.#m;
    if (kind === 'pred') return m.i32.and(m.i32.load(offset, 4, base), m.i32.const(1));
    return m[kind].load(offset, isWide(kind) ? 8 : 4, base);
  }

  #storeScalar(register: string, value: Expr): Expr {
    const { base, offset } = this.#place(register);
    const kind = this.kind(register);
    const m = this.#m;
    if (kind === 'pred') return m.i32.store(offset, 4, base, m.i32.sub(m.i32.const(0), value));
    return m[kind].store(offset, isWide(kind) ? 8 : 4, base, value);
  }

  setScalar(register: string, value: Expr): Expr {
    if (!this.#inMemory(register)) return this.#f.set(this.#localsOf(register)[0]!, value);
    return this.#storeScalar(register, value);
  }

  vector(register: string, half: 0 | 1): Expr {
    if (!this.#inMemory(register)) return this.#f.get(this.#localsOf(register)[half]!, 'v128');
    const { base, offset } = this.#place(register);
    return this.#m.v128.load(offset + 16 * half, 4, base);
  }

  setVector(register: string, half: 0 | 1, value: Expr): Expr {
    if (!this.#inMemory(register)) return this.#f.set(this.#localsOf(register)[half]!, value);
    const { base, offset } = this.#place(register);
    return this.#m.v128.store(offset + 16 * half, 4, base, value);
  }

  /** Hot code: fills a register's locals from its slot. */
  load(register: string): Expr {
    const locals = this.#localsOf(register);
    if (this.isScalar(register)) return this.#f.set(locals[0]!, this.#loadScalar(register));
    const { offset } = this.#place(register);
    return this.#m.block(
      null,
      locals.map((local, half) =>
        this.#f.set(local, this.#m.v128.load(offset + 16 * half, 4, this.#place(register).base)),
      ),
    );
  }

  /** Hot code: writes a register's locals to its slot. */
  store(register: string): Expr {
    const locals = this.#localsOf(register);
    if (this.isScalar(register))
      return this.#storeScalar(register, this.#f.get(locals[0]!, this.#typeOf(register)));
    const { offset } = this.#place(register);
    return this.#m.block(
      null,
      locals.map((local, half) =>
        this.#m.v128.store(offset + 16 * half, 4, this.#place(register).base, this.#f.get(local, 'v128')),
      ),
    );
  }
}

export const stateBytes = (slots: RegisterSlots): number => QUAD.registers + 2 * slots.bytes;
