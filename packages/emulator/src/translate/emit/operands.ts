import type { Dim3 } from '@ffma/core';
import { CTX, PARAM_WINDOW } from '../../layout.js';
import type { Operand } from '../../ptx/ast.js';
import { EVEN_WORDS } from '../lower/helpers.js';
import type { Expr, Source, ValueKind } from '../lower/spec.js';
import { isVarying, type Shape, UNIFORM } from '../shape.js';
import type { Shapes } from '../shapes.js';
import type { FunctionBuilder, WasmType } from './function-builder.js';
import { extract, placeOf, spread, stepped } from './lanes.js';
import type { Mode } from './options.js';
import { isWide, type Registers } from './registers.js';
import { specialRegister, specialVector } from './special-registers.js';

/** Where names that stand for addresses lie. */
export interface Symbols {
  /** Offset of a shared variable in the block's shared memory. */
  readonly shared: ReadonlyMap<string, number>;
  /** Offset of a local variable in the thread's local memory. */
  readonly local: ReadonlyMap<string, number>;
  /** Offset in the parameter block of the 8-byte device address of a module-scope variable. */
  readonly module: ReadonlyMap<string, number>;
  /** Bytes of shared memory before what the launch adds. */
  readonly sharedBytes?: number;
  /** Offset of a kernel parameter in the parameter block. */
  readonly params: ReadonlyMap<string, number>;
}

/** Makes expressions for instruction operands in one mode. */
export class Operands {
  readonly f: FunctionBuilder;
  readonly regs: Registers;
  readonly symbols: Symbols;
  readonly mode: Mode;
  readonly #shapes: Shapes;
  readonly block: Dim3;
  /** Statements of the block so far. What an expression needs to have happened before it is appended here. */
  out: Expr[] = [];
  /** Vectors made from scalars since the block began, by what they were made from: local of each. */
  #memo = new Map<string, number>();
  /** Registers that some of those may be made from: most are asked about in vain. */
  readonly #memoised = new Set<string>();
  readonly #constants = new Map<
    'shared' | 'sharedShadow' | 'sharedBytes' | 'params' | 'race' | 'racePitch',
    number
  >();
  readonly #temporaries: [WasmType, number][] = [];

  constructor(
    f: FunctionBuilder,
    regs: Registers,
    shapes: Shapes,
    symbols: Symbols,
    mode: Mode,
    block: Dim3,
  ) {
    this.f = f;
    this.regs = regs;
    this.symbols = symbols;
    this.mode = mode;
    this.#shapes = shapes;
    this.block = block;
  }

  state(): Expr {
    return this.f.get(0, 'i32');
  }

  ctx(): Expr {
    return this.f.get(1, 'i32');
  }

  ctxField(field: Exclude<keyof typeof CTX, 'bytes' | 'clock'>, index = 0): Expr {
    return this.f.m.i32.load(CTX[field] + 4 * index, 4, this.ctx());
  }

  /** A field that stays as it is while the function runs: read once, at its start. */
  ctxConstant(field: 'shared' | 'sharedShadow' | 'sharedBytes' | 'params' | 'race' | 'racePitch'): Expr {
    let local = this.#constants.get(field);
    if (local === undefined) {
      local = this.f.local('i32');
      this.#constants.set(field, local);
    }
    return this.f.get(local, 'i32');
  }

  /** Statements for the start of the function, once its body has been emitted. */
  prologue(): Expr[] {
    return [...this.#constants].map(([field, local]) => this.f.set(local, this.ctxField(field)));
  }

  /** Number of the lane that lane code runs. */
  lane(): Expr {
    return this.f.get(4, 'i32');
  }

  shape(operand: Operand): Shape {
    return this.mode === 'lane' ? UNIFORM : this.#shapes.ofOperand(operand);
  }

  // ---- memo of vectors, forgotten at the end of a block and when a register changes

  forgetAll(): void {
    for (const local of this.#memo.values()) this.f.release('v128', local);
    this.#memo.clear();
    this.#memoised.clear();
  }

  forget(register: string): void {
    if (!this.#memoised.delete(register)) return;
    for (const [key, local] of this.#memo) {
      if (!key.startsWith(`${register} `)) continue;
      this.f.release('v128', local);
      this.#memo.delete(key);
    }
  }

  /** The statements that `body` appends; what it memoises is forgotten, because they may not be executed. */
  tentative(body: () => void): Expr[] {
    const outer = this.#memo;
    const statements = this.out;
    this.#memo = new Map(outer);
    this.out = [];
    body();
    const inner = this.out;
    this.out = statements;
    for (const [key, local] of this.#memo) if (outer.get(key) !== local) this.f.release('v128', local);
    // Registers that changed inside were forgotten from the copy; forget them from the outer one too.
    for (const [key, local] of [...outer]) if (this.#memo.get(key) !== local) outer.delete(key);
    this.#memo = outer;
    return inner;
  }

  /** A local until the end of the instruction. */
  temporary(type: WasmType): number {
    const local = this.f.acquire(type);
    this.#temporaries.push([type, local]);
    return local;
  }

  /** Appends a statement that keeps `value` until the end of the instruction; returns how to read it. */
  keep(type: WasmType, value: Expr): () => Expr {
    const local = this.temporary(type);
    this.out.push(this.f.set(local, value));
    return () => this.f.get(local, type);
  }

  endInstruction(): void {
    for (const [type, local] of this.#temporaries) this.f.release(type, local);
    this.#temporaries.length = 0;
  }

  /** The vector called `key`, computed once in a block. */
  memo(key: string, make: () => Expr): Expr {
    const known = this.#memo.get(key);
    if (known !== undefined) return this.f.get(known, 'v128');
    const local = this.f.acquire('v128');
    this.#memo.set(key, local);
    this.#memoised.add(key.slice(0, key.indexOf(' ')));
    this.out.push(this.f.set(local, make()));
    return this.f.get(local, 'v128');
  }

  // ---- scalars

  /** The value in the lane that runs, or lane 0's of one that is not varying. */
  scalar({ operand, kind }: Source): Expr {
    const { f } = this;
    const m = f.m;
    switch (operand.kind) {
      case 'reg': {
        const own = this.regs.kind(operand.name);
        const value = this.#as(this.regs.scalar(operand.name), own, kind);
        return operand.negate === true ? m.i32.eqz(value) : value;
      }
      case 'int':
        if (kind === 'i64') return m.i64.const(BigInt.asIntN(64, operand.value));
        if (kind === 'pred') return m.i32.const(operand.value === 0n ? 0 : 1);
        if (kind === 'f32' || kind === 'f64') return m[kind].const(Number(operand.value));
        return m.i32.const(Number(BigInt.asIntN(32, operand.value)));
      case 'f32':
        return kind === 'i32'
          ? m.i32.const(operand.bits | 0)
          : m.f32.reinterpret(m.i32.const(operand.bits | 0));
      case 'f64':
        if (kind === 'f32')
          return m.f32.demote(m.f64.reinterpret(m.i64.const(BigInt.asIntN(64, operand.bits))));
        return kind === 'i64'
          ? m.i64.const(BigInt.asIntN(64, operand.bits))
          : m.f64.reinterpret(m.i64.const(BigInt.asIntN(64, operand.bits)));
      case 'special':
        return specialRegister(this, operand.name, operand.dim, kind);
      case 'symbol':
        return this.#symbol(operand.name, operand.offset, kind);
      default:
        throw new RangeError(`An operand of kind ${operand.kind} is no value.`);
    }
  }

  #as(value: Expr, own: ValueKind, wanted: ValueKind): Expr {
    const m = this.f.m;
    if (own === wanted || wanted === 'pred' || own === 'pred') return value;
    if (own === 'i32' && wanted === 'f32') return m.f32.reinterpret(value);
    if (own === 'f32' && wanted === 'i32') return m.i32.reinterpret(value);
    if (own === 'i64' && wanted === 'f64') return m.f64.reinterpret(value);
    if (own === 'f64' && wanted === 'i64') return m.i64.reinterpret(value);
    if (own === 'i32' && wanted === 'i64') return m.i64.extend_u(value);
    if (own === 'i64' && wanted === 'i32') return m.i32.wrap(value);
    throw new RangeError(`A register of kind ${own} cannot be read as ${wanted}.`);
  }

  /** Converts a value to what a register of another kind of the same width holds. */
  toRegister(value: Expr, made: ValueKind, register: string): Expr {
    return this.#as(value, made, this.regs.kind(register));
  }

  #symbol(name: string, offset: number, kind: ValueKind): Expr {
    const m = this.f.m;
    const at = this.symbols.shared.get(name) ?? this.symbols.local.get(name);
    if (at !== undefined) return kind === 'i64' ? m.i64.const(BigInt(at + offset)) : m.i32.const(at + offset);
    const param = this.symbols.params.get(name);
    if (param !== undefined) return m.i64.const(PARAM_WINDOW + BigInt(param + offset));
    const slot = this.symbols.module.get(name);
    if (slot === undefined) throw new RangeError(`The name ${name} is not declared.`);
    return m.i64.add(m.i64.load(slot, 8, this.ctxConstant('params')), m.i64.const(BigInt(offset)));
  }

  // ---- vectors

  /** A half of the four lanes' values. */
  vector(src: Source, half: 0 | 1): Expr {
    const { operand, kind } = src;
    const shape = this.shape(operand);
    if (operand.kind === 'special' && isVarying(shape)) {
      return specialVector(this, operand.name, operand.dim);
    }
    if (operand.kind === 'reg' && isVarying(shape)) {
      const value = this.#vectorAs(operand.name, kind, half);
      return operand.negate === true ? this.f.m.v128.not(value) : value;
    }
    const make = () => spread(this.f.m, this.scalar(src), kind, shape.stride!, half);
    if (operand.kind !== 'reg') return make();
    return this.memo(`${operand.name} ${kind} ${half}${operand.negate === true ? '!' : ''}`, make);
  }

  /** A varying register as a kind that may be narrower or wider than its own. */
  #vectorAs(register: string, kind: ValueKind, half: 0 | 1): Expr {
    const m = this.f.m;
    const wide = isWide(this.regs.kind(register));
    if (wide === isWide(kind)) return this.regs.vector(register, half);
    if (wide)
      return m.i8x16.shuffle(this.regs.vector(register, 0), this.regs.vector(register, 1), EVEN_WORDS);
    return m.i64x2[half === 0 ? 'extend_low_i32x4_u' : 'extend_high_i32x4_u'](this.regs.vector(register, 0));
  }

  /** One lane's value of any operand, in code for four lanes. */
  laneOf(src: Source, lane: number): Expr {
    const { kind, operand } = src;
    const shape = this.shape(operand);
    if (!isVarying(shape)) return stepped(this.f.m, this.scalar(src), kind, shape.stride! * lane);
    const { half, index } = placeOf(kind, lane);
    return extract(this.f.m, this.vector(src, half), kind, index);
  }
}
