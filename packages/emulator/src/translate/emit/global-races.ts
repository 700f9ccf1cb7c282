import binaryen from 'binaryen';
import { CONTROL } from '../../layout.js';
import { GLOBAL_ACCESS } from '../lower/memory-order.js';
import type { AccessOp, AtomicOp, Expr, Wasm } from '../lower/spec.js';
import type { LaneMask } from './accesses.js';
import type { Operands } from './operands.js';
import type { Toucher } from './races.js';
import type { Place } from './resolve.js';

/** Declares what the host does about accesses to global memory, where races between blocks are looked for. */
export function addGlobalRaceImports(m: Wasm): void {
  const { i32, none, createType } = binaryen;
  m.addFunctionImport('race_global', 'env', 'race_global', createType(Array<number>(9).fill(i32)), none);
  m.addFunctionImport('race_fence', 'env', 'race_fence', createType([i32, i32]), none);
}

/** What an operation is to other blocks. */
function flagsOf(op: AccessOp | AtomicOp): number {
  const { read, write, update } = GLOBAL_ACCESS;
  if (op.kind !== 'atomic') return (op.kind === 'load' ? read : write) | op.order;
  const returns = op.elements.some((element) => element !== undefined);
  return write | update | (returns ? read : 0) | op.order;
}

/** Emits what tells the host of every access to global memory. Accesses of less than a word are not followed. */
export class GlobalAccesses {
  readonly #o: Operands;

  constructor(operands: Operands) {
    this.#o = operands;
  }

  access(
    op: AccessOp | AtomicOp,
    site: number,
    place: Place,
    bytes: number,
    who: Toucher,
    step: number,
  ): void {
    if (bytes < 4 || (op.space !== 'global' && op.space !== 'generic')) return;
    const m = this.#o.f.m;
    const lane = who === 'own' ? this.#o.lane() : m.i32.const(typeof who === 'number' ? who : 0);
    const lanes = who === 'each' ? 4 : 1;
    const call = this.#call(flagsOf(op), site, place.x(), m.i32.const(bytes / 4), step, lanes, lane);
    if (op.space === 'global') {
      this.#o.out.push(call);
      return;
    }
    // The heap is above all other memory: offsets of what lies below wrap, and are beyond its end.
    const heap = m.i32.load(CONTROL.heapBytes, 4, m.i32.const(0));
    this.#o.out.push(m.if(m.i32.lt_u(place.x(), heap), call));
  }

  /** What a `cp.async` reads, at its issue. */
  copy(site: number, x: () => Expr, read: () => Expr, lane: number | undefined): void {
    const m = this.#o.f.m;
    const words = m.i32.shr_u(m.i32.add(read(), m.i32.const(3)), m.i32.const(2));
    const number = lane === undefined ? this.#o.lane() : m.i32.const(lane);
    this.#o.out.push(this.#call(GLOBAL_ACCESS.read, site, x(), words, 0, 1, number));
  }

  fence(mask: LaneMask): void {
    const m = this.#o.f.m;
    const call = m.call('race_fence', [this.#o.state(), this.#o.ctx()], binaryen.none);
    this.#o.out.push(mask === undefined ? call : m.if(mask(), call));
  }

  #call(flags: number, site: number, x: Expr, words: Expr, step: number, lanes: number, lane: Expr): Expr {
    const m = this.#o.f.m;
    const i = (value: number) => m.i32.const(value);
    const args = [i(flags), i(site), x, words, i(step), i(lanes), lane, this.#o.state(), this.#o.ctx()];
    return m.call('race_global', args, binaryen.none);
  }
}
