import type { Instruction } from '../../ptx/ast.js';
import { type Lowering, onlyFlags, typesOf, value } from './helpers.js';
import { flushed, roundingOf, saturated, softFloat } from './soft.js';
import type { Expr, Scalar, Wasm } from './spec.js';

type Float = 'f32' | 'f64';

function floatType(instruction: Instruction): Float | undefined {
  const [type, ...more] = typesOf(instruction);
  return more.length === 0 && (type === 'f32' || type === 'f64') ? type : undefined;
}

/** Bits that a subtraction flips. */
const negated = (m: Wasm, type: Float, x: Expr): Expr => m[type].neg(x);

type Operation = 'add' | 'sub' | 'mul' | 'div' | 'fma' | 'sqrt' | 'rcp';
const COUNT: Readonly<Record<Operation, number>> = {
  add: 2,
  sub: 2,
  mul: 2,
  div: 2,
  fma: 3,
  sqrt: 1,
  rcp: 1,
};

function compute(
  m: Wasm,
  operation: Operation,
  type: Float,
  rounding: 'rn' | 'rz' | 'rm' | 'rp',
  args: Scalar[],
) {
  const [a, b] = args as [Scalar, Scalar];
  const ns = m[type];
  if (rounding === 'rn') {
    if (operation === 'rcp') return ns.div(ns.const(1), a());
    if (operation === 'sqrt') return ns.sqrt(a());
    if (operation !== 'fma') return ns[operation](a(), b());
  }
  const code = { format: type, rounding } as const;
  if (operation === 'sub') return softFloat(m, { ...code, operation: 'add' }, a(), negated(m, type, b()));
  if (operation === 'rcp') return softFloat(m, { ...code, operation: 'div' }, ns.const(1), a());
  return softFloat(m, { ...code, operation }, ...args.map((arg) => arg()));
}

/**
 * Arithmetic with a rounding other than to nearest, `.ftz` (subnormal operands and results are zeros), `.sat` (results
 * between 0 and 1), and fma in float64.
 */
const rounded =
  (operation: Operation): Lowering =>
  (instruction) => {
    const type = floatType(instruction);
    const flags = onlyFlags(instruction, 'rn', 'rz', 'rm', 'rp', 'ftz', 'sat');
    const written = roundingOf(instruction);
    const explicit =
      operation === 'div' || operation === 'fma' || operation === 'sqrt' || operation === 'rcp';
    if (type === undefined || flags === undefined || (explicit && written === undefined)) return undefined;
    if (type === 'f64' && (flags.has('ftz') || flags.has('sat'))) return undefined;
    return value(instruction, {
      result: type,
      args: new Array<Float>(COUNT[operation]).fill(type),
      scalar: (m, ...args) => {
        const ftz = flags.has('ftz');
        const inputs = ftz ? args.map((arg) => () => flushed(m, arg())) : args;
        const result = compute(m, operation, type, written ?? 'rn', inputs);
        const whole = ftz ? flushed(m, result) : result;
        return flags.has('sat') ? saturated(m, type, whole) : whole;
      },
    });
  };

const sign =
  (name: 'neg' | 'abs'): Lowering =>
  (instruction) => {
    if (floatType(instruction) !== 'f32' || onlyFlags(instruction, 'ftz') === undefined) return undefined;
    return value(instruction, {
      result: 'f32',
      args: ['f32'],
      scalar: (m, a) => m.f32[name](flushed(m, a!())),
    });
  };

/** `min` and `max` with `.NaN` (NaN where one operand is) and `.ftz`, of two or three operands. */
const extreme =
  (name: 'min' | 'max'): Lowering =>
  (instruction) => {
    const flags = onlyFlags(instruction, 'ftz', 'NaN');
    if (floatType(instruction) !== 'f32' || flags === undefined) return undefined;
    const operation = flags.has('NaN') ? (`${name}NaN` as const) : name;
    return value(instruction, {
      result: 'f32',
      args: ['f32', 'f32'],
      scalar: (m, a, b) => {
        const [x, y] = flags.has('ftz') ? [flushed(m, a!()), flushed(m, b!())] : [a!(), b!()];
        return softFloat(m, { operation, format: 'f32' }, x, y);
      },
    });
  };

/** `testp.what p, a`. */
const testp: Lowering = (instruction) => {
  const type = floatType(instruction);
  const [what, ...more] = instruction.modifiers.filter((word) => word !== type);
  if (type === undefined || more.length > 0) return undefined;
  const smallest = type === 'f32' ? 2 ** -126 : 2 ** -1022;
  const tests: Readonly<Record<string, (m: Wasm, a: Scalar) => Expr>> = {
    finite: (m, a) => m[type].lt(m[type].abs(a()), m[type].const(Number.POSITIVE_INFINITY)),
    infinite: (m, a) => m[type].eq(m[type].abs(a()), m[type].const(Number.POSITIVE_INFINITY)),
    number: (m, a) => m[type].eq(a(), a()),
    notanumber: (m, a) => m[type].ne(a(), a()),
    normal: (m, a) =>
      m.i32.and(
        m[type].ge(m[type].abs(a()), m[type].const(smallest)),
        m[type].lt(m[type].abs(a()), m[type].const(Number.POSITIVE_INFINITY)),
      ),
    // Zero counts as subnormal here.
    subnormal: (m, a) => m[type].lt(m[type].abs(a()), m[type].const(smallest)),
  };
  const test = tests[what ?? ''];
  if (test === undefined) return undefined;
  return value(instruction, { result: 'pred', args: [type], scalar: (m, a) => test(m, a!) });
};

export const floatRounded: Readonly<Record<string, Lowering>> = {
  add: rounded('add'),
  sub: rounded('sub'),
  mul: rounded('mul'),
  div: rounded('div'),
  fma: rounded('fma'),
  mad: rounded('fma'),
  sqrt: rounded('sqrt'),
  rcp: rounded('rcp'),
  neg: sign('neg'),
  abs: sign('abs'),
  min: extreme('min'),
  max: extreme('max'),
  testp,
};
