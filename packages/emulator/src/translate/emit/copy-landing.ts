import { COPY_PLANE, COPY_SIZE_SHIFT, COPY_THREAD_BITS, CTX, QUAD, SHADOW_LANDED } from '../../layout.js';
import type { Expr, Wasm } from '../lower/spec.js';
import { type COPY_SIZES, moveRun, shadowAccess } from './copy-issue.js';
import { LocalNames } from './local-names.js';

/** Bits of an entry that name the next one of its list. */
export const NEXT = 0xffff;

/** One of `cases` by the size that an entry's bits give. */
function bySize(m: Wasm, entry: () => Expr, cases: (bytes: (typeof COPY_SIZES)[number]) => Expr): Expr {
  const code = () => m.i32.and(m.i32.shr_u(entry(), m.i32.const(COPY_SIZE_SHIFT)), m.i32.const(3));
  return m.if(
    m.i32.eq(code(), m.i32.const(2)),
    cases(16),
    m.if(m.i32.eq(code(), m.i32.const(1)), cases(8), cases(4)),
  );
}

/**
 * copy_land(state, ctx, lane, pending): the lane's copies become part of shared memory, oldest first, but for those
 * of its `pending` youngest groups and those not committed; pending −1: all. With checks they are the thread's alone
 * until copy_publish.
 */
export function addLand(m: Wasm, checks: boolean, early: boolean): void {
  const l = new LocalNames(m, 4, {
    state: 'i32',
    ctx: 'i32',
    lane: 'i32',
    pending: 'i32',
    own: 'i32',
    shared: 'i32',
    pitch: 'i32',
    bound: 'i32',
    head: 'i32',
    at: 'i32',
    entry: 'i32',
    mark: 'i32',
  });
  const i = (value: number) => m.i32.const(value);
  const g = l.get.bind(l);
  const plane = (number: number) => m.i32.add(g('at'), m.i32.mul(g('pitch'), i(number)));
  const offset = () => m.i32.shl(m.i32.sub(g('head'), i(1)), i(2));
  // Groups are compared as distances, in the bits that an owner has for them.
  const distance = m.i32.shl(
    m.i32.sub(m.i32.shr_u(m.i32.load(0, 4, plane(COPY_PLANE.owner)), i(COPY_THREAD_BITS)), g('bound')),
    i(COPY_THREAD_BITS),
  );
  const young = m.i32.and(m.i32.ge_s(g('pending'), i(0)), m.i32.ge_s(distance, i(0)));
  const shadowAt = () => m.i32.add(m.i32.load(CTX.sharedShadow, 4, g('ctx')), m.i32.sub(g('head'), i(1)));
  const landedAt = () => plane(COPY_PLANE.landed);
  const size = (from: () => Expr) => m.i32.and(from(), i(3 << COPY_SIZE_SHIFT));
  // A word may still be on the list from before, because no barrier has come since: then only its size can grow.
  const list = m.if(
    m.i32.eqz(g('mark')),
    m.block(null, [
      m.i32.store(
        0,
        4,
        landedAt(),
        m.i32.or(
          m.i32.or(
            i(1 << 31),
            size(() => g('entry')),
          ),
          m.i32.load(QUAD.copyLanded, 4, g('own')),
        ),
      ),
      m.i32.store(QUAD.copyLanded, 4, g('own'), g('head')),
    ]),
    m.if(
      m.i32.gt_u(
        size(() => g('entry')),
        size(() => g('mark')),
      ),
      m.i32.store(
        0,
        4,
        landedAt(),
        m.i32.or(
          m.i32.and(g('mark'), i(~(3 << COPY_SIZE_SHIFT))),
          size(() => g('entry')),
        ),
      ),
    ),
  );
  const turn = m.loop(
    'next',
    m.block('done', [
      m.br_if('done', m.i32.eqz(g('head'))),
      l.set('at', m.i32.add(g('shared'), offset())),
      m.br_if('done', young),
      l.set('entry', m.i32.load(0, 4, plane(COPY_PLANE.flight))),
      m.i32.store(0, 4, plane(COPY_PLANE.flight), i(0)),
      bySize(
        m,
        () => g('entry'),
        (bytes) =>
          m.block(null, [
            ...(early ? [] : [moveRun(m, bytes, g('at'), plane(COPY_PLANE.staged))]),
            ...(checks ? [shadowAccess(m, bytes).store(0, shadowAt(), SHADOW_LANDED)] : []),
          ]),
      ),
      ...(checks ? [l.set('mark', m.i32.load(0, 4, landedAt())), list] : []),
      l.set('head', m.i32.and(g('entry'), i(NEXT))),
      m.br('next'),
    ]),
  );
  l.define('copy_land', 'none', [
    l.set('own', m.i32.add(g('state'), m.i32.shl(g('lane'), i(2)))),
    l.set('head', m.i32.load(QUAD.copyHead, 4, g('own'))),
    m.if(m.i32.eqz(g('head')), m.return()),
    l.set('shared', m.i32.load(CTX.shared, 4, g('ctx'))),
    l.set('pitch', m.i32.load(CTX.copyPitch, 4, g('ctx'))),
    l.set('bound', m.i32.sub(m.i32.load(QUAD.copyGroup, 4, g('own')), g('pending'))),
    turn,
    m.i32.store(QUAD.copyHead, 4, g('own'), g('head')),
    m.if(m.i32.eqz(g('head')), m.i32.store(QUAD.copyTail, 4, g('own'), i(0))),
  ]);
}
