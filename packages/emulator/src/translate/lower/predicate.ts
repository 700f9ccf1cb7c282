import type { Instruction, Operand, PtxType } from '../../ptx/ast.js';
import { selectShape } from '../shape.js';
import {
  destination,
  EVEN_WORDS,
  extended,
  flagsOf,
  ints,
  kindOf,
  type Lowering,
  onlyFlags,
  source,
  typesOf,
  value,
  WORD_PAIRS,
} from './helpers.js';
import {
  type Expr,
  isSigned,
  type Op,
  type Scalar,
  type Source,
  typeBytes,
  type ValueOp,
  type Vector,
  type Wasm,
} from './spec.js';

const INT_COMPARISONS: Readonly<Record<string, string>> = {
  eq: 'eq',
  ne: 'ne',
  lt: 'lt',
  le: 'le',
  gt: 'gt',
  ge: 'ge',
  lo: 'lt',
  ls: 'le',
  hi: 'gt',
  hs: 'ge',
};
const UNORDERED: Readonly<Record<string, string>> = {
  equ: 'ne',
  neu: 'eq',
  ltu: 'ge',
  leu: 'gt',
  gtu: 'le',
  geu: 'lt',
};

type Comparison = 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge';

/** 0 or 1 for one lane; undefined: there is no such comparison. */
export function compareScalar(m: Wasm, type: PtxType, name: string, a: Scalar, b: Scalar): Expr | undefined {
  if (type === 'f32' || type === 'f64') {
    const ordered = () => m.i32.and(m[type].eq(a(), a()), m[type].eq(b(), b()));
    if (name === 'num') return ordered();
    if (name === 'nan') return m.i32.eqz(ordered());
    // Unordered comparisons are true on NaN: the negation of the opposite ordered one.
    const opposite = UNORDERED[name];
    if (opposite === 'ne') return m.i32.or(m[type].eq(a(), b()), m.i32.eqz(ordered()));
    if (opposite === 'eq') return m.i32.eqz(m.i32.and(m[type].eq(a(), b()), ordered()));
    if (opposite !== undefined) return m.i32.eqz(m[type][opposite as Comparison](a(), b()));
    if (name === 'ne') return m.i32.and(m[type].ne(a(), b()), ordered());
    return m[type][name as Comparison](a(), b());
  }
  const plainName = INT_COMPARISONS[name];
  if (plainName === undefined) return undefined;
  const i = ints(m, type);
  const [x, y] = [extended(m, type, a), extended(m, type, b)];
  if (plainName === 'eq' || plainName === 'ne') return i[plainName](x, y);
  const unsigned = !isSigned(type) || ['lo', 'ls', 'hi', 'hs'].includes(name);
  return i[`${plainName as 'lt' | 'le' | 'gt' | 'ge'}_${unsigned ? 'u' : 's'}`](x, y);
}

const SIMPLE_FLOAT = new Set(['eq', 'lt', 'le', 'gt', 'ge']);

/** All ones or zeros for four lanes; undefined where it is done lane by lane. */
function compareVector(type: PtxType, name: string): ((m: Wasm, a: Vector, b: Vector) => Expr) | undefined {
  if (type === 'f32' && SIMPLE_FLOAT.has(name)) return (m, a, b) => m.f32x4[name as Comparison](a(0), b(0));
  const plainName = INT_COMPARISONS[name] as Comparison | undefined;
  if (plainName === undefined || type.startsWith('f')) return undefined;
  const equality = plainName === 'eq' || plainName === 'ne';
  if (typeBytes(type) === 4) {
    const unsigned = !isSigned(type) || ['lo', 'ls', 'hi', 'hs'].includes(name);
    return (m, a, b) =>
      equality ? m.i32x4[plainName](a(0), b(0)) : m.i32x4[`${plainName}_${unsigned ? 'u' : 's'}`](a(0), b(0));
  }
  if (typeBytes(type) !== 8 || (!equality && !isSigned(type))) return undefined;
  return (m, a, b) => {
    const half = (h: 0 | 1) =>
      equality ? m.i64x2[plainName](a(h), b(h)) : m.i64x2[`${plainName}_s`](a(h), b(h));
    return m.i8x16.shuffle(half(0), half(1), EVEN_WORDS);
  };
}

type Combine = 'and' | 'or' | 'xor';

function comparable(type: PtxType | undefined): type is PtxType {
  return type !== undefined && (/^[bus](16|32|64)$/.test(type) || type === 'f32' || type === 'f64');
}

/** `setp.cmp[.bool].type p[|q], a, b[, [!]c]`; q is the comparison's negation, combined the same way. */
const setp: Lowering = (instruction) => {
  const [type, ...more] = typesOf(instruction);
  const [name, combine, ...others] = flagsOf(instruction);
  if (!comparable(type) || more.length > 0 || name === undefined || others.length > 0) return undefined;
  if (combine !== undefined && !['and', 'or', 'xor'].includes(combine)) return undefined;
  const known = type.startsWith('f')
    ? SIMPLE_FLOAT.has(name) || ['ne', 'num', 'nan'].includes(name) || name in UNORDERED
    : name in INT_COMPARISONS;
  if (!known) return undefined;
  const inputs = combine === undefined ? 2 : 3;
  const operands = instruction.operands.slice(-inputs);
  const targets = instruction.operands.slice(0, -inputs);
  if (targets.length < 1 || targets.length > 2) return undefined;
  const srcs: Source[] = operands.map((operand, i) => source(operand, i === 2 ? 'pred' : type));
  const ops: Op[] = [];
  for (const [i, target] of targets.entries()) {
    if (target.kind === 'sink') continue;
    const dst = destination(target, 'pred');
    if (dst === undefined) return undefined;
    const onLanes = compareVector(type, name);
    const op: ValueOp = {
      kind: 'value',
      dst,
      srcs,
      scalar: (m, a, b, c) => {
        const compared = compareScalar(m, type, name, a!, b!) as Expr;
        const result = i === 0 ? compared : m.i32.eqz(compared);
        return combine === undefined ? result : m.i32[combine as Combine](result, c!());
      },
      ...(onLanes === undefined
        ? {}
        : {
            vector: (m: Wasm, _h: 0 | 1, a?: Vector, b?: Vector, c?: Vector) => {
              const compared = onLanes(m, a!, b!);
              const result = i === 0 ? compared : m.v128.not(compared);
              return combine === undefined ? result : m.v128[combine as Combine](result, c!(0));
            },
          }),
    };
    ops.push(op);
  }
  const first = targets[0];
  if (ops.length < 2 || first?.kind !== 'reg') return ops;
  // The second result would be made of the first.
  const clobbers = (operand: Operand) => operand.kind === 'reg' && operand.name === first.name;
  return operands.some(clobbers) || instruction.guard?.reg === first.name ? undefined : ops;
};

const logic =
  (name: Combine): Lowering =>
  (instruction) => {
    if (typesOf(instruction).join() !== 'pred' || onlyFlags(instruction) === undefined) return undefined;
    return value(instruction, {
      result: 'pred',
      args: ['pred', 'pred'],
      scalar: (m, a, b) => m.i32[name](a!(), b!()),
      vector: (m, h, a, b) => m.v128[name](a!(h), b!(h)),
    });
  };

const not: Lowering = (instruction) => {
  if (typesOf(instruction).join() !== 'pred') return undefined;
  return value(instruction, {
    result: 'pred',
    args: ['pred'],
    scalar: (m, a) => m.i32.eqz(a!()),
    vector: (m, h, a) => m.v128.not(a!(h)),
  });
};

/** `selp d, a, b, p`: a where p, else b. */
const selp: Lowering = (instruction: Instruction) => {
  const [type, ...more] = typesOf(instruction);
  if (!comparable(type) || more.length > 0 || onlyFlags(instruction) === undefined) return undefined;
  const kind = kindOf(type);
  return value(instruction, {
    result: kind,
    args: [type, type, 'pred'],
    scalar: (m, a, b, p) => m.select(p!(), a!(), b!()),
    vector: (m, h, a, b, p) => {
      const mask = typeBytes(type) === 8 ? m.i8x16.shuffle(p!(0), p!(0), [...WORD_PAIRS[h]]) : p!(0);
      return m.v128.bitselect(a!(h), b!(h), mask);
    },
    shape: selectShape,
  });
};

export const predicate: Readonly<Record<string, Lowering>> = {
  setp,
  and: logic('and'),
  or: logic('or'),
  xor: logic('xor'),
  not,
  selp,
};
