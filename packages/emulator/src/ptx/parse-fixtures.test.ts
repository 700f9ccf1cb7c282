import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Instruction, PtxFunction } from './ast.js';
import { parsePtx } from './parse.js';

const read = (name: string) => {
  const text = readFileSync(new URL(`./fixtures/${name}.ptx`, import.meta.url), 'utf8');
  return { text, module: parsePtx(text, name) };
};
const instructions = (fn: PtxFunction) => fn.body.filter((s): s is Instruction => s.kind === 'instruction');

describe.each(['reduce.nvcc', 'reduce.clang'])('%s', (name) => {
  const { text, module } = read(name);
  const reduce = module.functions.get('reduce')!;

  it('has the kernel, the function that it calls and the constant table', () => {
    expect([...module.functions.keys()]).toEqual(['_Z7squaredfi', 'reduce']);
    expect(module).toMatchObject({ target: 'sm_80', addressSize: 64 });
    expect(module.variables).toMatchObject([{ name: 'table', space: 'const', align: 4, byteLength: 16 }]);
    expect([...new Float32Array(module.variables[0]!.initial!.buffer)]).toEqual([1, -2, 0.5, 3]);
  });

  it('places parameters and keeps launch bounds', () => {
    expect(reduce.isEntry).toBe(true);
    expect(reduce.bounds).toEqual({ maxntid: [128, 1, 1], minnctapersm: [2] });
    expect(reduce.params.map((p) => [p.byteOffset, p.byteLength, p.align])).toEqual([
      [0, 8, 8],
      [8, 8, 8],
      [16, 16, 4],
    ]);
    expect(reduce.paramBytes).toBe(32);
    const squared = module.functions.get('_Z7squaredfi')!;
    expect(squared.isEntry).toBe(false);
    expect(squared.results).toMatchObject([{ name: 'func_retval0', byteLength: 4 }]);
  });

  it('finds the shared array and the parameters of the call in the body', () => {
    expect(reduce.variables).toMatchObject([
      { name: '_ZZ6reduceE7partial', space: 'shared', byteLength: 512 },
      { name: 'param0', space: 'param', byteLength: 4 },
      { name: 'param1', space: 'param', byteLength: 4 },
      { name: 'retval0', space: 'param', byteLength: 4 },
    ]);
    const call = instructions(reduce).find(({ op }) => op === 'call')!;
    expect(call.text).toBe('call.uni (retval0), _Z7squaredfi, ( param0, param1 )');
    expect(call.operands).toEqual([
      { kind: 'vector', elements: [{ kind: 'symbol', name: 'retval0', offset: 0 }] },
      { kind: 'symbol', name: '_Z7squaredfi', offset: 0 },
      {
        kind: 'vector',
        elements: [
          { kind: 'symbol', name: 'param0', offset: 0 },
          { kind: 'symbol', name: 'param1', offset: 0 },
        ],
      },
    ]);
  });

  it('keeps the names of two inline assembly scopes apart', () => {
    expect(reduce.registers.get('p')).toBe('pred');
    expect(reduce.registers.get('p$1')).toBe('pred');
    const branches = instructions(reduce).filter(({ text: t }) => t.includes('bra skip'));
    expect(branches.map(({ guard, operands }) => [guard, operands[0]])).toEqual([
      [
        { reg: 'p', negate: false },
        { kind: 'symbol', name: 'skip', offset: 0 },
      ],
      [
        { reg: 'p$1', negate: true },
        { kind: 'symbol', name: 'skip$1', offset: 0 },
      ],
    ]);
    expect(
      reduce.body.filter(({ kind }) => kind === 'label').map((l) => ('name' in l ? l.name : '')),
    ).toEqual(expect.arrayContaining(['skip', 'skip$1']));
  });

  it('gives every instruction its line in the text and in the source', () => {
    const lines = text.split('\n');
    for (const { line, op, text: statement } of instructions(reduce)) {
      expect(lines[line - 1]).toContain(op);
      expect(statement).not.toMatch(/[\n\t;]|\/\//);
    }
    const barrier = instructions(reduce).find(({ op }) => op === 'bar')!;
    expect(barrier.source).toEqual({ file: 'reduce.cu', line: 32 });
  });

  it('declares every register that an instruction names', () => {
    for (const fn of module.functions.values()) {
      const used = instructions(fn).flatMap(({ operands }) => operands.filter((o) => o.kind === 'reg'));
      expect(used.length).toBeGreaterThan(20);
      for (const { name: register } of used) expect(fn.registers.has(register)).toBe(true);
    }
  });
});

it('reads a table of branch targets, functions without parameters and forward declarations', () => {
  const { module } = read('switch');
  expect([...module.functions.keys()].sort()).toEqual(['choose', 'trapping', 'twice']);
  expect(module.functions.get('trapping')).toMatchObject({ bounds: { noreturn: [] }, params: [] });
  const choose = instructions(module.functions.get('choose')!);
  const table = ['first', 'second', 'first', 'third'].map((name) => ({ kind: 'symbol', name, offset: 0 }));
  expect(choose.find(({ op }) => op === 'brx')!.operands).toEqual([
    { kind: 'reg', name: 'i' },
    { kind: 'vector', elements: table },
  ]);
  expect(choose.find(({ text }) => text === 'call trapping')!.operands).toEqual([
    { kind: 'vector', elements: [] },
    { kind: 'symbol', name: 'trapping', offset: 0 },
    { kind: 'vector', elements: [] },
  ]);
});

it('reads a large module', () => {
  const { text } = read('reduce.nvcc');
  const body = text.slice(text.indexOf('.visible .entry'), text.indexOf('\t.file'));
  const copies = Array.from({ length: 400 }, (_, i) => body.replaceAll('reduce', `kernel${i}`));
  const large = text + copies.join('\n');
  expect(large.length).toBeGreaterThan(1_500_000);
  const module = parsePtx(large);
  expect(module.functions.size).toBe(402);
  expect(module.functions.get('kernel399')!.body.length).toBe(module.functions.get('reduce')!.body.length);
});
