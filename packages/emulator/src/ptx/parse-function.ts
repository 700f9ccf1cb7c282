import type { PtxFunction, PtxParam } from './ast.js';
import type { Cursor } from './cursor.js';
import { FunctionNames, type OpenName } from './function-names.js';
import { parseBody } from './parse-body.js';
import { parseParams } from './parse-variable.js';
import type { SourceLines } from './source-lines.js';

const boundNames = new Set([
  'maxntid',
  'reqntid',
  'minnctapersm',
  'maxnctapersm',
  'maxnreg',
  'noreturn',
  'explicitcluster',
  'reqnctapercluster',
  'maxclusterrank',
  'blocksareclusters',
  'abi_preserve',
  'abi_preserve_control',
]);

export interface ParsedFunction {
  readonly name: string;
  /** Absent for a declaration without a body. */
  readonly definition?: PtxFunction;
  /** Names that neither the body nor the parameters declare. */
  readonly open: readonly OpenName[];
}

/** Reads a function or a declaration of one from behind `.entry` or `.func`. */
export function parseFunction(cursor: Cursor, lines: SourceLines, isEntry: boolean): ParsedFunction {
  const { line } = cursor;
  const results = cursor.kind === '(' && !isEntry ? parseParams(cursor).params : [];
  const name = cursor.word('the name of a function');
  const { params, byteLength } = cursor.kind === '(' ? parseParams(cursor) : { params: [], byteLength: 0 };
  const bounds = parseBounds(cursor);
  if (cursor.accept(';')) return { name, open: [] };
  if (cursor.kind !== '{') throw cursor.expected("a body '{', a performance directive or ';'");

  const names = new FunctionNames();
  declareParams(cursor, names, [...results, ...params]);
  lines.reset();
  const body = parseBody(cursor, names, lines);
  const open = names.finish();
  const definition: PtxFunction = {
    name,
    isEntry,
    params,
    paramBytes: byteLength,
    results,
    bounds,
    line,
    registers: names.registers,
    variables: body.variables,
    body: body.statements,
  };
  return { name, definition, open };
}

function declareParams(cursor: Cursor, names: FunctionNames, params: readonly PtxParam[]): void {
  for (const { name } of params) names.declare('symbol', name, { line: cursor.line, module: cursor.module });
}

/** Reads `.maxntid 256, 1, 1 .minnctapersm 2 .noreturn`. */
function parseBounds(cursor: Cursor): Record<string, number[]> {
  const bounds: Record<string, number[]> = {};
  while (cursor.kind === 'dotted') {
    if (cursor.acceptDotted('pragma')) {
      cursor.expect('string', 'a pragma in quotes');
      cursor.expect(';');
      continue;
    }
    if (cursor.acceptDotted('attribute')) {
      cursor.skipBalanced('(', ')');
      continue;
    }
    const name = cursor.text.slice(1);
    if (!boundNames.has(name)) throw cursor.expected('a directive such as .maxntid, or the body');
    cursor.advance();
    bounds[name] = parseNumbers(cursor);
  }
  return bounds;
}

function parseNumbers(cursor: Cursor): number[] {
  const numbers: number[] = [];
  if (cursor.kind !== 'number') return numbers;
  do numbers.push(cursor.integer());
  while (cursor.accept(','));
  return numbers;
}
