import type { PtxParam, PtxType, PtxVariable, StateSpace } from './ast.js';
import { parseConstantInteger } from './constant-expression.js';
import type { Cursor } from './cursor.js';
import { parseInitializer } from './parse-initializer.js';
import { ptxError } from './ptx-error.js';
import { bytesOfType, isPtxType } from './types.js';

const spaces: ReadonlySet<string> = new Set(['global', 'shared', 'local', 'const', 'param']);

export function isStateSpace(name: string): name is StateSpace {
  return spaces.has(name);
}

interface Shape {
  readonly type: PtxType;
  readonly vector: number;
  readonly align: number | undefined;
}

/** Reads `.align 8 .v2 .f32`, in any order that compilers use, up to the name. */
function parseShape(cursor: Cursor): Shape {
  let align: number | undefined;
  let vector = 1;
  for (;;) {
    if (cursor.acceptDotted('align')) {
      align = powerOfTwo(cursor);
    } else if (cursor.acceptDotted('v2')) {
      vector = 2;
    } else if (cursor.acceptDotted('v4')) {
      vector = 4;
    } else if (cursor.acceptDotted('attribute')) {
      cursor.skipBalanced('(', ')');
    } else {
      return { type: parseType(cursor), vector, align };
    }
  }
}

/** Reads `.f32` and gives the type's name. */
export function parseType(cursor: Cursor): PtxType {
  const name = cursor.text.slice(1);
  if (cursor.kind !== 'dotted' || !isPtxType(name)) throw cursor.expected('a type such as .b32 or .f32');
  cursor.advance();
  return name;
}

function powerOfTwo(cursor: Cursor): number {
  const place = { module: cursor.module, line: cursor.line };
  const align = cursor.integer('an alignment');
  if (align > 0 && Number.isInteger(Math.log2(align))) return align;
  throw ptxError(place, `expected a power of two as alignment, found ${align}`, { found: align });
}

/** Reads `[2][3]`; an empty first pair of brackets gives −1. */
function parseDims(cursor: Cursor): number[] {
  const dims: number[] = [];
  while (cursor.accept('[')) {
    if (cursor.accept(']')) {
      dims.push(-1);
      continue;
    }
    const place = { module: cursor.module, line: cursor.line };
    const size = parseConstantInteger(cursor, 'an array size');
    if (size < 0) throw ptxError(place, `expected an array size, found ${size}`, { found: size });
    dims.push(size);
    cursor.expect(']');
  }
  return dims;
}

/** Reads the variables of a declaration from behind its state space to behind the semicolon. */
export function parseVariables(cursor: Cursor, space: StateSpace, extern: boolean): PtxVariable[] {
  const shape = parseShape(cursor);
  if (shape.type === 'pred') throw cursor.expected('a variable with a type of known size, not .pred');
  const element = bytesOfType(shape.type) * shape.vector;
  const variables: PtxVariable[] = [];
  do {
    const { line } = cursor;
    const name = cursor.word('the name of a variable');
    const dims = parseDims(cursor);
    const inner = shape.vector === 1 ? dims : [...dims, shape.vector];
    const initial = cursor.accept('=') ? parseInitializer(cursor, shape.type, inner) : undefined;
    if (initial === undefined && dims.includes(-1) && !extern) {
      throw ptxError({ module: cursor.module, line }, `the array '${name}' has no size and is not .extern`);
    }
    const byteLength =
      initial?.length ?? (dims.includes(-1) ? 0 : dims.reduce((bytes, n) => bytes * n, element));
    const align = shape.align ?? element;
    variables.push({
      space,
      name,
      type: shape.type,
      align,
      byteLength,
      extern,
      line,
      ...(initial === undefined ? {} : { initial }),
    });
  } while (cursor.accept(','));
  cursor.expect(';');
  return variables;
}

/** Reads `( .param …, .param … )` and places the parameters one behind the other at their natural alignment. */
export function parseParams(cursor: Cursor): { params: PtxParam[]; byteLength: number } {
  const params: PtxParam[] = [];
  let byteOffset = 0;
  cursor.expect('(');
  while (cursor.kind !== ')') {
    if (!cursor.acceptDotted('param')) throw cursor.expected("'.param'");
    const shape = parseShape(cursor);
    if (cursor.acceptDotted('ptr')) skipPointee(cursor);
    const name = cursor.word('the name of a parameter');
    const element = bytesOfType(shape.type) * shape.vector;
    const align = shape.align ?? element;
    const byteLength = parseDims(cursor).reduce((bytes, n) => bytes * Math.max(n, 0), element);
    byteOffset = Math.ceil(byteOffset / align) * align;
    params.push({ name, type: shape.type, align, byteLength, byteOffset });
    byteOffset += byteLength;
    if (!cursor.accept(',')) break;
  }
  cursor.expect(')', "',' or ')' after a parameter");
  return { params, byteLength: byteOffset };
}

/** `.ptr .global .align 16` tells of the memory that the parameter points to, not of the parameter. */
function skipPointee(cursor: Cursor): void {
  while (cursor.kind === 'dotted') {
    if (cursor.acceptDotted('align')) cursor.integer('an alignment');
    else cursor.advance();
  }
}
