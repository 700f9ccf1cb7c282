import type { Operand } from './ast.js';
import { parseConstant, parseConstantInteger } from './constant-expression.js';
import type { Cursor } from './cursor.js';
import type { FunctionNames } from './function-names.js';
import { toF32Bits } from './parse-initializer.js';
import { ptxError } from './ptx-error.js';
import { specialRegisterShape } from './special-registers.js';

const WARP_SIZE = 32n;

/** What an operand needs to know of its instruction. */
export interface OperandContext {
  readonly cursor: Cursor;
  readonly names: FunctionNames;
  /** A decimal literal is a double; in an instruction on f32 it is rounded to one. */
  readonly floatsAreF32: boolean;
}

/** Reads one operand. */
export function parseOperand(context: OperandContext): Operand {
  const { cursor } = context;
  switch (cursor.kind) {
    case 'word':
      return parseName(context);
    case 'number':
    case '-':
    case '+':
    case '~':
    case '(': {
      const literal = parseConstant(cursor, 'an operand');
      return context.floatsAreF32 && literal.kind === 'f64'
        ? { kind: 'f32', bits: toF32Bits(literal) }
        : literal;
    }
    case '[':
      return parseAddress(context);
    case '{':
      return { kind: 'vector', elements: parseList(context, '{', '}') };
    case '!': {
      cursor.advance();
      const operand = parseName(context);
      if (operand.kind !== 'reg') throw ptxError(cursor, "expected a predicate register behind '!'");
      return { ...operand, negate: true };
    }
    default:
      throw cursor.expected('an operand');
  }
}

/** Reads operands between two tokens, separated by commas. */
export function parseList(context: OperandContext, open: string, close: string): Operand[] {
  const { cursor } = context;
  const elements: Operand[] = [];
  cursor.expect(open);
  while (cursor.kind !== close) {
    elements.push(parseOperand(context));
    if (!cursor.accept(',')) break;
  }
  cursor.expect(close, `',' or '${close}'`);
  return elements;
}

/** Takes a declared register and gives its unique name. */
export function parseRegister({ cursor, names }: Pick<OperandContext, 'cursor' | 'names'>): string {
  const { line, module } = cursor;
  const name = cursor.word('a register');
  const declared = names.find(name);
  if (declared?.kind !== 'reg') throw names.undeclaredRegister(name, { line, module });
  return declared.name;
}

function parseName({ cursor, names }: OperandContext): Operand {
  const place = { line: cursor.line, module: cursor.module };
  const name = cursor.word('a name');
  if (name === '_') return { kind: 'sink' };
  const declared = names.find(name);
  if (declared?.kind === 'reg') return { kind: 'reg', name: declared.name };
  if (name.startsWith('%')) {
    const shape = specialRegisterShape(name.slice(1));
    if (shape === undefined) throw names.undeclaredRegister(name, place);
    if (shape === 'scalar' || cursor.kind !== 'dotted') return { kind: 'special', name: name.slice(1) };
    const dim = cursor.dotted('.x, .y or .z');
    if (dim !== 'x' && dim !== 'y' && dim !== 'z') {
      throw ptxError(place, `expected .x, .y or .z behind ${name}, found '.${dim}'`, { found: `.${dim}` });
    }
    return { kind: 'special', name: name.slice(1), dim };
  }
  if (name === 'WARP_SZ' && declared === undefined) return { kind: 'int', value: WARP_SIZE };
  return names.tie({ kind: 'symbol' as const, name, offset: parseOffset(cursor) }, place);
}

/** Reads `+16`, `+-8`, `-4` or nothing. */
function parseOffset(cursor: Cursor): number {
  if (cursor.kind !== '-' && !cursor.accept('+')) return 0;
  return parseConstantInteger(cursor, 'an offset in bytes');
}

function parseAddress(context: OperandContext): Operand {
  const { cursor, names } = context;
  cursor.expect('[');
  const place = { line: cursor.line, module: cursor.module };
  let base: { kind: 'reg' | 'symbol'; name: string } | undefined;
  let offset = 0;
  if (cursor.kind === 'word') {
    const name = cursor.word('an address');
    const declared = names.find(name);
    if (declared?.kind !== 'reg' && name.startsWith('%')) throw names.undeclaredRegister(name, place);
    base =
      declared?.kind === 'reg'
        ? { kind: 'reg', name: declared.name }
        : names.tie({ kind: 'symbol' as const, name }, place);
  } else {
    offset = parseConstantInteger(cursor, 'a register, a name or a number as address');
  }
  offset += parseOffset(cursor);
  const extra: Operand[] = [];
  while (cursor.accept(',')) extra.push(parseOperand(context));
  cursor.expect(']', "'+', '-', ',' or ']' in an address");
  return {
    kind: 'address',
    ...(base === undefined ? {} : { base }),
    offset,
    ...(extra.length === 0 ? {} : { extra }),
  };
}
