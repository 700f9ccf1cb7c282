import {
  COPY_PLANE,
  COPY_SIZE_SHIFT,
  CTX,
  QUAD,
  SHADOW_LANDED,
  SHADOW_LANDED_WARP,
  SHADOW_VALID,
} from '../../layout.js';
import type { Wasm } from '../lower/spec.js';
import { NEXT } from './copy-landing.js';
import { LocalNames } from './local-names.js';

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
