import { CompileError } from '@ffma/core';
import { describe, expect, it } from 'vitest';
import { parsePtx } from './parse.js';

const head = '.version 9.0\n.target sm_80\n.address_size 64\n';
const kernel = (body: string) =>
  `${head}.entry k(.param .u64 a)\n{\n.reg .b32 %r<4>;\n.reg .pred %p<2>;\n${body}\n}\n`;
/** Line of a body's first statement in `kernel`. */
const first = 8;

const errorOf = (text: string): CompileError => {
  try {
    parsePtx(text, 'broken.ptx');
  } catch (error) {
    if (error instanceof CompileError) return error;
    throw error;
  }
  throw new Error('the text was accepted');
};

describe('malformed bodies', () => {
  it.each([
    ['add.s32 %r1, %r2 %r3;', first, /expected ',' or ';'.*found '%r3'/],
    ['add.s32 %r1, %r2', first + 1, /expected ',' or ';'.*found '}'/],
    ['add.s32 %r1, %r2, %r9;', first, /register '%r9' is not declared/],
    ['mov.u32 %r1, %tod.x;', first, /register '%tod' is not declared/],
    ['mov.u32 %r1, %tid.q;', first, /expected \.x, \.y or \.z.*'\.q'/],
    ['\n@%p7 bra L;\nL:', first + 1, /register '%p7' is not declared/],
    ['bra nowhere;', first, /unknown name 'nowhere'/],
    ['ld.param.u32 %r1, [b];', first, /unknown name 'b'/],
    ['ld.global.u32 %r1, [%r2+%r3];', first, /expected an offset in bytes, found '%r3'/],
    ['ld.global.u32 %r1, [%r2;', first, /expected .*']'.*found ';'/],
    ['mov.b64 {%r1, %r2, %r3;', first, /expected ',' or '}', found ';'/],
    ['mov.u32 %r1, 0x;', first, /expected an operand, found '0x'/],
    ['mov.u32 %r1, 09;', first, /expected an operand, found '09'/],
    ['mov.f32 %r1, 0f3F80;', first, /expected an operand, found '0f3F80'/],
    ['mov.u32 %r1, 1/0;', first, /divides by zero/],
    ['mov.u32 %r1, 1.5+1;', first, /expected integers around '\+'/],
    ['add.s32;;\n?', first + 1, /expected a label, an instruction.*found '\?'/],
    ['L:\nL:', first + 1, /'L' is declared twice/],
    ['.reg .b32 %r1;', first, /'%r1' is declared twice/],
    ['.reg .v4 .f32 v;', first, /expected a type.*'\.v4'/],
    ['.surprise 3;', first, /expected a directive of a function body.*'\.surprise'/],
    ['{ .reg .b32 inner; }\nmov.u32 %r1, inner;', first + 1, /unknown name 'inner'/],
    ['{ skip: }\nbra skip;', first + 1, /unknown name 'skip'/],
    ['brx.idx %r1, L;\nL:', first, /expected the label of a \.branchtargets/],
    ['mov.u32 %r1, "x";', first, /expected an operand, found '"x"'/],
  ])('%s', (body, line, message) => {
    const error = errorOf(kernel(body));
    expect(error.code).toBe('FFMA_COMPILE');
    expect(error.message).toMatch(message);
    expect(error.message).toMatch(new RegExp(`^PTX line ${line}: .*\\(module 'broken.ptx'\\)\\.$`));
    expect(error.details).toMatchObject({ module: 'broken.ptx', line });
  });
});

describe('malformed modules', () => {
  it.each([
    ['', 1, /expected '\.version' as first directive, found the end of the text/],
    ['\nELF', 2, /expected '\.version'.*'ELF'/],
    [`${head}.visible .function k() {}`, 4, /'\.function'/],
    [
      `${head}.entry k(.param .u64 a .param .u64 b) { ret; }`,
      4,
      /expected ',' or '\)' after a parameter, found '\.param'/,
    ],
    [`${head}.entry k(.reg .u64 a) { ret; }`, 4, /expected '\.param', found '\.reg'/],
    [`${head}.entry k()\n.maxntids 3 { ret; }`, 5, /expected a directive such as \.maxntid.*'\.maxntids'/],
    [`${head}.entry k() { ret; }\n.entry k() { ret; }`, 5, /function 'k' has two bodies/],
    [`${head}.entry k()\n{\nret;\n`, 7, /'}' for the '{' of line 5, found the end/],
    [`${head}.section .debug {\n{ }\n`, 6, /expected '}' for the '{' of line 4/],
    [`${head}/* no end`, 4, /comment '\/\*' has no end/],
    [`${head}.file 1 "k.cu\n`, 4, /no closing quote/],
  ])('%#', (text, line, message) => {
    const error = errorOf(text);
    expect(error.message).toMatch(message);
    expect(error.details).toMatchObject({ line });
  });
});

it('reports any cut of a text as a CompileError, never as another', () => {
  const text = kernel(
    'setp.lt.u32 %p1|%p0, %r1, 3; { .reg .f32 f; mov.f32 f, 0f3F800000; }\n@!%p1 bra L;\nL: ret;',
  );
  for (let length = 0; length < text.trimEnd().length; length++) {
    const cut = text.slice(0, length);
    try {
      expect(parsePtx(cut).functions.size).toBe(0);
    } catch (error) {
      expect(error).toBeInstanceOf(CompileError);
    }
  }
});
