import { CTX, QUAD } from '../../layout.js';
import type { Expr, ValueKind } from '../lower/spec.js';
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
      case 'clock':
        return m.i32.wrap(clock(o));
      default:
        throw new RangeError(`The special register %${name} is not known.`);
    }
  };
  if (name === 'clock64' || name === 'globaltimer') return clock(o);
  return kind === 'i64' ? m.i64.extend_u(value()) : value();
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
