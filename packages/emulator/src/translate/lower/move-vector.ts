import { LOCAL_WINDOW, SHARED_WINDOW } from '../../layout.js';
import type { Instruction, Operand, PtxType } from '../../ptx/ast.js';
import { destination, kindOf, type Lowering, source, typesOf, value } from './helpers.js';
import { type Expr, type Op, type Source, typeBytes, type ValueOp } from './spec.js';

/** `mov.bN d, {a, b, …}`: parts side by side, the first lowest; 2 or 4 that together are as wide as d. */
function pack(type: PtxType, to: Operand, elements: readonly Operand[]): readonly Op[] | undefined {
  const dst = destination(to, kindOf(type));
  const bits = (8 * typeBytes(type)) / elements.length;
  if (dst === undefined || ![8, 16].includes(bits)) return undefined;
  const wide = typeBytes(type) === 8;
  const part: PtxType = bits === 16 ? 'b16' : 'b8';
  const op: ValueOp = {
    kind: 'value',
    dst,
    srcs: elements.map((element): Source => source(element, part)),
    scalar: (m, ...args) =>
      args
        .map((arg, i): Expr => {
          const clean = m.i32.and(arg(), m.i32.const(2 ** bits - 1));
          return wide
            ? m.i64.shl(m.i64.extend_u(clean), m.i64.const(BigInt(bits * i)))
            : m.i32.shl(clean, m.i32.const(bits * i));
        })
        .reduce((x, y) => (wide ? m.i64.or(x, y) : m.i32.or(x, y))),
  };
  return [op];
}

/** `mov.bN {a, b, …}, d`. */
function unpack(type: PtxType, elements: readonly Operand[], from: Operand): readonly Op[] | undefined {
  const bits = (8 * typeBytes(type)) / elements.length;
  if (![8, 16].includes(bits)) return undefined;
  const wide = typeBytes(type) === 8;
  const ops: Op[] = [];
  for (const [i, element] of elements.entries()) {
    if (element.kind === 'sink') continue;
    const dst = destination(element, 'i32');
    if (dst === undefined) return undefined;
    ops.push({
      kind: 'value',
      dst,
      srcs: [source(from, kindOf(type))],
      scalar: (m, a) => {
        const word = wide
          ? m.i32.wrap(m.i64.shr_u(a!(), m.i64.const(BigInt(bits * i))))
          : m.i32.shr_u(a!(), m.i32.const(bits * i));
        return m.i32.and(word, m.i32.const(2 ** bits - 1));
      },
    });
  }
  // A part that is written where the whole is still read would be lost.
  const clobbers = ops.some((op) => op.kind === 'value' && from.kind === 'reg' && op.dst.reg === from.name);
  return clobbers && ops.length > 1 ? undefined : ops;
}

/** `mov` between a register and its parts of 8 or 16 bits. */
const mov: Lowering = (instruction: Instruction) => {
  const [type, ...more] = typesOf(instruction);
  const [to, from, ...rest] = instruction.operands;
  if (type === undefined || more.length > 0 || instruction.modifiers.length > 1 || rest.length > 0)
    return undefined;
  if (to === undefined || from === undefined || !/^b(16|32|64)$/.test(type)) return undefined;
  if (from.kind === 'vector') return pack(type, to, from.elements);
  return to.kind === 'vector' ? unpack(type, to.elements, from) : undefined;
};

/** First address of a window and of what follows it. */
const WINDOW_BYTES = 1n << 40n;
const WINDOWS: Readonly<Record<string, bigint>> = { shared: SHARED_WINDOW, local: LOCAL_WINDOW };

/** `isspacep.space p, a`: whether a generic address lies there. Constants are in global memory here: refused. */
const isspacep: Lowering = (instruction) => {
  const [word, ...more] = instruction.modifiers;
  const space = word?.replace('::cta', '');
  if (more.length > 0 || (space !== 'shared' && space !== 'local' && space !== 'global')) return undefined;
  return value(instruction, {
    result: 'pred',
    args: ['i64'],
    scalar: (m, a) => {
      const within = (start: bigint) =>
        m.i64.lt_u(m.i64.sub(a!(), m.i64.const(start)), m.i64.const(WINDOW_BYTES));
      if (space !== 'global') return within(WINDOWS[space]!);
      return m.i32.eqz(m.i32.or(within(SHARED_WINDOW), within(LOCAL_WINDOW)));
    },
  });
};

/** `createpolicy`: a hint to caches, which are not emulated; its value is only ever passed on. */
const createpolicy: Lowering = (instruction) => {
  const dst = destination(instruction.operands[0], 'i64');
  if (dst === undefined || instruction.modifiers.at(-1) !== 'b64') return undefined;
  return [{ kind: 'value', dst, srcs: [], scalar: (m) => m.i64.const(0n) }];
};

export const moveVector: Readonly<Record<string, Lowering>> = { mov, isspacep, createpolicy };
