import type { Instruction } from '../../ptx/ast.js';
import type { Approximation } from '../../soft/code.js';
import { type Lowering, onlyFlags, typesOf, value } from './helpers.js';
import { flushed, softFloat } from './soft.js';

/**
 * The function nearest to what a GPU looks up in tables: correctly rounded but for rare cases, where the GPU is off by
 * the bound that `docs/instructions.md` gives. `div.full` counts, too.
 */
const approximate =
  (operation: Approximation, count: 1 | 2 = 1): Lowering =>
  (instruction) => {
    const [type, ...more] = typesOf(instruction);
    const flags = onlyFlags(instruction, 'approx', 'full', 'ftz');
    if (flags === undefined || more.length > 0 || flags.has('approx') === flags.has('full')) return undefined;
    if (flags.has('full') && operation !== 'divApprox') return undefined;
    if (type === 'f64') {
      // Only these have it; the device gives their upper 32 bits, and zeros below.
      if ((operation !== 'rcp' && operation !== 'rsqrt') || !flags.has('approx')) return undefined;
      return value(instruction, {
        result: 'f64',
        args: ['f64'],
        scalar: (m, a) =>
          m.f64.reinterpret(
            m.i64.and(
              m.i64.reinterpret(softFloat(m, { operation, format: 'f64' }, a!())),
              m.i64.const(-0x1_0000_0000n),
            ),
          ),
      });
    }
    if (type !== 'f32') return undefined;
    return value(instruction, {
      result: 'f32',
      args: count === 1 ? ['f32'] : ['f32', 'f32'],
      scalar: (m, ...args) => {
        const ftz = flags.has('ftz');
        const inputs = args.map((arg) => (ftz ? flushed(m, arg()) : arg()));
        const result = softFloat(m, { operation, format: 'f32' }, ...inputs);
        return ftz ? flushed(m, result) : result;
      },
    });
  };

/** Instructions whose results are near, not equal, to a GPU's. */
export const approximations: Readonly<Record<string, Lowering>> = {
  rcp: approximate('rcp'),
  rsqrt: approximate('rsqrt'),
  sqrt: approximate('sqrtApprox'),
  div: approximate('divApprox', 2),
  ex2: approximate('ex2'),
  lg2: approximate('lg2'),
  sin: approximate('sin'),
  cos: approximate('cos'),
  tanh: approximate('tanh'),
};

/** Whether an instruction is one of these, or the same on 16-bit floats. */
export const isApproximate = ({ modifiers }: Instruction): boolean =>
  modifiers.includes('approx') || modifiers.includes('full');
