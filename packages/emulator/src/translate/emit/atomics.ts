import binaryen from 'binaryen';
import { CTX, HEAP_START } from '../../layout.js';
import { softHalf } from '../lower/soft.js';
import type { AtomicOp, Expr, Scalar, Source, ValueKind, Wasm } from '../lower/spec.js';
import { isSigned } from '../lower/spec.js';
import type { Accesses, LaneMask } from './accesses.js';
import type { Operands } from './operands.js';

const NATIVE = new Set(['add', 'and', 'or', 'xor', 'exch']);

/**
 * A sum of float32 in memory. That of global memory has no subnormals: they count as zeros, and become zeros (PTX ISA,
 * "atom", "red"). Shared and local memory lie below the heap.
 */
function sum32(m: Wasm, at: Scalar, old: Scalar, value: Scalar): Expr {
  const flushed = (x: Scalar) =>
    m.select(m.f32.lt(m.f32.abs(x()), m.f32.const(2 ** -126)), m.f32.copysign(m.f32.const(0), x()), x());
  const flushedSum = () => m.f32.add(flushed(old), flushed(value));
  return m.if(m.i32.ge_u(at(), m.i32.const(HEAP_START)), flushed(flushedSum), m.f32.add(old(), value()));
}

/** The new value of a read-modify-write, where WebAssembly has no instruction for it. */
function combine(m: Wasm, op: AtomicOp, at: Scalar, old: Scalar, value: Scalar): Expr {
  if (op.type === 'f32') return sum32(m, at, old, value);
  if (op.type === 'f64') return m.f64.add(old(), value());
  if (/f16/.test(op.type)) {
    const format = op.type.startsWith('b') ? 'bf16' : 'f16';
    return softHalf(m, { operation: 'add', format, packed: op.type.endsWith('x2') }, old(), value());
  }
  const i = op.bytes === 8 ? m.i64 : m.i32;
  const s = isSigned(op.type) ? 's' : 'u';
  const constant = (n: number) => (op.bytes === 8 ? m.i64.const(BigInt(n)) : m.i32.const(n));
  switch (op.operation) {
    case 'min':
      return m.select(i[`lt_${s}`](value(), old()), value(), old());
    case 'max':
      return m.select(i[`gt_${s}`](value(), old()), value(), old());
    case 'inc':
      return m.select(i.ge_u(old(), value()), constant(0), i.add(old(), constant(1)));
    case 'dec':
      return m.select(m.i32.or(i.eqz(old()), i.gt_u(old(), value())), value(), i.sub(old(), constant(1)));
    default:
      throw new RangeError(`The atomic operation ${op.operation} is not combined.`);
  }
}

/**
 * Functions (address, value[, new value]) → old value, one per operation and type, made when first needed.
 * Those without an instruction of their own retry a compare-and-swap.
 */
export class AtomicFunctions {
  readonly #m: Wasm;
  readonly #made = new Set<string>();

  constructor(m: Wasm) {
    this.#m = m;
  }

  /** Name of the function for an operation. */
  for(op: AtomicOp): string {
    const name = `atomic_${op.operation}_${op.type}`;
    if (!this.#made.has(name)) this.#make(name, op);
    this.#made.add(name);
    return name;
  }

  #make(name: string, op: AtomicOp): void {
    const m = this.#m;
    const bits = op.bytes === 8 ? 'i64' : 'i32';
    const float = op.type === 'f32' || op.type === 'f64';
    const native = !/f/.test(op.type) && NATIVE.has(op.operation);
    const type = float ? (op.type as 'f32' | 'f64') : bits;
    const [wasmBits, wasmType] = [binaryen[bits], binaryen[type]];
    const at = () => m.local.get(0, binaryen.i32);
    const value = () => m.local.get(1, wasmType);
    const ns = bits === 'i64' ? m.i64.atomic : m.i32.atomic;
    const exchange = (expected: Expr, next: Expr) =>
      op.bytes === 2
        ? m.i32.atomic.rmw16_u.cmpxchg(0, at(), expected, next, '0')
        : ns.rmw.cmpxchg(0, at(), expected, next, '0');
    const load = () => (op.bytes === 2 ? m.i32.atomic.load16_u(0, at(), '0') : ns.load(0, at(), '0'));
    const params = [binaryen.i32, wasmType, ...(op.operation === 'cas' ? [wasmType] : [])];
    if (op.operation === 'cas') {
      const body = exchange(value(), m.local.get(2, wasmType));
      m.addFunction(name, binaryen.createType(params), wasmType, [], body);
      return;
    }
    if (native) {
      const operation = op.operation === 'exch' ? 'xchg' : (op.operation as 'add' | 'and' | 'or' | 'xor');
      m.addFunction(
        name,
        binaryen.createType(params),
        wasmType,
        [],
        ns.rmw[operation](0, at(), value(), '0'),
      );
      return;
    }
    const seen = () => m.local.get(2, wasmBits);
    const asType = (x: Expr) => (float ? m[type as 'f32' | 'f64'].reinterpret(x) : x);
    const asBits = (x: Expr) => (float ? m[bits].reinterpret(x) : x);
    const next = asBits(combine(m, op, at, () => asType(seen()), value));
    const body = m.block(
      null,
      [
        m.loop(
          'retry',
          m.block(null, [
            m.local.set(2, load()),
            m.br_if('retry', m[bits].ne(exchange(seen(), next), seen())),
          ]),
        ),
        asType(seen()),
      ],
      wasmType,
    );
    m.addFunction(name, binaryen.createType(params), wasmType, [wasmBits], body);
  }
}

/** Whether what lies in memory now is not what an operation found there. */
function differs(m: Wasm, op: AtomicOp, at: Expr, old: Expr): Expr {
  const wide = op.bytes === 8;
  const bits = op.type === 'f32' ? m.i32.reinterpret(old) : op.type === 'f64' ? m.i64.reinterpret(old) : old;
  if (op.bytes === 2) return m.i32.ne(m.i32.load16_u(0, 2, at), bits);
  return wide ? m.i64.ne(m.i64.load(0, 8, at), bits) : m.i32.ne(m.i32.load(0, 4, at), bits);
}

const RETURNS: Readonly<Record<ValueKind, number>> = {
  i32: binaryen.i32,
  i64: binaryen.i64,
  f32: binaryen.f32,
  f64: binaryen.f64,
  pred: binaryen.i32,
};

/** Says that a polling loop has changed memory `times` times. */
export function progress(o: Operands, times: Expr): Expr {
  const m = o.f.m;
  return m.i32.store(CTX.progress, 4, o.ctx(), m.i32.add(o.ctxField('progress'), times));
}

/**
 * Emits an atomic operation lane by lane, in the order of the lanes.
 * @param polls whether it is part of a polling loop, for which it matters if it has changed anything
 */
export function emitAtomic(
  o: Operands,
  accesses: Accesses,
  functions: AtomicFunctions,
  op: AtomicOp,
  site: number,
  mask: LaneMask,
  polls: boolean,
): void {
  const m = o.f.m;
  const kind = op.values[0]!.kind;
  const name = functions.for(op);
  const count = op.elements.length;
  const one = (lane: number | undefined): (() => Expr)[] => {
    const address = accesses.address(op, lane);
    const span = accesses.span(op, site, count, lane);
    const place = accesses.resolve(address, span);
    // An exchange whose old value nobody takes only writes.
    const writes = op.operation === 'exch' && op.elements[0] === undefined;
    accesses.check(writes, place, address, span, op.bytes * count);
    accesses.races.atomic(op, site, place, op.bytes * count, lane);
    accesses.log(
      site,
      lane === undefined ? m.i32.shl(m.i32.const(1), o.lane()) : m.i32.const(1 << lane),
      place.x,
    );
    const value = (src: Source) => (lane === undefined ? o.scalar(src) : o.laneOf(src, lane));
    // Every operand is read before a register changes.
    const read = op.values.map((src) => o.keep(kind === 'pred' ? 'i32' : kind, value(src)));
    return op.elements.map((dst, element) => {
      const at = () => m.i32.add(place.data.at(), m.i32.const(place.data.offset + element * op.bytes));
      const values = count === 1 ? read : [read[element]!];
      const old = m.call(name, [at(), ...values.map((get) => get())], RETURNS[kind]);
      if (dst === undefined && !polls) {
        o.out.push(m.drop(old));
        return () => m.nop();
      }
      const kept = o.keep(kind === 'pred' ? 'i32' : kind, old);
      if (polls) o.out.push(progress(o, differs(m, op, at(), kept())));
      return kept;
    });
  };
  if (o.mode === 'lane') {
    one(undefined).forEach((old, i) => {
      const reg = op.elements[i]?.reg;
      if (reg !== undefined) o.out.push(o.regs.setScalar(reg, o.toRegister(old(), kind, reg)));
    });
    return;
  }
  for (const lane of [0, 1, 2, 3]) {
    const body = () => {
      one(lane).forEach((old, i) => {
        const reg = op.elements[i]?.reg;
        if (reg !== undefined) accesses.data.replaceLane(reg, lane, o.toRegister(old(), kind, reg));
      });
    };
    if (mask === undefined) body();
    else o.out.push(m.if(m.i32.and(mask(), m.i32.const(1 << lane)), m.block(null, o.tentative(body))));
  }
}
