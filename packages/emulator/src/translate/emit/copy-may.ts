import {
  COPY_PLANE,
  COPY_THREAD_BITS,
  CTX,
  SHADOW_LANDED,
  SHADOW_LANDED_WARP,
  SHADOW_VALID,
} from '../../layout.js';
import type { Expr, Wasm } from '../lower/spec.js';
import { LocalNames } from './local-names.js';

/**
 * copy_may(ctx, thread, perLane, shadow, words, write) → 1 where words of shared memory may be touched although the
 * shadow does not say so for everybody: their copy has landed, and the thread (or, after `bar.warp`, its warp) made
 * it. Word i is touched by the thread after i ÷ perLane others; perLane 0: by this one; −1: by all four lanes.
 */
export function addMay(m: Wasm): void {
  const l = new LocalNames(m, 6, {
    ctx: 'i32',
    thread: 'i32',
    perLane: 'i32',
    shadow: 'i32',
    words: 'i32',
    write: 'i32',
    index: 'i32',
    word: 'i32',
    mark: 'i32',
    owner: 'i32',
    toucher: 'i32',
  });
  const i = (value: number) => m.i32.const(value);
  const g = l.get.bind(l);
  const ctx = (field: number) => m.i32.load(field, 4, g('ctx'));
  const no = (when: Expr) => m.if(when, m.return(i(0)));
  const ownerAt = m.i32.add(
    m.i32.add(ctx(CTX.shared), m.i32.mul(ctx(CTX.copyPitch), i(COPY_PLANE.owner))),
    m.i32.shl(g('word'), i(2)),
  );
  const fine = m.i32.or(
    m.i32.eq(g('mark'), i(SHADOW_VALID)),
    m.i32.and(g('write'), m.i32.eq(m.i32.and(g('mark'), i(0xf0)), i(0xf0))),
  );
  const landed = [
    // Outside of shared memory nothing lands.
    no(m.i32.ge_u(m.i32.shl(g('word'), i(2)), ctx(CTX.sharedBytes))),
    l.set('owner', m.i32.and(m.i32.load(0, 4, ownerAt), i((1 << COPY_THREAD_BITS) - 1))),
    l.set(
      'toucher',
      m.if(
        m.i32.gt_s(g('perLane'), i(0)),
        m.i32.add(g('thread'), m.i32.div_u(g('index'), g('perLane'))),
        g('thread'),
      ),
    ),
    m.if(
      m.i32.eq(g('mark'), i(SHADOW_LANDED)),
      no(m.i32.or(m.i32.ne(g('owner'), g('toucher')), m.i32.lt_s(g('perLane'), i(0)))),
      m.if(
        m.i32.eq(g('mark'), i(SHADOW_LANDED_WARP)),
        no(m.i32.ne(m.i32.shr_u(g('owner'), i(5)), m.i32.shr_u(g('toucher'), i(5)))),
        m.return(i(0)),
      ),
    ),
  ];
  l.define('copy_may', 'i32', [
    m.loop(
      'next',
      m.block(null, [
        l.set('mark', m.i32.load8_u(0, 1, m.i32.add(g('shadow'), g('index')))),
        l.set('word', m.i32.sub(m.i32.add(g('shadow'), g('index')), ctx(CTX.sharedShadow))),
        m.if(m.i32.eqz(fine), m.block(null, landed)),
        l.set('index', m.i32.add(g('index'), i(1))),
        m.br_if('next', m.i32.lt_u(g('index'), g('words'))),
      ]),
    ),
    i(1),
  ]);
}
