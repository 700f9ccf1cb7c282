import binaryen from 'binaryen';
import type { Expr } from '../lower/spec.js';
import type { Translation } from './context.js';
import type { FunctionBuilder } from './function-builder.js';
import type { Mode } from './options.js';

/** Turns of loops that a function makes before it hands over, to let it be seen whether they lead anywhere. */
const TURNS: Readonly<Record<Mode, number>> = { hot: 1 << 22, cold: 1 << 12, lane: 1 << 12 };

/** Counts the turns of loops that might never end, in one function. Only with checks. */
export class Fuel {
  readonly #t: Translation;
  readonly #f: FunctionBuilder;
  readonly #turns: number;
  #local: number | undefined;

  constructor(t: Translation, f: FunctionBuilder, mode: Mode) {
    this.#t = t;
    this.#f = f;
    this.#turns = TURNS[mode];
  }

  /** What to do on the way back to `header`, with `leave` where it is time to hand over; nothing for most loops. */
  burn(header: number, leave: () => Expr): Expr[] {
    if (!this.#t.options.checks || !this.#t.model.quiet.has(header)) return [];
    const { m } = this.#f;
    this.#local ??= this.#f.local('i32');
    const next = m.i32.add(this.#f.get(this.#local, 'i32'), m.i32.const(1));
    return [m.if(m.i32.eq(m.local.tee(this.#local, next, binaryen.i32), m.i32.const(this.#turns)), leave())];
  }
}
