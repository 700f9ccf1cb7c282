import type { Cursor } from './cursor.js';
import type { Literal } from './literal.js';
import { negateLiteral } from './literal.js';
import { ptxError } from './ptx-error.js';

/** Binary operators by rising precedence, as in C. */
const levels: readonly ReadonlySet<string>[] = [
  new Set(['|']),
  new Set(['^']),
  new Set(['&']),
  new Set(['<<', '>>']),
  new Set(['+', '-']),
  new Set(['*', '/', '%']),
];

/**
 * Reads a number or an integer expression of numbers: `-8`, `(1+2)*4`, `~0`. Inline assembly may hold such; compilers
 * write single numbers.
 */
export function parseConstant(cursor: Cursor, what: string): Literal {
  return binary(cursor, what, 0);
}

/** Reads a constant that must be an integer which a double holds exactly. */
export function parseConstantInteger(cursor: Cursor, what: string): number {
  const { line, module, start } = cursor;
  const constant = parseConstant(cursor, what);
  const value = constant.kind === 'int' ? Number(constant.value) : Number.NaN;
  if (Number.isSafeInteger(value)) return value;
  const found = cursor.source.slice(start, cursor.previousEnd);
  throw ptxError({ module, line }, `expected ${what}, found '${found}'`, { expected: what, found });
}

function binary(cursor: Cursor, what: string, level: number): Literal {
  const operators = levels[level];
  if (operators === undefined) return unary(cursor, what);
  let left = binary(cursor, what, level + 1);
  for (let sign = operator(cursor); operators.has(sign); sign = operator(cursor)) {
    const place = { module: cursor.module, line: cursor.line };
    for (let i = 0; i < sign.length; i++) cursor.advance();
    const right = binary(cursor, what, level + 1);
    if (left.kind !== 'int' || right.kind !== 'int') {
      throw ptxError(place, `expected integers around '${sign}' in a constant expression`, { found: sign });
    }
    if (right.value === 0n && (sign === '/' || sign === '%')) {
      throw ptxError(place, 'a constant expression divides by zero', { found: sign });
    }
    left = { kind: 'int', value: calculate(sign, left.value, right.value) };
  }
  return left;
}

function operator(cursor: Cursor): string {
  const { kind, source, end } = cursor;
  const doubled = (kind === '<' || kind === '>') && source.charAt(end) === kind;
  return doubled ? kind + kind : kind;
}

function unary(cursor: Cursor, what: string): Literal {
  const place = { module: cursor.module, line: cursor.line };
  if (cursor.accept('-')) return negateLiteral(unary(cursor, what));
  if (cursor.accept('+')) return unary(cursor, what);
  if (cursor.accept('~')) {
    const operand = unary(cursor, what);
    if (operand.kind !== 'int') throw ptxError(place, "expected an integer behind '~'", { found: '~' });
    return { kind: 'int', value: ~operand.value };
  }
  if (cursor.accept('(')) {
    const inner = parseConstant(cursor, what);
    cursor.expect(')');
    return inner;
  }
  return cursor.literal(what);
}

function calculate(sign: string, a: bigint, b: bigint): bigint {
  switch (sign) {
    case '|':
      return a | b;
    case '^':
      return a ^ b;
    case '&':
      return a & b;
    case '<<':
      return BigInt.asIntN(64, a << BigInt.asUintN(6, b));
    case '>>':
      return a >> BigInt.asUintN(6, b);
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return a / b;
    default:
      return a % b;
  }
}
