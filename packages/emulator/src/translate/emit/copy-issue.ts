import {
  CONTROL,
  COPY_PLANE,
  COPY_SITE_MASK,
  COPY_SITE_SHIFT,
  COPY_SIZE_SHIFT,
  COPY_THREAD_BITS,
  CTX,
  GLOBAL_BASE,
  HEAP_START,
  QUAD,
  SHADOW_ALLOCATED,
  SHADOW_START,
  SHADOW_VALID,
} from '../../layout.js';
import type { Sanitizers } from '../../sanitizers.js';
import type { Expr, Wasm } from '../lower/spec.js';
import { LocalNames } from './local-names.js';

export const COPY_SIZES = [4, 8, 16] as const;
export type CopySize = (typeof COPY_SIZES)[number];

/** Shadow bytes of a run of words, loaded, and stored, as one integer. */
export function shadowAccess(m: Wasm, bytes: CopySize) {
  const all = (byte: number) =>
    m.i32.const(bytes === 16 ? (byte * 0x01010101) | 0 : byte * (bytes === 8 ? 0x101 : 1));
  const load = bytes === 16 ? m.i32.load : bytes === 8 ? m.i32.load16_u : m.i32.load8_u;
  const store = bytes === 16 ? m.i32.store : bytes === 8 ? m.i32.store16 : m.i32.store8;
  return {
    all,
    load: (offset: number, at: Expr) => load(offset, 1, at),
    store: (offset: number, at: Expr, byte: number) => store(offset, 1, at, all(byte)),
  };
}

/** Moves a run of memory of a copy's size. */
export function moveRun(m: Wasm, bytes: CopySize, to: Expr, from: Expr, fromOffset = 0): Expr {
  if (bytes === 16) return m.v128.store(0, 4, to, m.v128.load(fromOffset, 4, from));
  if (bytes === 8) return m.i64.store(0, 4, to, m.i64.load(fromOffset, 4, from));
  return m.i32.store(0, 4, to, m.i32.load(fromOffset, 4, from));
}

/**
 * copy<bytes>(state, ctx, lane, site, to, from, read): checks one lane's `cp.async`, reads `read` bytes of global
 * memory, and puts the copy into the thread's list. Shared memory itself stays as it is until the copy lands, unless
 * copies are to be early.
 */
export function addCopy(m: Wasm, bytes: CopySize, checks: Sanitizers | undefined, early: boolean): void {
  const l = new LocalNames(m, 7, {
    state: 'i32',
    ctx: 'i32',
    lane: 'i32',
    site: 'i32',
    to: 'i64',
    from: 'i64',
    read: 'i32',
    x: 'i64',
    shared: 'i32',
    pitch: 'i32',
    at: 'i32',
    owner: 'i32',
    word: 'i32',
    tail: 'i32',
    shadow: 'i32',
  });
  const i = (value: number) => m.i32.const(value);
  const g = l.get.bind(l);
  const ctx = (field: number) => m.i32.load(field, 4, g('ctx'));
  const perLane = () => m.i32.add(g('state'), m.i32.shl(g('lane'), i(2)));
  const shadow = shadowAccess(m, bytes);
  /** @param lanes 0: the number of bytes to read is too large */
  const fault = (site: Expr, address: Expr, lanes = 1) =>
    m.block(null, [
      m.call('fault', [site, address, i(0), i(lanes), g('lane'), g('state'), g('ctx')], 0),
      m.unreachable(),
    ]);
  const faultFrom = (lanes = 1) => fault(g('site'), g('from'), lanes);
  const faultTo = () => fault(m.i32.add(g('site'), i(1)), g('to'));
  const outside = (x: () => Expr, size: Expr, run: Expr) =>
    m.i64.lt_s(
      m.i64.or(x(), m.i64.sub(m.i64.sub(m.i64.extend_u(size), m.i64.extend_u(run)), x())),
      m.i64.const(0n),
    );
  const misaligned = (x: () => Expr) => m.i32.and(m.i32.wrap(x()), i(bytes - 1));
  const x = () => g('x');
  const plane = (number: number) => m.i32.add(g('at'), m.i32.mul(g('pitch'), i(number)));

  // ---- global memory: range, alignment, and that something was written there
  const fromShadow = () => m.i32.shr_u(m.i32.wrap(x()), i(2));
  const unwritten = m.i32.ne(shadow.load(SHADOW_START, fromShadow()), shadow.all(SHADOW_VALID));
  const partUnwritten = m.i32.eqz(m.call('copy_written', [m.i32.wrap(x()), g('read')], 2));
  const allocated = () => shadow.all(SHADOW_ALLOCATED);
  const nobodys = m.i32.ne(m.i32.and(shadow.load(SHADOW_START, fromShadow()), allocated()), allocated());
  const checkFrom = m.block(null, [
    m.if(m.i32.or(outside(x, m.i32.load(CONTROL.heapBytes, 4, i(0)), g('read')), misaligned(x)), faultFrom()),
    ...(checks?.initcheck
      ? [m.if(m.i32.eq(g('read'), i(bytes)), m.if(unwritten, faultFrom()), m.if(partUnwritten, faultFrom()))]
      : checks?.memcheck
        ? [m.if(m.i32.and(m.i32.eq(g('read'), i(bytes)), nobodys), faultFrom())]
        : []),
  ]);

  // ---- shared memory: range, alignment, and that no copy is in flight there
  const to = () => g('to');
  const toWord = () => m.i32.shr_u(m.i32.wrap(to()), i(2));
  const toShadow = () => g('shadow');
  const whole = () => shadow.all(SHADOW_ALLOCATED);
  const taken = m.i32.ne(m.i32.and(shadow.load(0, toShadow()), whole()), whole());
  const own = m.call('copy_may', [g('ctx'), thread(), i(0), toShadow(), i(bytes / 4), i(1)], 2);
  const checkTo = [
    m.if(m.i32.or(outside(to, ctx(CTX.sharedBytes), i(bytes)), misaligned(to)), faultTo()),
    l.set('shared', ctx(CTX.shared)),
    l.set('pitch', ctx(CTX.copyPitch)),
    l.set('at', m.i32.add(g('shared'), m.i32.wrap(to()))),
    ...(checks
      ? [
          l.set('shadow', m.i32.add(ctx(CTX.sharedShadow), toWord())),
          m.if(taken, m.if(m.i32.eqz(own), faultTo())),
          shadow.store(0, toShadow(), 0),
        ]
      : []),
    m.if(m.i32.load(0, 4, plane(COPY_PLANE.flight)), faultTo()),
  ];

  // ---- the bytes, to the staged plane, or at once to where they belong
  const staged = () => (early ? g('at') : m.i32.add(g('at'), g('pitch')));
  const zeros = [0, 4, 8, 12].slice(0, bytes / 4).map((offset) => m.i32.store(offset, 4, staged(), i(0)));
  const heapAt = () => m.i32.wrap(x());
  const stage = m.if(
    m.i32.eq(g('read'), i(bytes)),
    moveRun(m, bytes, staged(), heapAt(), HEAP_START),
    m.block(null, [
      ...zeros,
      m.call('copy_bytes', [staged(), m.i32.add(heapAt(), i(HEAP_START)), g('read')], 0),
    ]),
  );

  // ---- the thread's list
  function thread(): Expr {
    return m.i32.add(m.i32.load(QUAD.linear, 4, g('state')), g('lane'));
  }
  const ownerAt = () => plane(COPY_PLANE.owner);
  const owner = m.i32.or(thread(), m.i32.shl(m.i32.load(QUAD.copyGroup, 4, perLane()), i(COPY_THREAD_BITS)));
  const saysOwner =
    bytes === 16
      ? m.v128.store(0, 4, ownerAt(), m.i32x4.splat(g('owner')))
      : bytes === 8
        ? m.v128.store64_lane(0, 4, 0, ownerAt(), m.i32x4.splat(g('owner')))
        : m.i32.store(0, 4, ownerAt(), g('owner'));
  const entry = m.i32.or(
    m.i32.shl(m.i32.and(g('site'), i(COPY_SITE_MASK)), i(COPY_SITE_SHIFT)),
    i((1 << 31) | (Math.log2(bytes / 4) << COPY_SIZE_SHIFT)),
  );
  const flightOfTail = m.i32.add(
    m.i32.add(g('shared'), m.i32.mul(g('pitch'), i(COPY_PLANE.flight))),
    m.i32.shl(m.i32.sub(g('tail'), i(1)), i(2)),
  );
  const enlist = [
    l.set('owner', owner),
    saysOwner,
    l.set('word', m.i32.add(toWord(), i(1))),
    m.i32.store(0, 4, plane(COPY_PLANE.flight), entry),
    l.set('tail', m.i32.load(QUAD.copyTail, 4, perLane())),
    m.if(
      g('tail'),
      m.i32.store16(0, 2, flightOfTail, g('word')),
      m.i32.store(QUAD.copyHead, 4, perLane(), g('word')),
    ),
    m.i32.store(QUAD.copyTail, 4, perLane(), g('word')),
  ];
  l.define(`copy${bytes}`, 'none', [
    m.if(m.i32.gt_u(g('read'), i(bytes)), faultFrom(0)),
    l.set('x', m.i64.sub(g('from'), m.i64.const(GLOBAL_BASE))),
    m.if(g('read'), checkFrom),
    ...checkTo,
    stage,
    ...enlist,
  ]);
}
