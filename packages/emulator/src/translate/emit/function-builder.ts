import binaryen from 'binaryen';
import type { Expr, Wasm } from '../lower/spec.js';

export type WasmType = 'i32' | 'i64' | 'f32' | 'f64' | 'v128';

/** Locals of one WebAssembly function. Those of values that live inside one basic block are used again. */
export class FunctionBuilder {
  readonly m: Wasm;
  readonly i64 = binaryen.i64;
  readonly v128 = binaryen.v128;
  readonly #params: readonly WasmType[];
  readonly #locals: WasmType[] = [];
  readonly #free = new Map<WasmType, number[]>();

  constructor(m: Wasm, params: readonly WasmType[]) {
    this.m = m;
    this.#params = params;
  }

  /** A local for good. */
  local(type: WasmType): number {
    this.#locals.push(type);
    return this.#params.length + this.#locals.length - 1;
  }

  /** A local until {@link release}. */
  acquire(type: WasmType): number {
    return this.#free.get(type)?.pop() ?? this.local(type);
  }

  release(type: WasmType, local: number): void {
    const list = this.#free.get(type);
    if (list === undefined) this.#free.set(type, [local]);
    else list.push(local);
  }

  get(local: number, type: WasmType): Expr {
    return this.m.local.get(local, binaryen[type]);
  }

  set(local: number, value: Expr): Expr {
    return this.m.local.set(local, value);
  }

  finish(name: string, body: Expr): void {
    this.m.addFunction(
      name,
      binaryen.createType(this.#params.map((type) => binaryen[type])),
      binaryen.i32,
      this.#locals.map((type) => binaryen[type]),
      body,
    );
  }
}
