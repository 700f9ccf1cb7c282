import { GLOBAL_BASE, QUAD, SHADOW_START } from '../../layout.js';
import type { CommitOp, CopyOp, Expr, Source, WaitOp, Wasm } from '../lower/spec.js';
import type { Accesses, LaneMask } from './accesses.js';
import { addCopy, COPY_SIZES } from './copy-issue.js';
import { addLand } from './copy-landing.js';
import { addMay } from './copy-may.js';
import { addPublish } from './copy-publish.js';
import { LocalNames } from './local-names.js';
import type { Operands } from './operands.js';
import type { TranslationOptions } from './options.js';

const LANES = [0, 1, 2, 3] as const;

/** Adds the functions of kernels that copy asynchronously. */
export function addCopyFunctions(
  m: Wasm,
  { checks, sanitizers, copies }: TranslationOptions,
  stateBytes: number,
): void {
  addCopyBytes(m);
  if (checks) {
    addCopyWritten(m);
    addMay(m);
    addPublish(m, stateBytes);
  }
  for (const bytes of COPY_SIZES) addCopy(m, bytes, checks ? sanitizers : undefined, copies === 'early');
  addLand(m, checks, copies === 'early');
}

/** copy_bytes(to, from, count): a few bytes, the last first. */
function addCopyBytes(m: Wasm): void {
  const l = new LocalNames(m, 3, { to: 'i32', from: 'i32', count: 'i32' });
  const at = (start: 'to' | 'from') => m.i32.add(l.get(start), l.get('count'));
  l.define('copy_bytes', 'none', [
    m.loop(
      'next',
      m.if(
        l.get('count'),
        m.block(null, [
          l.set('count', m.i32.sub(l.get('count'), m.i32.const(1))),
          m.i32.store8(0, 1, at('to'), m.i32.load8_u(0, 1, at('from'))),
          m.br('next'),
        ]),
      ),
    ),
  ]);
}

/** copy_written(x, count) → 1 where every one of the bytes of global memory from offset x on holds a value. */
function addCopyWritten(m: Wasm): void {
  const l = new LocalNames(m, 2, { x: 'i32', count: 'i32' });
  const i = (value: number) => m.i32.const(value);
  const at = () => m.i32.add(l.get('x'), l.get('count'));
  const bit = () => m.i32.shl(i(0x11), m.i32.and(at(), i(3)));
  const shadow = m.i32.load8_u(SHADOW_START, 1, m.i32.shr_u(at(), i(2)));
  l.define('copy_written', 'i32', [
    m.loop(
      'next',
      m.if(
        l.get('count'),
        m.block(null, [
          l.set('count', m.i32.sub(l.get('count'), i(1))),
          m.if(m.i32.ne(m.i32.and(shadow, bit()), bit()), m.return(i(0))),
          m.br('next'),
        ]),
      ),
    ),
    i(1),
  ]);
}

/** Runs `body` for each lane that takes part; undefined is the lane that lane code runs. */
function eachLane(o: Operands, mask: LaneMask, body: (lane: number | undefined) => void): void {
  const m = o.f.m;
  if (o.mode === 'lane') {
    body(undefined);
    return;
  }
  for (const lane of LANES) {
    if (mask === undefined) body(lane);
    else {
      const code = o.tentative(() => body(lane));
      o.out.push(m.if(m.i32.and(mask(), m.i32.const(1 << lane)), m.block(null, code)));
    }
  }
}

/** Bytes that a lane's copy reads. */
function bytesRead(o: Operands, op: CopyOp, lane: number | undefined): Expr {
  const m = o.f.m;
  const [src] = op.values;
  if (src === undefined) return m.i32.const(op.bytes);
  const of = (source: Source) => (lane === undefined ? o.scalar(source) : o.laneOf(source, lane));
  const { operand } = src;
  if (operand.kind !== 'reg' || o.regs.kind(operand.name) !== 'pred') return of(src);
  return m.select(of({ operand, kind: 'pred' }), m.i32.const(0), m.i32.const(op.bytes));
}

/** Emits `cp.async`: a call for each lane that takes part. */
export function emitCopy(o: Operands, accesses: Accesses, op: CopyOp, site: number, mask: LaneMask): void {
  const m = o.f.m;
  eachLane(o, mask, (lane) => {
    const address = (of: CopyOp['address']): Expr => {
      const { value, wide, offset } = accesses.address({ address: of }, lane);
      if (!wide) return m.i64.extend_u(m.i32.add(value(), m.i32.const(offset)));
      return offset === 0 ? value() : m.i64.add(value(), m.i64.const(BigInt(offset)));
    };
    const number = () => (lane === undefined ? o.lane() : m.i32.const(lane));
    const to = o.keep('i64', address(op.address));
    const from = o.keep('i64', address(op.from));
    const read = o.keep('i32', bytesRead(o, op, lane));
    o.out.push(
      m.call(`copy${op.bytes}`, [o.state(), o.ctx(), number(), m.i32.const(site), to(), from(), read()], 0),
    );
    accesses.between?.copy(site, () => m.i32.wrap(m.i64.sub(from(), m.i64.const(GLOBAL_BASE))), read, lane);
    accesses.races.copy(site + 1, () => m.i32.wrap(to()), op.bytes, lane);
    const bit = () => m.i32.shl(m.i32.const(1), number());
    const x = () => m.i32.wrap(m.i64.sub(from(), m.i64.const(GLOBAL_BASE)));
    const logged = o.tentative(() => accesses.log(site, bit(), x));
    if (logged.length > 0) o.out.push(m.if(read(), m.block(null, logged)));
    accesses.log(site + 1, bit(), () => m.i32.wrap(to()));
  });
}

/** Emits `cp.async.commit_group`. */
export function emitCommit(o: Operands, mask: LaneMask): void {
  const m = o.f.m;
  if (o.mode !== 'lane' && mask === undefined) {
    const next = m.i32x4.add(m.v128.load(QUAD.copyGroup, 4, o.state()), m.i32x4.splat(m.i32.const(1)));
    o.out.push(m.v128.store(QUAD.copyGroup, 4, o.state(), next));
    return;
  }
  eachLane(o, mask, (lane) => {
    const number = lane === undefined ? o.lane() : m.i32.const(lane);
    const at = o.keep('i32', m.i32.add(o.state(), m.i32.shl(number, m.i32.const(2))));
    const next = m.i32.add(m.i32.load(QUAD.copyGroup, 4, at()), m.i32.const(1));
    o.out.push(m.i32.store(QUAD.copyGroup, 4, at(), next));
  });
}

/** Emits `cp.async.wait_group` and `wait_all`: copies land. */
export function emitWait(o: Operands, op: WaitOp, shown: boolean, mask: LaneMask): void {
  const m = o.f.m;
  eachLane(o, mask, (lane) => {
    const number = lane === undefined ? o.lane() : m.i32.const(lane);
    o.out.push(m.call('copy_land', [o.state(), o.ctx(), number, m.i32.const(op.pending ?? -1)], 0));
    if (op.shows === true && shown)
      o.out.push(m.call('copy_publish', [o.state(), o.ctx(), m.i32.const(1), m.i32.const(0)], 0));
  });
}

/** Emits what has to do with groups of copies. */
/** @param checks whether what has landed is kept from other threads until it is shown */
export function emitGroup(o: Operands, op: CommitOp | WaitOp, checks: boolean, mask: LaneMask): void {
  if (op.kind === 'commit') emitCommit(o, mask);
  else emitWait(o, op, checks, mask);
}
