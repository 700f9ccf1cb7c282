import {
  CONTROL,
  GLOBAL_BASE,
  HEAP_START,
  LOCAL_WINDOW,
  QUAD,
  SHADOW_START,
  SHARED_WINDOW,
} from '../../layout.js';
import type { StateSpace } from '../../ptx/ast.js';
import type { Expr } from '../lower/spec.js';
import type { Operands } from './operands.js';

/** A run of memory that was found in range: add the static offset to the expression. */
export interface Place {
  /** Offset in the state space: what the access log records. */
  readonly x: () => Expr;
  readonly data: { readonly at: () => Expr; readonly offset: number };
  /** Its shadow bytes; the place is a multiple of 4 bytes then. */
  readonly shadow: { readonly at: () => Expr; readonly offset: number };
}

/** An address as the program computes it, before it is checked. */
export interface Address {
  /** i64, or i32 in a 32-bit window. */
  readonly value: () => Expr;
  readonly wide: boolean;
  /** Bytes to add. */
  readonly offset: number;
}

/** What is about to be touched, for the check and its report. */
export interface Span {
  readonly site: number;
  readonly space: StateSpace | 'generic';
  /** Bytes from the address to the end of the last lane's access. */
  readonly bytes: number;
  readonly alignment: number;
  /** From lane to lane, where one address stands for all four. */
  readonly stride: number;
  readonly lanes: 1 | 4;
  /** First lane: a number, or the lane that lane code runs. */
  readonly lane: number | undefined;
}

/** Turns program addresses into places in memory, or calls `fault`. */
export class Resolver {
  readonly #o: Operands;

  constructor(operands: Operands) {
    this.#o = operands;
  }

  laneNumber(span: Span): Expr {
    return span.lane === undefined ? this.#o.lane() : this.#o.f.m.i32.const(span.lane);
  }

  /** The statement that reports a broken access. */
  fault(address: Address, span: Span): Expr {
    const m = this.#o.f.m;
    const value = this.#wide(address);
    const args = [
      m.i32.const(span.site),
      value,
      m.i32.const(span.stride),
      m.i32.const(span.lanes),
      this.laneNumber(span),
      this.#o.state(),
      this.#o.ctx(),
    ];
    return m.block(null, [m.call('fault', args, 0), m.unreachable()]);
  }

  #wide(address: Address): Expr {
    const m = this.#o.f.m;
    const value = address.wide
      ? address.value()
      : m.i64.extend_u(m.i32.add(address.value(), m.i32.const(address.offset)));
    return address.wide && address.offset !== 0
      ? m.i64.add(value, m.i64.const(BigInt(address.offset)))
      : value;
  }

  resolve(address: Address, span: Span): Place {
    switch (span.space) {
      case 'global':
      case 'const':
        return this.#global(address, span);
      case 'shared':
        return this.#window(
          address,
          span,
          this.#o.ctxConstant('sharedBytes'),
          () => this.#o.ctxConstant('shared'),
          () => this.#o.ctxConstant('sharedShadow'),
        );
      case 'local':
        return this.#window(
          address,
          span,
          this.#o.ctxField('localBytes'),
          () => this.#threadBase('local', 0, span),
          () => this.#threadBase('localShadow', 2, span),
        );
      case 'generic':
        return this.#generic(address, span);
      default:
        throw new RangeError(`Memory of the space ${span.space} is not accessed by address.`);
    }
  }

  #global(address: Address, span: Span): Place {
    const m = this.#o.f.m;
    const base = m.i64.const(BigInt(address.offset) - GLOBAL_BASE);
    const x = this.#o.keep(
      'i64',
      m.i64.add(address.wide ? address.value() : m.i64.extend_u(address.value()), base),
    );
    const limit = m.i64.sub(
      m.i64.load32_u(CONTROL.heapBytes, 4, m.i32.const(0)),
      m.i64.const(BigInt(span.bytes)),
    );
    const outside = m.i64.lt_s(m.i64.or(x(), m.i64.sub(limit, x())), m.i64.const(0n));
    this.#guard(this.#misaligned(outside, m.i32.wrap(x()), span), address, span);
    const at = this.#o.keep('i32', m.i32.wrap(x()));
    return {
      x: at,
      data: { at, offset: HEAP_START },
      shadow: { at: () => m.i32.shr_u(at(), m.i32.const(2)), offset: SHADOW_START },
    };
  }

  /** Shared or local memory: an offset in a window of known size. */
  #window(address: Address, span: Span, size: Expr, base: () => Expr, shadowBase: () => Expr): Place {
    const m = this.#o.f.m;
    let outside: Expr;
    let x: () => Expr;
    if (address.wide) {
      const wide = this.#o.keep('i64', m.i64.add(address.value(), m.i64.const(BigInt(address.offset))));
      const limit = m.i64.sub(m.i64.extend_u(size), m.i64.const(BigInt(span.bytes)));
      outside = m.i64.lt_s(m.i64.or(wide(), m.i64.sub(limit, wide())), m.i64.const(0n));
      x = this.#o.keep('i32', m.i32.wrap(wide()));
    } else {
      x = this.#o.keep('i32', m.i32.add(address.value(), m.i32.const(address.offset)));
      outside = m.i32.lt_s(
        m.i32.or(x(), m.i32.sub(m.i32.sub(size, m.i32.const(span.bytes)), x())),
        m.i32.const(0),
      );
    }
    this.#guard(this.#misaligned(outside, x(), span), address, span);
    const at = this.#o.keep('i32', m.i32.add(base(), x()));
    return {
      x,
      data: { at, offset: 0 },
      shadow: { at: () => m.i32.add(shadowBase(), m.i32.shr_u(x(), m.i32.const(2))), offset: 0 },
    };
  }

  /** Start of the thread's local memory (or of its shadow, at a quarter of the size). */
  #threadBase(field: 'local' | 'localShadow', shift: 0 | 2, span: Span): Expr {
    const m = this.#o.f.m;
    const linear = m.i32.add(m.i32.load(QUAD.linear, 4, this.#o.state()), this.laneNumber(span));
    const bytes = m.i32.shr_u(this.#o.ctxField('localBytes'), m.i32.const(shift));
    return m.i32.add(this.#o.ctxField(field), m.i32.mul(linear, bytes));
  }

  /** A generic address: the window it lies in decides. Only ever for one lane, or one address for all. */
  #generic(address: Address, span: Span): Place {
    const o = this.#o;
    const m = o.f.m;
    const g = o.keep('i64', this.#wide(address));
    const data = o.temporary('i32');
    const shadow = o.temporary('i32');
    const try_ = (window: bigint, size: Expr, base: Expr, shadowBase: Expr, otherwise: Expr): Expr => {
      const x = () => m.i64.sub(g(), m.i64.const(window));
      const limit = m.i64.sub(m.i64.extend_u(size), m.i64.const(BigInt(span.bytes)));
      const inside = m.i64.ge_s(m.i64.or(x(), m.i64.sub(limit, x())), m.i64.const(0n));
      return m.if(
        inside,
        m.block(null, [
          o.f.set(data, m.i32.add(base, m.i32.wrap(x()))),
          o.f.set(shadow, m.i32.add(shadowBase, m.i32.shr_u(m.i32.wrap(x()), m.i32.const(2)))),
        ]),
        otherwise,
      );
    };
    const heap = m.i32.load(CONTROL.heapBytes, 4, m.i32.const(0));
    o.out.push(
      try_(
        GLOBAL_BASE,
        heap,
        m.i32.const(HEAP_START),
        m.i32.const(SHADOW_START),
        try_(
          SHARED_WINDOW,
          o.ctxConstant('sharedBytes'),
          o.ctxConstant('shared'),
          o.ctxConstant('sharedShadow'),
          try_(
            LOCAL_WINDOW,
            o.ctxField('localBytes'),
            this.#threadBase('local', 0, span),
            this.#threadBase('localShadow', 2, span),
            this.fault(address, span),
          ),
        ),
      ),
    );
    this.#guard(this.#misaligned(m.i32.const(0), m.i32.wrap(g()), span), address, span);
    const at = () => o.f.get(data, 'i32');
    return {
      x: () => m.i32.sub(at(), m.i32.const(HEAP_START)),
      data: { at, offset: 0 },
      shadow: { at: () => o.f.get(shadow, 'i32'), offset: 0 },
    };
  }

  #misaligned(outside: Expr, x: Expr, span: Span): Expr {
    const m = this.#o.f.m;
    if (span.alignment === 1) return outside;
    return m.i32.or(outside, m.i32.and(x, m.i32.const(span.alignment - 1)));
  }

  #guard(bad: Expr, address: Address, span: Span): void {
    this.#o.out.push(this.#o.f.m.if(bad, this.fault(address, span)));
  }
}
