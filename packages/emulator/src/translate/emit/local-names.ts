import binaryen from 'binaryen';
import type { Expr, Wasm } from '../lower/spec.js';
import type { WasmType } from './function-builder.js';

/** Parameters and locals of a function that is written by hand, by name. */
export class LocalNames<Name extends string> {
  readonly #m: Wasm;
  readonly #names: readonly (readonly [Name, WasmType])[];
  readonly #params: number;

  /** @param params how many of the names are parameters: the first */
  constructor(m: Wasm, params: number, names: Readonly<Record<Name, WasmType>>) {
    this.#m = m;
    this.#params = params;
    this.#names = Object.entries(names) as [Name, WasmType][];
  }

  #index(name: Name): number {
    return this.#names.findIndex(([known]) => known === name);
  }

  get(name: Name): Expr {
    const index = this.#index(name);
    return this.#m.local.get(index, binaryen[this.#names[index]![1]]);
  }

  set(name: Name, value: Expr): Expr {
    return this.#m.local.set(this.#index(name), value);
  }

  /** Adds the function to the module. */
  define(name: string, result: WasmType | 'none', body: readonly Expr[]): void {
    const types = this.#names.map(([, type]) => binaryen[type]);
    const params = binaryen.createType(types.slice(0, this.#params));
    const returned = binaryen[result];
    this.#m.addFunction(
      name,
      params,
      returned,
      types.slice(this.#params),
      this.#m.block(null, [...body], returned),
    );
  }
}
