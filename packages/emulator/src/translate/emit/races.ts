import { QUAD } from '../../layout.js';
import { RACE, RACE_ACCESS } from '../../runtime/race-word.js';
import type { AccessOp, AtomicOp, Expr } from '../lower/spec.js';
import type { GlobalAccesses } from './global-races.js';
import type { Operands } from './operands.js';
import type { RaceWords } from './race-functions.js';
import type { Place } from './resolve.js';

/** Who touches runs of memory: the lane that lane code runs; one of four; each of four, side by side; or all alike. */
export type Toucher = 'own' | 0 | 1 | 2 | 3 | 'each' | 'all';

/** Bytes of a v128 that hold these four words. */
const vectorOf = (words: readonly number[]): number[] => [...new Uint8Array(Int32Array.from(words).buffer)];

/** Emits what tells the race check of accesses to shared memory. Accesses of less than a word are not followed. */
export class Races {
  readonly #o: Operands;
  readonly #on: boolean;
  readonly #between: GlobalAccesses | undefined;

  /** @param between tells of accesses to global memory, where these are looked at */
  constructor(operands: Operands, on: boolean, between: GlobalAccesses | undefined) {
    this.#o = operands;
    this.#on = on;
    this.#between = between;
  }

  #follows(space: AccessOp['space'], bytes: number): boolean {
    return this.#on && bytes >= 4 && (space === 'shared' || space === 'generic');
  }

  /** Entries for lanes 0 to 3, or for the lane that runs. */
  #mine(lanes: readonly [number, number, number, number] | 'own' | 'all'): Expr {
    const m = this.#o.f.m;
    const entry = (offset: number) => m.i32x4.splat(m.i32.load(QUAD.race + offset, 4, this.#o.state()));
    if (lanes === 'all') return entry(4);
    if (lanes === 'own')
      return m.i32x4.splat(m.i32.add(m.i32.load(QUAD.race, 4, this.#o.state()), this.#o.lane()));
    if (lanes.every((lane) => lane === 0)) return entry(0);
    return m.i32x4.add(entry(0), m.v128.const(vectorOf(lanes)));
  }

  /**
   * One access of a lane, or of four lanes.
   * @param bytes of a lane's access
   * @param step from lane to lane, where each of four touches words of its own
   */
  access(op: AccessOp, site: number, place: Place, bytes: number, who: Toucher, step = 0): void {
    this.#between?.access(op, site, place, bytes, who, step);
    if (!this.#follows(op.space, bytes)) return;
    const strong = op.volatile || op.ordered;
    const inShared = (x: () => Expr) => {
      if (strong) {
        this.#strong(
          op.kind === 'store' ? RACE_ACCESS.orderedWrite : RACE_ACCESS.orderedRead,
          site,
          x,
          bytes,
          who,
          step,
        );
        return;
      }
      this.#plain(op.kind === 'store', site, x, bytes, who, step);
    };
    this.#where(op.space, place, inShared);
  }

  /** An atomic operation of one lane. */
  atomic(op: AtomicOp, site: number, place: Place, bytes: number, lane: number | undefined): void {
    this.#between?.access(op, site, place, bytes, lane === undefined ? 'own' : (lane as 0 | 1 | 2 | 3), 0);
    if (!this.#follows(op.space, bytes)) return;
    const who = lane === undefined ? 'own' : (lane as 0 | 1 | 2 | 3);
    this.#where(op.space, place, (x) => this.#strong(RACE_ACCESS.atomic, site, x, bytes, who, 0));
  }

  /** A copy's destination, at its issue. */
  copy(site: number, to: () => Expr, bytes: number, lane: number | undefined): void {
    if (!this.#follows('shared', bytes)) return;
    this.#plain(true, site, to, bytes, lane === undefined ? 'own' : (lane as 0 | 1 | 2 | 3), 0);
    this.after('shared');
  }

  /** After a store: whether what looked like a race has changed anything. */
  after(space: AccessOp['space']): void {
    if (!this.#follows(space, 4)) return;
    const m = this.#o.f.m;
    const call = m.call('race_after', [this.#o.ctx()], 0);
    this.#o.out.push(m.if(this.#o.ctxField('raceSuspects'), call));
  }

  /** Runs `body` with the offset in shared memory; of a generic address, where it lies there. */
  #where(space: AccessOp['space'], place: Place, body: (x: () => Expr) => void): void {
    if (space === 'shared') {
      body(place.x);
      return;
    }
    const o = this.#o;
    const m = o.f.m;
    const start = m.i32.add(place.data.at(), m.i32.const(place.data.offset));
    const x = o.keep('i32', m.i32.sub(start, o.ctxConstant('shared')));
    const code = o.tentative(() => body(x));
    o.out.push(m.if(m.i32.lt_u(x(), o.ctxConstant('sharedBytes')), m.block(null, code)));
  }

  #plain(write: boolean, site: number, x: () => Expr, bytes: number, who: Toucher, step: number): void {
    const m = this.#o.f.m;
    const beside = who === 'each' && step === bytes;
    const words: RaceWords = beside ? 4 : (Math.min(4, bytes / 4) as RaceWords);
    // Of all alike, one write stays: the last lane's.
    const lanes =
      who === 'own'
        ? 'own'
        : who === 'all'
          ? write
            ? ([3, 3, 3, 3] as const)
            : 'all'
          : who === 'each'
            ? beside && bytes === 4
              ? ([0, 1, 2, 3] as const)
              : beside && bytes === 8
                ? ([0, 0, 1, 1] as const)
                : ([0, 0, 0, 0] as const)
            : ([who, who, who, who] as const);
    const runs = who !== 'each' ? 1 : beside ? bytes / 4 : 4;
    const mine = this.#o.keep('v128', this.#mine(lanes));
    const safe = () => m.i32.load(QUAD.race + 8, 4, this.#o.state());
    const args = [
      this.#o.ctx(),
      m.i32.const(site),
      x(),
      m.i32.const(runs),
      m.i32.const(beside ? 16 : step),
      mine(),
      m.i32.const(runs === 2 ? 2 : runs === 4 ? 1 : 0),
      safe(),
    ];
    const call = m.call(`race_${write ? 'write' : 'read'}${words}`, args, 0);
    const again = write || runs > 1 ? undefined : this.#readBefore(x, words, mine, safe);
    this.#o.out.push(again === undefined ? call : m.if(m.i32.eqz(again), call));
  }

  /** Whether words were read so in this interval already, and not written: the usual case, with nothing to note. */
  #readBefore(x: () => Expr, words: RaceWords, mine: () => Expr, safe: () => Expr): Expr | undefined {
    const o = this.#o;
    const m = o.f.m;
    if (words === 2) return undefined;
    const at = o.keep('i32', m.i32.add(o.ctxConstant('race'), x()));
    const reads = () => m.i32.add(at(), o.ctxConstant('racePitch'));
    if (words === 1) {
      const own = o.keep('i32', m.i32x4.extract_lane(mine(), 0));
      const read = o.keep('i32', m.i32.load(0, 4, reads()));
      const many = m.i32.or(own(), m.i32.const(RACE.many));
      const known = m.i32.or(m.i32.eq(read(), own()), m.i32.eq(read(), many));
      return m.i32.and(m.i32.lt_s(m.i32.load(0, 4, at()), safe()), known);
    }
    const x4 = m.i32x4;
    const read = o.keep('v128', m.v128.load(0, 4, reads()));
    const many = m.v128.or(mine(), x4.splat(m.i32.const(RACE.many)));
    const known = m.v128.or(x4.eq(read(), mine()), x4.eq(read(), many));
    return x4.all_true(m.v128.and(x4.lt_s(m.v128.load(0, 4, at()), x4.splat(safe())), known));
  }

  /** Atomics and accesses that order others are rare, and all told to the host. */
  #strong(kind: number, site: number, x: () => Expr, bytes: number, who: Toucher, step: number): void {
    const m = this.#o.f.m;
    const lanes = who === 'each' ? [0, 1, 2, 3] : [who === 'all' ? 3 : who];
    for (const lane of lanes) {
      const own = m.i32.load(QUAD.race, 4, this.#o.state());
      const mine = this.#o.keep(
        'i32',
        m.i32.add(own, lane === 'own' ? this.#o.lane() : m.i32.const(lane as number)),
      );
      const at =
        lane === 'own' || who !== 'each' ? x() : m.i32.add(x(), m.i32.const((lane as number) * step));
      const entries = [0, 1, 2, 3].map(() => mine());
      this.#o.out.push(
        m.call(
          'race',
          [m.i32.const(kind), m.i32.const(site), at, m.i32.const(bytes / 4), ...entries, this.#o.ctx()],
          0,
        ),
      );
    }
  }
}
