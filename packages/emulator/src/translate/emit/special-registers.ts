import { CTX, QUAD } from '../../layout.js';
import type { Expr, ValueKind } from '../lower/spec.js';
import { gather } from './lanes.js';
import type { Operands } from './operands.js';

/** Where a group's header holds the four lanes' thread index. */
export function tidOffset(dim: 'x' | 'y' | 'z' | undefined): number {
  return { x: QUAD.tidX, y: QUAD.tidY, z: QUAD.tidZ }[dim ?? 'x'];
}

/** The value of a special register in the lane that runs, or in lane 0. */
export function specialRegister(
  o: Operands,
  name: string,
  dim: 'x' | 'y' | 'z' | undefined,
  kind: ValueKind,
): Expr {
  const m = o.f.m;
  const axis = 'xyz'.indexOf(dim ?? 'x');
  const [x, y, z] = o.block;
  const linear = () => {
    const first = m.i32.load(QUAD.linear, 4, o.state());
    return o.mode === 'lane' ? m.i32.add(first, o.lane()) : first;
  };
  const value = (): Expr => {
    switch (name) {
      case 'tid': {
        const offset = tidOffset(dim);
        const base =
          o.mode === 'lane' ? m.i32.add(o.state(), m.i32.shl(o.lane(), m.i32.const(2))) : o.state();
        return m.i32.load(offset, 4, base);
      }
      case 'ntid':
        return m.i32.const(o.block[axis]!);
      case 'ctaid':
      case 'nctaid':
        return o.ctxField(name, axis);
      case 'laneid':
        return m.i32.and(linear(), m.i32.const(31));
      case 'warpid':
        return m.i32.shr_u(linear(), m.i32.const(5));
      case 'nwarpid':
        return m.i32.const(Math.ceil((x * y * z) / 32));
      case 'smid':
      case 'nsmid':
        return o.ctxField(name);
      // A kernel that is launched without clusters is in clusters of one block each.
      case 'clusterid':
        return o.ctxField('ctaid', axis);
      case 'nclusterid':
        return o.ctxField('nctaid', axis);
      case 'is_explicit_cluster':
      case 'cluster_ctaid':
      case 'cluster_ctarank':
        return m.i32.const(0);
      case 'cluster_nctaid':
      case 'cluster_nctarank':
        return m.i32.const(1);
      case 'dynamic_smem_size':
        return m.i32.sub(o.ctxField('sharedBytes'), m.i32.const(o.symbols.sharedBytes ?? 0));
      case 'clock':
      case 'globaltimer_lo':
        return m.i32.wrap(clock(o));
      case 'clock_hi':
      case 'globaltimer_hi':
        return m.i32.wrap(m.i64.shr_u(clock(o), m.i64.const(32n)));
      case 'lanemask_eq':
      case 'lanemask_le':
      case 'lanemask_lt':
      case 'lanemask_ge':
      case 'lanemask_gt':
        return laneMask(o, name, m.i32.and(linear(), m.i32.const(31)));
      default:
        throw new RangeError(`The special register %${name} is not known.`);
    }
  };
  if (name === 'clock64' || name === 'globaltimer') return clock(o);
  return kind === 'i64' ? m.i64.extend_u(value()) : value();
}

/** The lanes that compare with this one as the name says, a bit each. */
function laneMask(o: Operands, name: string, lane: Expr): Expr {
  const m = o.f.m;
  const one = m.i32.shl(m.i32.const(1), lane);
  switch (name) {
    case 'lanemask_eq':
      return one;
    case 'lanemask_lt':
      return m.i32.sub(one, m.i32.const(1));
    case 'lanemask_ge':
      return m.i32.sub(m.i32.const(0), one);
    case 'lanemask_le':
      return m.i32.sub(m.i32.shl(one, m.i32.const(1)), m.i32.const(1));
    default:
      return m.i32.shl(m.i32.const(-2), lane);
  }
}

/** One that differs between the four lanes. */
export function specialVector(o: Operands, name: string, dim: 'x' | 'y' | 'z' | undefined): Expr {
  const m = o.f.m;
  if (!name.startsWith('lanemask')) return m.v128.load(tidOffset(dim), 4, o.state());
  return gather(m, 'i32', 0, (lane) => {
    const first = m.i32.and(m.i32.load(QUAD.linear, 4, o.state()), m.i32.const(31));
    return laneMask(o, name, m.i32.add(first, m.i32.const(lane)));
  });
}

/** A counter that grows at every read; not a time. */
function clock(o: Operands): Expr {
  const m = o.f.m;
  const next = o.temporary('i64');
  return m.block(
    null,
    [
      o.f.set(next, m.i64.add(m.i64.load(CTX.clock, 8, o.ctx()), m.i64.const(1n))),
      m.i64.store(CTX.clock, 8, o.ctx(), o.f.get(next, 'i64')),
      o.f.get(next, 'i64'),
    ],
    o.f.i64,
  );
}
