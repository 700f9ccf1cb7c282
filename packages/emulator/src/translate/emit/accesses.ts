import type { AccessOp, Expr, Source, ValueKind } from '../lower/spec.js';
import { isUniform, type Shape, UNIFORM, VARYING } from '../shape.js';
import { AccessData } from './access-data.js';
import { GlobalAccesses } from './global-races.js';
import { gather } from './lanes.js';
import type { Operands } from './operands.js';
import type { TranslationOptions } from './options.js';
import { Races } from './races.js';
import { isWide } from './registers.js';
import { type Address, type Place, Resolver, type Span } from './resolve.js';
import { Shadow, type Touch } from './shadow.js';
import { interleave, split } from './transpose.js';

/** Which lanes take part: all, or those whose bit is set in an i32. */
export type LaneMask = (() => Expr) | undefined;

const ALL = [0, 1, 2, 3] as const;

/** Whose a run of memory is: its words belong to four lanes side by side, or to one lane alone. */
const touchOf = ({ lane, lanes, stride }: Span): Pick<Touch, 'lane' | 'perLane'> => ({
  lane,
  perLane: lanes === 4 ? stride / 4 : 0,
});
const ALL_ALIKE: Pick<Touch, 'lane' | 'perLane'> = { lane: 0, perLane: -1 };

/** Emits loads and stores: range, alignment and shadow checks, the log, and the data. */
export class Accesses {
  readonly #o: Operands;
  readonly #options: TranslationOptions;
  readonly #resolver: Resolver;
  readonly #shadow: Shadow;
  readonly data: AccessData;
  readonly races: Races;
  /** Tells of what blocks do to global memory, where that is looked at. */
  readonly between: GlobalAccesses | undefined;

  /** @param model whether the kernel copies asynchronously to shared memory, by threads or in bulk */
  constructor(operands: Operands, options: TranslationOptions, model: { copies: boolean; signals: boolean }) {
    this.#o = operands;
    this.#options = options;
    this.#resolver = new Resolver(operands);
    this.#shadow = new Shadow(operands, model, options.sanitizers);
    this.data = new AccessData(operands);
    const { racecheck } = options.sanitizers;
    this.between = racecheck === 'global' ? new GlobalAccesses(operands) : undefined;
    this.races = new Races(operands, racecheck !== false, this.between);
  }

  emit(op: AccessOp, site: number, mask: LaneMask): void {
    this.#emit(op, site, mask);
    if (op.kind === 'store') this.races.after(op.space);
  }

  #emit(op: AccessOp, site: number, mask: LaneMask): void {
    if (this.#o.mode === 'lane') {
      this.#single(op, site, undefined);
      return;
    }
    if (mask === undefined) {
      this.#together(op, site);
      return;
    }
    const m = this.#o.f.m;
    const together = this.#o.tentative(() => this.#together(op, site));
    const apart = this.#o.tentative(() => {
      for (const lane of ALL) {
        const body = this.#o.tentative(() => this.#oneLane(op, site, lane));
        this.#o.out.push(m.if(m.i32.and(mask(), m.i32.const(1 << lane)), m.block(null, body)));
      }
    });
    this.#o.out.push(m.if(m.i32.eq(mask(), m.i32.const(15)), m.block(null, together), m.block(null, apart)));
  }

  // ---- addresses

  /** Shape of the address; one varying address a lane where the space is private or unknown. */
  addressShape(op: Pick<AccessOp, 'address' | 'space'>): Shape {
    if (this.#o.mode === 'lane') return UNIFORM;
    const { base } = op.address;
    const shape = base?.kind === 'reg' ? this.#o.shape({ kind: 'reg', name: base.name }) : UNIFORM;
    if (op.space === 'local') return VARYING;
    if (op.space !== 'generic') return shape;
    // One generic address may stand for a place of its own in each lane's local memory.
    return isUniform(shape) && this.#o.symbols.local.size === 0 ? shape : VARYING;
  }

  /** Address in one lane; lane 0 where `lane` is absent. */
  address(op: Pick<AccessOp, 'address'>, lane?: number): Address {
    const { base, offset } = op.address;
    const m = this.#o.f.m;
    if (base === undefined) return { value: () => m.i64.const(0n), wide: true, offset };
    if (base.kind === 'symbol') {
      const src: Source = { operand: { kind: 'symbol', name: base.name, offset: 0 }, kind: 'i64' };
      return { value: () => this.#o.scalar(src), wide: true, offset };
    }
    const kind: ValueKind = isWide(this.#o.regs.kind(base.name)) ? 'i64' : 'i32';
    const src: Source = { operand: { kind: 'reg', name: base.name }, kind };
    const value = () => (lane === undefined ? this.#o.scalar(src) : this.#o.laneOf(src, lane));
    return { value, wide: kind === 'i64', offset };
  }

  span(
    op: Pick<AccessOp, 'space' | 'bytes'>,
    site: number,
    count: number,
    lane: number | undefined,
    stride = 0,
  ): Span {
    const bytes = op.bytes * count;
    return {
      site,
      space: op.space,
      bytes: bytes + 3 * stride,
      alignment: bytes,
      stride,
      lanes: stride === 0 ? 1 : 4,
      lane,
    };
  }

  /** Resolves and checks one run of memory. */
  place(op: AccessOp, address: Address, span: Span, runBytes: number, touched = touchOf(span)): Place {
    const place = this.#resolver.resolve(address, span);
    this.check(op.kind === 'store', place, address, span, runBytes, touched);
    return place;
  }

  /** @param touched the lanes that touch the run, where that is not what the span says */
  check(
    write: boolean,
    place: Place,
    address: Address,
    span: Span,
    runBytes: number,
    touched = touchOf(span),
  ): void {
    if (!this.#options.checks) return;
    const touch: Touch = {
      ...touched,
      number: () => this.#resolver.laneNumber({ ...span, lane: touched.lane }),
      shared: span.space === 'shared' || span.space === 'generic',
      fault: () => this.#resolver.fault(address, span),
    };
    if (write) this.#shadow.checkWrite(place, runBytes, touch);
    else this.#shadow.checkRead(place, runBytes, touch);
  }

  resolve(address: Address, span: Span): Place {
    return this.#resolver.resolve(address, span);
  }

  log(site: number, mask: Expr, x: (lane: number) => Expr): void {
    if (!this.#options.counters) return;
    const m = this.#o.f.m;
    const word = m.i32.or(m.i32.const(site << 4), mask);
    this.#o.out.push(m.call('log', [this.#o.ctx(), word, ...ALL.map(x)], 0));
  }

  // ---- one address: a lane, or all lanes alike

  /** Lane code (lane undefined), or one address that all four lanes share (lane 0). */
  #single(op: AccessOp, site: number, lane: 0 | undefined): void {
    const m = this.#o.f.m;
    const count = Math.max(op.elements.length, op.values.length);
    const span = this.span(op, site, count, lane);
    const address = this.address(op);
    const touched = lane === undefined ? touchOf(span) : ALL_ALIKE;
    const place = this.place(op, address, span, op.bytes * count, touched);
    const mask = lane === undefined ? m.i32.shl(m.i32.const(1), this.#o.lane()) : m.i32.const(15);
    this.log(site, mask, place.x);
    this.races.access(op, site, place, op.bytes * count, lane === undefined ? 'own' : 'all');
    if (op.kind === 'store') {
      op.values.forEach((src, i) => {
        const value = lane === undefined ? this.#o.scalar(src) : this.#o.laneOf(src, 3);
        this.#o.out.push(this.data.storeScalar(op, place, i * op.bytes, value));
      });
      return;
    }
    // All elements are read before any register changes: the address may be among them.
    const values = op.elements.map((dst, i) =>
      dst === undefined
        ? undefined
        : this.#o.keep(this.data.typeOf(dst.reg), this.data.loadScalar(op, place, i * op.bytes, dst.reg)),
    );
    op.elements.forEach((dst, i) => {
      if (dst !== undefined) this.data.setFromScalar(dst.reg, values[i]!());
    });
  }

  // ---- four lanes

  #together(op: AccessOp, site: number): void {
    const shape = this.addressShape(op);
    const count = Math.max(op.elements.length, op.values.length);
    const { stride } = shape;
    if (stride === 0) this.#single(op, site, 0);
    else if (stride === undefined || stride < 0) this.#scattered(op, site, count);
    else if (op.bytes >= 4 && stride === op.bytes * count && this.#plainRegisters(op))
      this.#contiguous(op, site, count);
    else this.#strided(op, site, count, stride);
  }

  /** Whether memory holds just what the registers hold. */
  #plainRegisters(op: AccessOp): boolean {
    return op.elements.every(
      (dst) => dst === undefined || isWide(this.#o.regs.kind(dst.reg)) === (op.bytes === 8),
    );
  }

  #contiguous(op: AccessOp, site: number, count: number): void {
    const m = this.#o.f.m;
    const stride = op.bytes * count;
    const place = this.place(op, this.address(op), this.span(op, site, count, 0, stride), 4 * stride);
    this.log(site, m.i32.const(15), (lane) => m.i32.add(place.x(), m.i32.const(lane * stride)));
    this.races.access(op, site, place, stride, 'each', stride);
    const vectors = stride / 4;
    const halves = op.bytes === 8 ? ([0, 1] as const) : ([0] as const);
    if (op.kind === 'load') {
      const loaded = Array.from({ length: vectors }, (_, i) =>
        this.#o.keep('v128', m.v128.load(place.data.offset + 16 * i, 4, place.data.at())),
      );
      const columns = split(this.#o, loaded, count, op.bytes);
      op.elements.forEach((dst, element) => {
        if (dst === undefined) return;
        for (const half of halves) {
          this.#setVectorOr(dst.reg, half, columns[element * halves.length + half]!);
        }
        this.#o.forget(dst.reg);
      });
      return;
    }
    const columns = op.values.flatMap((src) =>
      halves.map((half) => this.#o.keep('v128', this.#o.vector(src, half))),
    );
    interleave(this.#o, columns, count, op.bytes).forEach((value, i) => {
      this.#o.out.push(m.v128.store(place.data.offset + 16 * i, 4, place.data.at(), value()));
    });
  }

  #setVectorOr(register: string, half: 0 | 1, value: () => Expr): void {
    if (this.#o.regs.isScalar(register))
      throw new RangeError(`${register} was expected to differ between lanes.`);
    this.#o.out.push(this.#o.regs.setVector(register, half, value()));
  }

  /** A known step between lanes that leaves gaps: one range check, then each lane. */
  #strided(op: AccessOp, site: number, count: number, stride: number): void {
    const m = this.#o.f.m;
    const address = this.address(op);
    const span: Span = { ...this.span(op, site, count, 0, stride), bytes: op.bytes * count + 3 * stride };
    const whole = this.#resolver.resolve(address, { ...span, alignment: 1 });
    const places = ALL.map((lane): Place => {
      const delta = lane * stride;
      const x = () => m.i32.add(whole.x(), m.i32.const(delta));
      return {
        x,
        data: { at: whole.data.at, offset: whole.data.offset + delta },
        shadow:
          delta % 4 === 0
            ? { at: whole.shadow.at, offset: whole.shadow.offset + delta / 4 }
            : {
                at: () =>
                  m.i32.add(
                    m.i32.sub(whole.shadow.at(), m.i32.shr_u(whole.x(), m.i32.const(2))),
                    m.i32.shr_u(x(), m.i32.const(2)),
                  ),
                offset: whole.shadow.offset,
              },
      };
    });
    if (op.bytes * count > 1) {
      const low = ALL.map((lane) => m.i32.add(whole.x(), m.i32.const(lane * stride))).reduce((x, y) =>
        m.i32.or(x, y),
      );
      const bad = m.i32.and(low, m.i32.const(op.bytes * count - 1));
      this.#o.out.push(m.if(bad, this.#resolver.fault(address, span)));
    }
    places.forEach((place, lane) => {
      this.check(op.kind === 'store', place, address, span, op.bytes * count, { lane, perLane: 0 });
    });
    this.races.access(op, site, places[0]!, op.bytes * count, 'each', stride);
    this.#lanes(op, site, places);
  }

  /** Any addresses: each lane is resolved on its own. */
  #scattered(op: AccessOp, site: number, count: number): void {
    const places = ALL.map((lane) =>
      this.place(op, this.address(op, lane), this.span(op, site, count, lane), op.bytes * count),
    );
    for (const lane of ALL) this.races.access(op, site, places[lane]!, op.bytes * count, lane);
    this.#lanes(op, site, places);
  }

  #lanes(op: AccessOp, site: number, places: readonly Place[]): void {
    const m = this.#o.f.m;
    this.log(site, m.i32.const(15), (lane) => places[lane]!.x());
    if (op.kind === 'store') {
      for (const lane of ALL) {
        op.values.forEach((src, i) => {
          this.#o.out.push(this.data.storeScalar(op, places[lane]!, i * op.bytes, this.#o.laneOf(src, lane)));
        });
      }
      return;
    }
    const values = op.elements.flatMap((dst, i) => {
      if (dst === undefined) return [];
      const kind = this.#o.regs.kind(dst.reg);
      const halves = isWide(kind) ? ([0, 1] as const) : ([0] as const);
      return halves.map((half) => {
        const gathered = gather(this.#o.f.m, kind, half, (lane) =>
          this.data.loadScalar(op, places[lane]!, i * op.bytes, dst.reg),
        );
        return { register: dst.reg, half, read: this.#o.keep('v128', gathered) };
      });
    });
    for (const { register, half, read } of values) this.#setVectorOr(register, half, read);
    for (const { register } of values) this.#o.forget(register);
  }

  /** One lane of four, where a guard lets only some through. */
  #oneLane(op: AccessOp, site: number, lane: number): void {
    const m = this.#o.f.m;
    const count = Math.max(op.elements.length, op.values.length);
    const place = this.place(op, this.address(op, lane), this.span(op, site, count, lane), op.bytes * count);
    this.log(site, m.i32.const(1 << lane), place.x);
    this.races.access(op, site, place, op.bytes * count, lane as 0 | 1 | 2 | 3);
    if (op.kind === 'store') {
      op.values.forEach((src, i) => {
        this.#o.out.push(this.data.storeScalar(op, place, i * op.bytes, this.#o.laneOf(src, lane)));
      });
      return;
    }
    op.elements.forEach((dst, i) => {
      if (dst !== undefined)
        this.data.replaceLane(dst.reg, lane, this.data.loadScalar(op, place, i * op.bytes, dst.reg));
    });
  }
}
