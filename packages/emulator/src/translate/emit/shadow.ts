import { QUAD, SHADOW_ALLOCATED, SHADOW_VALID } from '../../layout.js';
import type { Sanitizers } from '../../sanitizers.js';
import type { Expr } from '../lower/spec.js';
import type { Operands } from './operands.js';
import type { Place } from './resolve.js';

const repeat = (byte: number, count: number): number =>
  count === 4 ? (byte * 0x01010101) | 0 : count === 2 ? byte * 0x0101 : byte;

/** Cuts a run of `count` shadow bytes into pieces of 4, 2 and 1. */
function pieces(count: number): { at: number; size: 1 | 2 | 4 }[] {
  const result: { at: number; size: 1 | 2 | 4 }[] = [];
  for (let at = 0; at < count; ) {
    const size = count - at >= 4 ? 4 : count - at >= 2 ? 2 : 1;
    result.push({ at, size });
    at += size;
  }
  return result;
}

/** Who touches a run of memory, and what reports that it must not be touched. */
export interface Touch {
  /** The first lane: a number, or the lane that lane code runs. */
  readonly lane: number | undefined;
  readonly number: () => Expr;
  /** Words of the run that are each lane's, from the first lane on; 0: all are the first lane's; −1: all are all lanes'. */
  readonly perLane: number;
  /** Whether the run may lie in shared memory. */
  readonly shared: boolean;
  readonly fault: () => Expr;
}

/**
 * Statements that check one access in the shadow, and mark what a store makes valid.
 * Runs shorter than a word are given by their size in bytes; longer ones are multiples of 4.
 */
export class Shadow {
  readonly #o: Operands;
  readonly #copies: boolean;
  /** Whether memory can be taken away for a while, by a copy or an mbarrier. */
  readonly #takes: boolean;
  readonly #sanitizers: Sanitizers;

  constructor(
    operands: Operands,
    { copies, signals }: { copies: boolean; signals: boolean },
    sanitizers: Sanitizers,
  ) {
    this.#sanitizers = sanitizers;
    this.#o = operands;
    this.#copies = copies;
    this.#takes = copies || signals;
  }

  /** The statement for a piece of a run that not everybody may touch: those whose copy has landed there may. */
  #unlessLanded(place: Place, at: number, size: number, write: boolean, touch: Touch): Expr {
    const m = this.#o.f.m;
    if (!this.#copies || !touch.shared) return touch.fault();
    const { perLane } = touch;
    const linear = m.i32.load(QUAD.linear, 4, this.#o.state());
    const skipped = perLane > 0 ? Math.floor(at / perLane) : 0;
    const may = m.call(
      'copy_may',
      [
        this.#o.ctx(),
        m.i32.add(m.i32.add(linear, touch.number()), m.i32.const(skipped)),
        m.i32.const(perLane),
        m.i32.add(place.shadow.at(), m.i32.const(place.shadow.offset + at)),
        m.i32.const(size),
        m.i32.const(write ? 1 : 0),
      ],
      2,
    );
    return m.if(m.i32.eqz(may), touch.fault());
  }

  #load(place: Place, at: number, size: 1 | 2 | 4): Expr {
    const m = this.#o.f.m;
    const offset = place.shadow.offset + at;
    const from = place.shadow.at();
    if (size === 4) return m.i32.load(offset, 1, from);
    return size === 2 ? m.i32.load16_u(offset, 1, from) : m.i32.load8_u(offset, 1, from);
  }

  /** Bits of the bytes touched inside one word, in both nibbles. */
  #bits(place: Place, bytes: number): Expr {
    const m = this.#o.f.m;
    const first = m.i32.and(place.x(), m.i32.const(3));
    return m.i32.shl(m.i32.const(((1 << bytes) - 1) * 0x11), first);
  }

  /** Whether it matters that memory belongs to somebody: a copy in flight takes it away, too. */
  #ownership({ shared }: Touch): boolean {
    return this.#sanitizers.memcheck || (this.#takes && shared);
  }

  checkRead(place: Place, bytes: number, touch: Touch): void {
    const m = this.#o.f.m;
    if (!this.#sanitizers.initcheck) {
      this.#checkOwned(place, bytes, touch);
      return;
    }
    if (bytes < 4) {
      const bits = this.#o.keep('i32', this.#bits(place, bytes));
      const bad = m.i32.ne(m.i32.and(this.#load(place, 0, 1), bits()), bits());
      this.#o.out.push(m.if(bad, this.#unlessLanded(place, 0, 1, false, touch)));
      return;
    }
    for (const { at, size } of pieces(bytes / 4)) {
      const bad = m.i32.ne(this.#load(place, at, size), m.i32.const(repeat(SHADOW_VALID, size)));
      this.#o.out.push(m.if(bad, this.#unlessLanded(place, at, size, false, touch)));
    }
  }

  /** That memory belongs to somebody. */
  #checkOwned(place: Place, bytes: number, touch: Touch): void {
    if (!this.#ownership(touch)) return;
    const m = this.#o.f.m;
    if (bytes < 4) {
      const touched = this.#o.keep('i32', m.i32.and(this.#bits(place, bytes), m.i32.const(SHADOW_ALLOCATED)));
      const bad = m.i32.ne(m.i32.and(this.#load(place, 0, 1), touched()), touched());
      this.#o.out.push(m.if(bad, this.#unlessLanded(place, 0, 1, true, touch)));
      return;
    }
    const allocated = (size: 1 | 2 | 4) => m.i32.const(repeat(SHADOW_ALLOCATED, size));
    for (const { at, size } of pieces(bytes / 4)) {
      const bad = m.i32.ne(m.i32.and(this.#load(place, at, size), allocated(size)), allocated(size));
      this.#o.out.push(m.if(bad, this.#unlessLanded(place, at, size, true, touch)));
    }
  }

  checkWrite(place: Place, bytes: number, touch: Touch): void {
    const m = this.#o.f.m;
    this.#checkOwned(place, bytes, touch);
    if (bytes < 4) {
      // Another worker may be writing the word's other bytes.
      const mark = m.i32.atomic.rmw8_u.or(
        place.shadow.offset,
        place.shadow.at(),
        this.#bits(place, bytes),
        '0',
      );
      this.#o.out.push(m.drop(mark));
      return;
    }
    for (const { at, size } of pieces(bytes / 4)) {
      const valid = m.i32.const(repeat(SHADOW_VALID, size));
      const store = size === 4 ? m.i32.store : size === 2 ? m.i32.store16 : m.i32.store8;
      this.#o.out.push(store(place.shadow.offset + at, 1, place.shadow.at(), valid));
    }
  }
}
