import binaryen from 'binaryen';
import { CTX } from '../../layout.js';
import { RACE, RACE_ACCESS, RACE_PLANE } from '../../runtime/race-word.js';
import type { Expr, Wasm } from '../lower/spec.js';
import { LocalNames } from './local-names.js';

/** Words that are looked at together. */
export const RACE_WORDS = [1, 2, 4] as const;
export type RaceWords = (typeof RACE_WORDS)[number];

/** Declares what the host does about accesses that may race, and adds the functions that tell most others from them. */
export function addRaceFunctions(m: Wasm): void {
  const { i32, none } = binaryen;
  const nine = binaryen.createType(Array<number>(9).fill(i32));
  m.addFunctionImport('race', 'env', 'race', nine, none);
  m.addFunctionImport('race_after', 'env', 'race_after', i32, none);
  for (const words of RACE_WORDS) {
    addTouch(m, words, false);
    addTouch(m, words, true);
  }
}

/**
 * race_read<words> and race_write<words>(ctx, site, x, runs, step, mine, next, safe): `runs` runs of words of shared
 * memory, the first at offset `x`, the next `step` bytes on, are touched by the threads of `mine`: entries that would
 * say so, a word each; those of the next run are larger by `next`. Entries below `safe` come before all of this.
 */
function addTouch(m: Wasm, words: RaceWords, write: boolean): void {
  const l = new LocalNames(m, 8, {
    ctx: 'i32',
    site: 'i32',
    x: 'i32',
    runs: 'i32',
    step: 'i32',
    mine: 'v128',
    next: 'i32',
    safe: 'i32',
    at: 'i32',
    reads: 'i32',
    sites: 'i32',
    limit: 'v128',
    old: 'v128',
    fine: 'v128',
    pitch: 'i32',
  });
  const g = l.get.bind(l);
  const i = (value: number) => m.i32.const(value);
  const x4 = m.i32x4;
  const load = (at: Expr): Expr =>
    words === 4
      ? m.v128.load(0, 4, at)
      : words === 2
        ? m.v128.load64_zero(0, 4, at)
        : m.v128.load32_zero(0, 4, at);
  const store = (at: Expr, value: Expr): Expr =>
    words === 4
      ? m.v128.store(0, 4, at, value)
      : words === 2
        ? m.v128.store64_lane(0, 4, 0, at, value)
        : m.v128.store32_lane(0, 4, 0, at, value);
  const passed = (old: () => Expr) => m.v128.or(x4.lt_s(old(), g('limit')), x4.eq(old(), g('mine')));
  const old = () => g('old');
  const host = m.call(
    'race',
    [
      i(write ? RACE_ACCESS.write : RACE_ACCESS.read),
      g('site'),
      g('x'),
      i(words),
      ...[0, 1, 2, 3].map((lane) => x4.extract_lane(g('mine'), lane)),
      g('ctx'),
    ],
    binaryen.none,
  );
  const advance = [
    l.set('x', m.i32.add(g('x'), g('step'))),
    l.set('at', m.i32.add(g('at'), g('step'))),
    l.set('mine', x4.add(g('mine'), x4.splat(g('next')))),
    l.set('runs', m.i32.sub(g('runs'), i(1))),
    m.br_if('next', g('runs')),
  ];
  const site = (plane: number) =>
    store(m.i32.add(g('at'), m.i32.mul(g('pitch'), i(plane))), x4.splat(g('site')));
  const writeTurn = () => [
    l.set('old', load(g('at'))),
    l.set('fine', passed(old)),
    l.set('old', load(m.i32.add(g('at'), g('pitch')))),
    m.if(m.i32.eqz(x4.all_true(m.v128.and(g('fine'), passed(old)))), host),
    store(g('at'), g('mine')),
    site(RACE_PLANE.writeSites),
  ];
  const readTurn = () => [
    l.set('old', load(g('at'))),
    m.if(m.i32.eqz(x4.all_true(passed(old))), host),
    l.set('old', load(m.i32.add(g('at'), g('pitch')))),
    l.set('fine', x4.lt_s(old(), g('limit'))),
    m.if(
      x4.all_true(g('fine')),
      m.block(null, [store(m.i32.add(g('at'), g('pitch')), g('mine')), site(RACE_PLANE.readSites)]),
      m.if(
        m.i32.eqz(x4.all_true(known())),
        m.block(null, [
          store(m.i32.add(g('at'), g('pitch')), m.v128.bitselect(g('mine'), merged(), g('fine'))),
          site(RACE_PLANE.readSites),
        ]),
      ),
    ),
  ];
  /** Words whose entry says already that this thread, or threads of several warps, have read it now. */
  function known(): Expr {
    const many = m.v128.or(g('mine'), x4.splat(i(RACE.many)));
    const unused = words === 4 ? [] : [x4.eq(old(), x4.splat(i(0)))];
    return [x4.eq(old(), g('mine')), x4.eq(old(), many), ...unused].reduce((a, b) => m.v128.or(a, b));
  }
  /** As `mergedEntry`, of what is there and `mine`. */
  function merged(): Expr {
    const who = (of: () => Expr) => m.v128.and(of(), x4.splat(i(RACE.many)));
    const stamp = (of: () => Expr) => m.v128.and(of(), x4.splat(i(-1 << RACE.stampShift)));
    const mine = () => g('mine');
    const warp = (of: () => Expr) =>
      m.v128.bitselect(
        x4.sub(who(of), x4.splat(i(RACE.warp))),
        x4.shr_u(who(of), i(5)),
        x4.gt_s(who(of), x4.splat(i(RACE.warp - 1))),
      );
    const whole = m.v128.bitselect(
      x4.add(warp(mine), x4.splat(i(RACE.warp))),
      x4.splat(i(RACE.many)),
      x4.eq(warp(old), warp(mine)),
    );
    const both = m.v128.bitselect(who(mine), whole, x4.eq(who(old), who(mine)));
    return m.v128.or(x4.max_s(stamp(old), stamp(mine)), both);
  }
  l.define(`race_${write ? 'write' : 'read'}${words}`, 'none', [
    l.set('pitch', m.i32.load(CTX.racePitch, 4, g('ctx'))),
    l.set('at', m.i32.add(m.i32.load(CTX.race, 4, g('ctx')), g('x'))),
    l.set('limit', x4.splat(g('safe'))),
    m.loop('next', m.block(null, [...(write ? writeTurn() : readTurn()), ...advance])),
  ]);
}
