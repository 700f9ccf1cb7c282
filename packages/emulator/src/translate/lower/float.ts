import type { Instruction, PtxType } from '../../ptx/ast.js';
import { destination, kindOf, type Lowering, onlyFlags, source, typesOf, value } from './helpers.js';
import type { Expr, Op, Scalar, Wasm } from './spec.js';

/** f32 or f64, where it is the only type. */
function floatType(instruction: Instruction): 'f32' | 'f64' | undefined {
  const all = typesOf(instruction);
  return all.length === 1 && (all[0] === 'f32' || all[0] === 'f64') ? all[0] : undefined;
}

/** Rounding other than to nearest even, flushing and saturation are separate instructions on the device: refused. */
const NEAREST = ['rn'];

const arithmetic =
  (name: 'add' | 'sub' | 'mul' | 'div'): Lowering =>
  (instruction) => {
    const type = floatType(instruction);
    const flags = onlyFlags(instruction, ...NEAREST);
    if (type === undefined || flags === undefined || (name === 'div' && !flags.has('rn'))) return undefined;
    return value(instruction, {
      result: type,
      args: [type, type],
      scalar: (m, a, b) => m[type][name](a!(), b!()),
      vector: (m, h, a, b) => m[type === 'f32' ? 'f32x4' : 'f64x2'][name](a!(h), b!(h)),
    });
  };

/** Fused multiply-add in float32. In float64 it has no exact translation here and is refused. */
const fma: Lowering = (instruction) => {
  const flags = onlyFlags(instruction, ...NEAREST);
  const [d, a, b, c] = instruction.operands;
  const dst = destination(d, 'f32');
  if (floatType(instruction) !== 'f32' || flags?.has('rn') !== true || dst === undefined) return undefined;
  if (a === undefined || b === undefined || c === undefined) return undefined;
  const op: Op = { kind: 'fma', dst, srcs: [source(a, 'f32'), source(b, 'f32'), source(c, 'f32')] };
  return [op];
};

const unary =
  (name: 'neg' | 'abs' | 'sqrt'): Lowering =>
  (instruction) => {
    const type = floatType(instruction);
    const flags = onlyFlags(instruction, ...NEAREST);
    if (type === undefined || flags === undefined || (name === 'sqrt' && !flags.has('rn'))) return undefined;
    return value(instruction, {
      result: type,
      args: [type],
      scalar: (m, a) => m[type][name](a!()),
      vector: (m, h, a) => m[type === 'f32' ? 'f32x4' : 'f64x2'][name](a!(h)),
    });
  };

/** PTX's min and max return the other operand where one is NaN, and order −0 below +0. */
const minMax =
  (name: 'min' | 'max'): Lowering =>
  (instruction) => {
    const type = floatType(instruction);
    if (type === undefined || onlyFlags(instruction) === undefined) return undefined;
    const unordered = (m: Wasm, x: Scalar): Expr => m[type].ne(x(), x());
    return value(instruction, {
      result: type,
      args: [type, type],
      scalar: (m, a, b) =>
        m.select(unordered(m, a!), b!(), m.select(unordered(m, b!), a!(), m[type][name](a!(), b!()))),
    });
  };

/** 1/x correctly rounded; the approximate forms have no exact translation and are refused. */
const rcp: Lowering = (instruction) => {
  const type = floatType(instruction);
  if (type === undefined || onlyFlags(instruction, ...NEAREST)?.has('rn') !== true) return undefined;
  return value(instruction, {
    result: type,
    args: [type],
    scalar: (m, a) => m[type].div(m[type].const(1), a!()),
  });
};

const copysign: Lowering = (instruction) => {
  const type: PtxType | undefined = floatType(instruction);
  if (type === undefined || onlyFlags(instruction) === undefined) return undefined;
  // PTX: the sign of a on the magnitude of b.
  return value(instruction, {
    result: kindOf(type),
    args: [type, type],
    scalar: (m, a, b) => m[type].copysign(b!(), a!()),
  });
};

export const float: Readonly<Record<string, Lowering>> = {
  add: arithmetic('add'),
  sub: arithmetic('sub'),
  mul: arithmetic('mul'),
  div: arithmetic('div'),
  fma,
  neg: unary('neg'),
  abs: unary('abs'),
  sqrt: unary('sqrt'),
  min: minMax('min'),
  max: minMax('max'),
  rcp,
  copysign,
};
