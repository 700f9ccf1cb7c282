import type { Instruction, PtxType } from '../../ptx/ast.js';
import type { HalfName } from '../../soft/half.js';
import { destination, kindOf, type Lowering, source, typesOf, value } from './helpers.js';
import { compareScalar } from './predicate.js';
import { flushed, halfToF64 } from './soft.js';
import type { Expr, Op, Scalar, Wasm } from './spec.js';

const COMBINE = new Set(['and', 'or', 'xor']);

interface Comparison {
  readonly name: string;
  readonly combine: 'and' | 'or' | 'xor' | undefined;
  readonly ftz: boolean;
}

function comparison(instruction: Instruction): Comparison | undefined {
  const types = new Set<string>(typesOf(instruction));
  const words = instruction.modifiers.filter((word) => !types.has(word));
  const ftz = words.includes('ftz');
  const [name, combine, ...more] = words.filter((word) => word !== 'ftz');
  if (name === undefined || more.length > 0 || (combine !== undefined && !COMBINE.has(combine)))
    return undefined;
  return { name, combine: combine as Comparison['combine'], ftz };
}

/** One of the values that an operand holds, as a type that comparisons know: floats of 16 bits as float32. */
function element(
  m: Wasm,
  type: PtxType,
  ftz: boolean,
  arg: Scalar,
  upper: boolean,
): { type: PtxType; value: Scalar } {
  const format = type.replace('x2', '');
  if (format === 'f16' || format === 'bf16') {
    const bits = () => (upper ? m.i32.shr_u(arg(), m.i32.const(16)) : arg());
    return { type: 'f32', value: () => m.f32.demote(halfToF64(m, format as HalfName, bits())) };
  }
  return { type, value: type === 'f32' && ftz ? () => flushed(m, arg()) : arg };
}

function compare(
  m: Wasm,
  type: PtxType,
  { name, combine, ftz }: Comparison,
  [a, b, c]: readonly Scalar[],
  upper = false,
  negate = false,
): Expr {
  const x = element(m, type, ftz, a!, upper);
  const y = element(m, type, ftz, b!, upper);
  const compared = compareScalar(m, x.type, name, x.value, y.value);
  if (compared === undefined) throw new RangeError(`There is no comparison '${name}' of ${type}.`);
  const result = negate ? m.i32.eqz(compared) : compared;
  return combine === undefined ? result : m.i32[combine](result, c!());
}

const FLOATS = new Set([
  'eq',
  'ne',
  'lt',
  'le',
  'gt',
  'ge',
  'equ',
  'neu',
  'ltu',
  'leu',
  'gtu',
  'geu',
  'num',
  'nan',
]);
const INTEGERS = new Set(['eq', 'ne', 'lt', 'le', 'gt', 'ge', 'lo', 'ls', 'hi', 'hs']);
const comparable = (type: PtxType, name: string) => (/f/.test(type) ? FLOATS : INTEGERS).has(name);

/** `setp` on floats of 16 bits, and with `.ftz`. Of pairs, the first result is the lower's, the second the upper's. */
const setp: Lowering = (instruction) => {
  const [type, ...more] = typesOf(instruction);
  const how = comparison(instruction);
  if (type === undefined || more.length > 0 || how === undefined || !comparable(type, how.name))
    return undefined;
  if (!/^b?f16(x2)?$/.test(type) && !(type === 'f32' && how.ftz)) return undefined;
  const inputs = how.combine === undefined ? 2 : 3;
  const targets = instruction.operands.slice(0, -inputs);
  const operands = instruction.operands.slice(-inputs);
  const packed = type.endsWith('x2');
  if (targets.length < 1 || targets.length > 2) return undefined;
  const srcs = operands.map((operand, i) => source(operand, i === 2 ? 'pred' : type));
  const ops: Op[] = [];
  for (const [i, target] of targets.entries()) {
    if (target.kind === 'sink') continue;
    const dst = destination(target, 'pred');
    if (dst === undefined) return undefined;
    const scalar = (m: Wasm, ...args: Scalar[]) =>
      compare(m, type, how, args, packed && i === 1, !packed && i === 1);
    ops.push({ kind: 'value', dst, srcs, scalar });
  }
  const [first] = targets;
  // The second result would be made of the first.
  const clobbers = operands.some(
    (operand) => operand.kind === 'reg' && first?.kind === 'reg' && operand.name === first.name,
  );
  return ops.length > 1 && clobbers ? undefined : ops;
};

/** What `set` gives for true, by the type of its result. */
const TRUE: Readonly<Record<string, number>> = {
  u32: 0xffffffff,
  s32: 0xffffffff,
  u16: 0xffff,
  s16: 0xffff,
  f32: 0x3f800000,
  f16: 0x3c00,
  bf16: 0x3f80,
  f16x2: 0x3c00,
  bf16x2: 0x3f80,
};

/** `set.cmp[.bool].to.from d, a, b[, c]`: all ones, or 1.0, where the comparison holds; of pairs, each by itself. */
const set: Lowering = (instruction) => {
  const [to, from, ...more] = typesOf(instruction);
  const how = comparison(instruction);
  if (to === undefined || from === undefined || more.length > 0 || how === undefined) return undefined;
  const yes = TRUE[to];
  const packed = from.endsWith('x2');
  if (yes === undefined || !comparable(from, how.name) || (to.endsWith('x2') && !packed)) return undefined;
  const one = packed && !to.endsWith('x2') ? 0xffff : yes;
  if (packed && to === 'f32') return undefined;
  return value(instruction, {
    result: kindOf(to),
    args: how.combine === undefined ? [from, from] : [from, from, 'pred'],
    scalar: (m, ...args) => {
      const part = (upper: boolean) =>
        m.select(compare(m, from, how, args, upper), m.i32.const(one | 0), m.i32.const(0));
      const word = packed ? m.i32.or(part(false), m.i32.shl(part(true), m.i32.const(16))) : part(false);
      return to === 'f32' ? m.f32.reinterpret(word) : word;
    },
  });
};

export const halfCompare: Readonly<Record<string, Lowering>> = { setp, set };
