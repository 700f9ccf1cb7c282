import type { Instruction, Operand, SourcePlace } from './ast.js';
import type { Cursor } from './cursor.js';
import type { FunctionNames } from './function-names.js';
import { type OperandContext, parseList, parseOperand, parseRegister } from './parse-operand.js';

/** Reads a guard if there is one, an instruction and its semicolon; the op may have been read already. */
export function parseInstruction(
  cursor: Cursor,
  names: FunctionNames,
  source: SourcePlace | undefined,
  read?: { readonly op: string; readonly start: number; readonly line: number },
): Instruction {
  const start = read?.start ?? cursor.start;
  const line = read?.line ?? cursor.line;
  const guard = read === undefined ? parseGuard(cursor, names) : undefined;
  const op = read?.op ?? cursor.word('an instruction');
  const modifiers: string[] = [];
  while (cursor.kind === 'dotted') modifiers.push(cursor.dotted('a modifier'));
  const context = { cursor, names, floatsAreF32: modifiers.at(-1) === 'f32' };
  const { operands, pair } = op === 'call' ? parseCall(context) : parseOperands(context);
  if (op === 'brx' || (op === 'call' && operands.length === 4)) {
    names.useTable(operands, { module: cursor.module, line });
  }
  const text = statementText(cursor, start);
  cursor.expect(';', operands.length === 0 ? "an operand or ';'" : "',' or ';' behind an operand");
  return {
    kind: 'instruction',
    line,
    text,
    op,
    modifiers,
    operands,
    ...(guard === undefined ? {} : { guard }),
    ...(pair ? { pair } : {}),
    ...(source === undefined ? {} : { source }),
  };
}

function parseGuard(cursor: Cursor, names: FunctionNames): Instruction['guard'] {
  if (!cursor.accept('@')) return undefined;
  const negate = cursor.accept('!');
  return { reg: parseRegister({ cursor, names }), negate };
}

interface Operands {
  readonly operands: Operand[];
  /** The first two were written `d|p`. */
  readonly pair: boolean;
}

function parseOperands(context: OperandContext): Operands {
  const { cursor } = context;
  const operands: Operand[] = [];
  let pair = false;
  if (cursor.kind === ';') return { operands, pair };
  operands.push(parseOperand(context));
  if (cursor.accept('|')) {
    pair = true;
    operands.push(parseOperand(context));
  }
  while (cursor.accept(',')) operands.push(parseOperand(context));
  return { operands, pair };
}

/** Reads `(results), callee, (arguments), prototype`, all but the callee optional, and fills in what is left out. */
function parseCall(context: OperandContext): Operands {
  const { cursor } = context;
  const vector = (elements: Operand[]): Operand => ({ kind: 'vector', elements });
  let results: Operand[] = [];
  if (cursor.kind === '(') {
    results = parseList(context, '(', ')');
    cursor.expect(',');
  }
  const callee = parseOperand(context);
  let args: Operand[] = [];
  const rest: Operand[] = [];
  while (cursor.accept(',')) {
    if (cursor.kind === '(') args = parseList(context, '(', ')');
    else rest.push(parseOperand(context));
  }
  return { operands: [vector(results), callee, vector(args), ...rest], pair: false };
}

function statementText(cursor: Cursor, start: number): string {
  let text = cursor.source.slice(start, cursor.previousEnd);
  if (cursor.lastComment >= start) text = text.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, ' ');
  return text.replace(/\s+/g, ' ').trimEnd();
}
