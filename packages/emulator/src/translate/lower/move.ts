import { LOCAL_WINDOW, SHARED_WINDOW } from '../../layout.js';
import type { Instruction } from '../../ptx/ast.js';
import { addShape, constant, sameAs } from '../shape.js';
import { destination, EVEN_WORDS, kindOf, type Lowering, source, typesOf, value } from './helpers.js';
import { type Op, typeBytes, type ValueOp } from './spec.js';

/** `mov.b64 d, {lo, hi}`. */
function pack(instruction: Instruction): readonly Op[] | undefined {
  const [to, from] = instruction.operands;
  const dst = destination(to, 'i64');
  if (from?.kind !== 'vector' || from.elements.length !== 2 || dst === undefined) return undefined;
  const op: ValueOp = {
    kind: 'value',
    dst,
    srcs: from.elements.map((element) => source(element, 'i32')),
    scalar: (m, lo, hi) =>
      m.i64.or(m.i64.extend_u(lo!()), m.i64.shl(m.i64.extend_u(hi!()), m.i64.const(32n))),
  };
  return [op];
}

/** `mov.b64 {lo, hi}, a`. */
function unpack(instruction: Instruction): readonly Op[] | undefined {
  const [to, from] = instruction.operands;
  if (to?.kind !== 'vector' || to.elements.length !== 2 || from === undefined) return undefined;
  const ops: Op[] = [];
  for (const [i, element] of to.elements.entries()) {
    if (element.kind === 'sink') continue;
    const dst = destination(element, 'i32');
    if (dst === undefined) return undefined;
    ops.push({
      kind: 'value',
      dst,
      srcs: [source(from, 'i64')],
      scalar: (m, a) => m.i32.wrap(i === 0 ? a!() : m.i64.shr_u(a!(), m.i64.const(32n))),
      vector: (m, _h, a) =>
        m.i8x16.shuffle(a!(0), a!(1), i === 0 ? EVEN_WORDS : EVEN_WORDS.map((byte) => byte + 4)),
    });
  }
  return ops;
}

const mov: Lowering = (instruction) => {
  const [type, ...more] = typesOf(instruction);
  if (type === undefined || more.length > 0 || instruction.modifiers.length > 1) return undefined;
  if (instruction.operands[1]?.kind === 'vector') return type === 'b64' ? pack(instruction) : undefined;
  if (instruction.operands[0]?.kind === 'vector') return type === 'b64' ? unpack(instruction) : undefined;
  const kind = kindOf(type);
  if (kind === undefined) return undefined;
  return value(instruction, {
    result: kind,
    args: [type],
    scalar: (_m, a) => a!(),
    vector: (_m, h, a) => a!(h),
    shape: sameAs,
  });
};

const WINDOWS: Readonly<Record<string, bigint>> = {
  global: 0n,
  const: 0n,
  shared: SHARED_WINDOW,
  local: LOCAL_WINDOW,
  // A parameter's name stands for its generic address already.
  param: 0n,
};

/** Between an address in a state space and a generic one; global and generic addresses are the same. */
const cvta: Lowering = (instruction) => {
  const to = instruction.modifiers.includes('to');
  const space = instruction.modifiers
    .map((word) => word.replace(/::(cta|cluster)$/, ''))
    .find((word) => word in WINDOWS);
  const type = typesOf(instruction)[0];
  if (space === undefined || (type !== 'u64' && type !== 'u32')) return undefined;
  if (typeBytes(type) === 4) return undefined;
  const base = to ? -WINDOWS[space]! : WINDOWS[space]!;
  return value(instruction, {
    result: 'i64',
    args: ['i64'],
    scalar: (m, a) => (base === 0n ? a!() : m.i64.add(a!(), m.i64.const(base))),
    vector: (m, h, a) => (base === 0n ? a!(h) : m.i64x2.add(a!(h), m.i64x2.splat(m.i64.const(base)))),
    shape: (x) => addShape(x!, constant(base)),
  });
};

export const move: Readonly<Record<string, Lowering>> = { mov, cvta };
