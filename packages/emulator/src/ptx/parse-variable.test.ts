import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parsePtx } from './parse.js';

const head = '.version 9.0\n.target sm_80\n.address_size 64\n';
const variable = (declaration: string) => parsePtx(head + declaration).variables[0]!;
const bytes = (declaration: string) => [...variable(declaration).initial!];

describe('module variables', () => {
  const { variables } = parsePtx(
    readFileSync(new URL('./fixtures/hopper.ptx', import.meta.url), 'utf8'),
    'hopper',
  );
  const named = new Map(variables.map((v) => [v.name, v]));

  it('knows space, alignment and size', () => {
    expect(named.get('dynamic')).toMatchObject({ space: 'shared', align: 128, byteLength: 0, extern: true });
    expect(named.get('corner')).toMatchObject({ space: 'global', align: 16, byteLength: 16, extern: false });
    expect(named.get('odd')).toMatchObject({ space: 'global', align: 2, byteLength: 4 });
  });

  it('reads floating-point, nested and octal contents', () => {
    expect([...new Float32Array(named.get('corner')!.initial!.buffer)]).toEqual([1, 2, -1, 0.5]);
    expect([...new Int32Array(named.get('grid')!.initial!.buffer)]).toEqual([1, 2, 3, -4, 0, 0]);
    expect([...new Float64Array(named.get('scale')!.initial!.buffer)]).toEqual([1.5]);
    expect([...new Uint16Array(named.get('odd')!.initial!.buffer)]).toEqual([7, 8]);
  });
});

describe('contents', () => {
  it('are little-endian, cut to the type and padded with zeros', () => {
    expect(bytes('.global .u32 x = 0x01020304;')).toEqual([4, 3, 2, 1]);
    expect(bytes('.global .s8 x[3] = {-1, 0x1FF};')).toEqual([255, 255, 0]);
    expect(bytes('.global .b64 x = -2;')).toEqual([254, 255, 255, 255, 255, 255, 255, 255]);
  });

  it('fill rows of nested lists at their row, and flat lists in order', () => {
    expect(bytes('.global .b8 x[2][2][2] = {{{1}, {2, 3}}, {{4}}};')).toEqual([1, 0, 2, 3, 4, 0, 0, 0]);
    expect(bytes('.global .b8 x[2][2] = {1, 2, 3};')).toEqual([1, 2, 3, 0]);
  });

  it('are aligned naturally where the declaration does not say', () => {
    expect(variable('.global .f64 x[2];')).toMatchObject({ align: 8, byteLength: 16 });
    expect(variable('.global .v2 .f32 x[2];')).toMatchObject({ align: 8, byteLength: 16 });
  });

  it.each([
    ['.global .b8 x[2] = {1, 2, 3};', /line 4: .*no more elements/],
    ['.global .b8 x[2][2] = {{1, 2, 3}};', /line 4: .*no more elements/],
    ['.global .b8 x[2] = {{1}};', /line 4: .*not another list/],
    ['.global .u32 y;\n.global .u64 x = generic(y);', /line 5: .*address 'generic'.*from the host/],
    ['.global .u64 x[2] = {0, other};', /line 4: .*address 'other'/],
    ['.global .u32 x[];', /line 4: .*'x' has no size/],
    ['.global .align 3 .b8 x;', /line 4: .*power of two.*3/],
    ['.global .u32 x;\n.global .u32 x;', /line 5: .*'x' is declared twice/],
    ['.global .texref x;', /line 4: expected a type.*'\.texref'/],
  ])('%s is refused', (declaration, message) => {
    expect(() => parsePtx(head + declaration)).toThrow(message);
  });
});

it('an extern declaration gives way to the definition', () => {
  const { variables } = parsePtx(`${head}.extern .global .u32 x;\n.visible .global .u32 x = 5;`);
  expect(variables).toMatchObject([{ name: 'x', extern: false, line: 5 }]);
});

it('parameters lie one behind the other at their own alignment', () => {
  const text = `${head}.entry k(.param .u8 a, .param .u64 .ptr .global .align 256 b, .param .u16 c,
    .param .align 16 .b8 d[20], .param .f32 e) { ret; }`;
  const { params, paramBytes } = parsePtx(text).functions.get('k')!;
  expect(params.map((p) => [p.name, p.byteOffset, p.byteLength])).toEqual([
    ['a', 0, 1],
    ['b', 8, 8],
    ['c', 16, 2],
    ['d', 32, 20],
    ['e', 52, 4],
  ]);
  expect(paramBytes).toBe(56);
});
