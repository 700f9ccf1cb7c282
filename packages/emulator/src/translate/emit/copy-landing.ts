import {
  COPY_PLANE,
  COPY_SIZE_SHIFT,
  COPY_THREAD_BITS,
  CTX,
  QUAD,
  SHADOW_LANDED,
  SHADOW_LANDED_WARP,
  SHADOW_VALID,
} from '../../layout.js';
import type { Expr, Wasm } from '../lower/spec.js';
import { type COPY_SIZES, moveRun, shadowAccess } from './copy-issue.js';
import { LocalNames } from './local-names.js';

const NEXT = 0xffff;

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
 * until {@link addPublish}.
 */
export function addLand(m: Wasm, checks: boolean): void {
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
            moveRun(m, bytes, g('at'), plane(COPY_PLANE.staged)),
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

/**
 * copy_publish(state, ctx, quads, warp): what has landed for the threads of `quads` groups from `state` on is seen by
 * the block, or by the warp only where `warp` is not 0.
 */
export function addPublish(m: Wasm, stateBytes: number): void {
  const l = new LocalNames(m, 4, {
    state: 'i32',
    ctx: 'i32',
    quads: 'i32',
    warp: 'i32',
    lane: 'i32',
    head: 'i32',
    at: 'i32',
    entry: 'i32',
    word: 'i32',
  });
  const i = (value: number) => m.i32.const(value);
  const g = l.get.bind(l);
  const shadowAt = () => m.i32.add(m.i32.load(CTX.sharedShadow, 4, g('ctx')), g('word'));
  const landedPlane = m.i32.mul(m.i32.load(CTX.copyPitch, 4, g('ctx')), i(COPY_PLANE.landed));
  const end = m.i32.shl(i(1), m.i32.and(m.i32.shr_u(g('entry'), i(COPY_SIZE_SHIFT)), i(3)));
  const state = () => m.i32.load8_u(0, 1, shadowAt());
  const show = m.if(
    m.i32.or(m.i32.eq(state(), i(SHADOW_LANDED)), m.i32.eq(state(), i(SHADOW_LANDED_WARP))),
    m.i32.store8(0, 1, shadowAt(), m.select(g('warp'), i(SHADOW_LANDED_WARP), i(SHADOW_VALID))),
  );
  const walk = m.loop(
    'copies',
    m.if(
      g('head'),
      m.block(null, [
        l.set('word', m.i32.sub(g('head'), i(1))),
        l.set(
          'at',
          m.i32.add(m.i32.add(m.i32.load(CTX.shared, 4, g('ctx')), landedPlane), m.i32.shl(g('word'), i(2))),
        ),
        l.set('entry', m.i32.load(0, 4, g('at'))),
        m.if(m.i32.eqz(g('warp')), m.i32.store(0, 4, g('at'), i(0))),
        l.set('head', m.i32.add(g('word'), end)),
        m.loop(
          'words',
          m.block(null, [
            show,
            l.set('word', m.i32.add(g('word'), i(1))),
            m.br_if('words', m.i32.lt_u(g('word'), g('head'))),
          ]),
        ),
        l.set('head', m.i32.and(g('entry'), i(NEXT))),
        m.br('copies'),
      ]),
    ),
  );
  const own = () => m.i32.add(g('state'), m.i32.shl(g('lane'), i(2)));
  const eachLane = m.block(null, [
    l.set('lane', i(0)),
    m.loop(
      'lanes',
      m.block(null, [
        l.set('head', m.i32.load(QUAD.copyLanded, 4, own())),
        m.if(m.i32.eqz(g('warp')), m.i32.store(QUAD.copyLanded, 4, own(), i(0))),
        walk,
        l.set('lane', m.i32.add(g('lane'), i(1))),
        m.br_if('lanes', m.i32.lt_u(g('lane'), i(4))),
      ]),
    ),
  ]);
  l.define('copy_publish', 'none', [
    m.loop(
      'quads',
      m.block(null, [
        m.if(m.v128.any_true(m.v128.load(QUAD.copyLanded, 4, g('state'))), eachLane),
        l.set('state', m.i32.add(g('state'), i(stateBytes))),
        l.set('quads', m.i32.sub(g('quads'), i(1))),
        m.br_if('quads', g('quads')),
      ]),
    ),
  ]);
  m.addFunctionExport('copy_publish', 'publish');
}

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
