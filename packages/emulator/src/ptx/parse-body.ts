import type { Instruction, Label, Operand, PtxVariable } from './ast.js';
import type { Cursor } from './cursor.js';
import type { FunctionNames } from './function-names.js';
import { parseInstruction } from './parse-instruction.js';
import { isStateSpace, parseType, parseVariables } from './parse-variable.js';
import { ptxError } from './ptx-error.js';
import type { SourceLines } from './source-lines.js';

/** Compilers declare thousands; far more are a slip, and would only fill the host's memory. */
const MOST_REGISTERS = 2 ** 20;

export interface Body {
  readonly statements: (Instruction | Label)[];
  readonly variables: PtxVariable[];
}

/** Reads a function's `{ … }`; inner scopes are flattened. */
export function parseBody(cursor: Cursor, names: FunctionNames, lines: SourceLines): Body {
  const body: Body = { statements: [], variables: [] };
  const opened: number[] = [cursor.line];
  cursor.expect('{');
  while (opened.length > 0) {
    switch (cursor.kind) {
      case '{':
        opened.push(cursor.line);
        names.push();
        cursor.advance();
        break;
      case '}':
        opened.pop();
        if (opened.length > 0) names.pop();
        cursor.advance();
        break;
      case 'dotted':
        parseDirective(cursor, names, lines, body);
        break;
      case 'word':
        parseLabelOrInstruction(cursor, names, lines, body);
        break;
      case '@':
        body.statements.push(parseInstruction(cursor, names, lines.current));
        break;
      case ';':
        cursor.advance();
        break;
      default:
        throw cursor.expected(`a label, an instruction or the '}' for the '{' of line ${opened.at(-1)}`);
    }
  }
  return body;
}

function parseLabelOrInstruction(cursor: Cursor, names: FunctionNames, lines: SourceLines, body: Body): void {
  const { start, line, module } = cursor;
  const word = cursor.word('a label or an instruction');
  if (!cursor.accept(':')) {
    body.statements.push(parseInstruction(cursor, names, lines.current, { op: word, start, line }));
    return;
  }
  const name = names.declare('label', word, { line, module });
  if (cursor.acceptDotted('callprototype')) {
    while (cursor.kind !== ';' && cursor.kind !== 'end') cursor.advance();
    names.declareTable(name, []);
    cursor.expect(';');
  } else if (cursor.acceptDotted('branchtargets') || cursor.acceptDotted('calltargets')) {
    names.declareTable(name, parseTargets(cursor, names));
  } else {
    body.statements.push({ kind: 'label', name, line });
  }
}

function parseTargets(cursor: Cursor, names: FunctionNames) {
  const targets: Operand[] = [];
  do {
    const place = { line: cursor.line, module: cursor.module };
    targets.push(names.tie({ kind: 'symbol' as const, name: cursor.word('a label'), offset: 0 }, place));
  } while (cursor.accept(','));
  cursor.expect(';');
  return targets;
}

function parseDirective(cursor: Cursor, names: FunctionNames, lines: SourceLines, body: Body): void {
  const directive = cursor.text.slice(1);
  if (directive === 'loc') {
    cursor.advance();
    lines.loc(cursor);
  } else if (directive === 'reg') {
    cursor.advance();
    parseRegisters(cursor, names);
  } else if (directive === 'pragma') {
    cursor.advance();
    do cursor.expect('string', 'a pragma in quotes');
    while (cursor.accept(','));
    cursor.expect(';');
  } else if (directive === 'extern' || isStateSpace(directive)) {
    const extern = cursor.acceptDotted('extern');
    const space = cursor.kind === 'dotted' ? cursor.text.slice(1) : '';
    if (!isStateSpace(space)) throw cursor.expected('a state space such as .shared');
    cursor.advance();
    for (const variable of parseVariables(cursor, space, extern)) {
      const name = names.declare('symbol', variable.name, { line: variable.line, module: cursor.module });
      body.variables.push({ ...variable, name });
    }
  } else {
    throw cursor.expected('a directive of a function body (.reg, .param, .local, .shared, .loc, .pragma)');
  }
}

/** Reads `.b32 %r<28>, tmp;` from behind `.reg`. */
function parseRegisters(cursor: Cursor, names: FunctionNames): void {
  const type = parseType(cursor);
  do {
    const place = { line: cursor.line, module: cursor.module };
    const name = cursor.word('the name of a register');
    if (!cursor.accept('<')) {
      names.declareRegister(name, type, place);
      continue;
    }
    const count = cursor.integer('a number of registers');
    if (count > MOST_REGISTERS) {
      throw ptxError(
        place,
        `${count} registers '${name}' are declared; the emulator takes at most ${MOST_REGISTERS} at once`,
        { found: count },
      );
    }
    cursor.expect('>');
    for (let i = 0; i < count; i++) names.declareRegister(name + i, type, place);
  } while (cursor.accept(','));
  cursor.expect(';');
}
