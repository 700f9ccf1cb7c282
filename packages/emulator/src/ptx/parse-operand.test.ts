import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Instruction, Operand } from './ast.js';
import { parsePtx } from './parse.js';

const read = (name: string) =>
  parsePtx(readFileSync(new URL(`./fixtures/${name}.ptx`, import.meta.url), 'utf8'), name);
const hopper = read('hopper').functions.get('hopper')!;
const spelling = read('spelling').functions.get('k')!;

const all = [...hopper.body, ...spelling.body].filter((s): s is Instruction => s.kind === 'instruction');
const find = (text: string): Instruction => {
  const found = all.find((instruction) => instruction.text.includes(text));
  if (found === undefined) throw new Error(`no instruction has '${text}'`);
  return found;
};
const reg = (name: string): Operand => ({ kind: 'reg', name });
const int = (value: bigint): Operand => ({ kind: 'int', value });
const at = (name: string, offset = 0): Operand => ({ kind: 'address', base: { kind: 'reg', name }, offset });

const f32Bits = (value: number) => new Uint32Array(new Float32Array([value]).buffer)[0]!;

describe('operands', () => {
  it.each<[string, readonly Operand[]]>([
    ['%r1, %tid.x', [reg('%r1'), { kind: 'special', name: 'tid', dim: 'x' }]],
    ['%cluster_ctarank', [reg('%r2'), { kind: 'special', name: 'cluster_ctarank' }]],
    ['WARP_SZ', [reg('%r3'), int(32n)]],
    ['%rd1, map', [reg('%rd1'), { kind: 'symbol', name: 'map', offset: 0 }]],
    ['dynamic+1024', [reg('%r5'), { kind: 'symbol', name: 'dynamic', offset: 1024 }]],
    ['elect.sync', [{ kind: 'sink' }, reg('p'), int(0xffffffffn)]],
    ['setp.lt.and', [reg('p'), reg('q'), reg('%r1'), int(32n), { kind: 'reg', name: 'p', negate: true }]],
    ['%r6, _', [{ kind: 'vector', elements: [reg('%r6'), { kind: 'sink' }] }, reg('%rd1')]],
    ['st.global.f32 [ %rd4', [at('%rd4', 16), { kind: 'f32', bits: f32Bits(1.5) }]],
    [
      'fma.rn',
      [reg('%f1'), reg('%f2'), { kind: 'f32', bits: 0xc0000000 }, { kind: 'f32', bits: f32Bits(1e-3) }],
    ],
    ['bar.red', [reg('%r10'), int(1n), int(128n), { kind: 'reg', name: 'p', negate: true }]],
    ['cp.async.cg', [at('%r5', 4), at('%rd4'), int(16n), reg('%r3')]],
    ['[4096]', [reg('%r12'), { kind: 'address', offset: 4096 }]],
    ['fence.proxy.async', []],
    ['0U', [reg('r2'), int(0n)]],
    ['%envreg3', [reg('r3'), { kind: 'special', name: 'envreg3' }]],
    ['(1+2)*4|1<<4', [reg('r3'), reg('r2'), int(28n)]],
    ['[a+8*2+~0+1]', [at('a', 16), reg('r3')]],
    ['vote.sync', [reg('p2'), { kind: 'reg', name: 'p', negate: true }, int(-1n)]],
  ])('%s', (text, operands) => {
    expect(find(text).operands).toEqual(operands);
  });

  it('keeps tensor coordinates beside the address', () => {
    const coordinates: Operand = { kind: 'vector', elements: [reg('%r2'), reg('%r3')] };
    const copy = find('cp.async.bulk.tensor');
    expect(copy.operands[1]).toEqual({ ...at('%rd1'), extra: [coordinates] });
    expect(copy.guard).toEqual({ reg: 'q', negate: true });
  });

  it('splits modifiers at dots, not at double colons', () => {
    expect(find('ld.global.nc').modifiers).toEqual(['global', 'nc', 'L2::128B', 'v4', 'f32']);
    expect(find('mbarrier.init').modifiers).toEqual(['init', 'shared::cta', 'b64']);
  });

  it('marks destination pairs', () => {
    expect(find('lop3.or.b32').pair).toBe(true);
    expect(find('elect.sync').pair).toBe(true);
    expect(find('fma.rn').pair).toBeUndefined();
  });
});

describe('spelling', () => {
  it('gives statements without comments, line breaks and guards that stand apart', () => {
    const [taken, other] = spelling.body.filter(
      (s): s is Instruction => s.kind === 'instruction' && s.op === 'bra',
    );
    expect([taken!.text, taken!.line, taken!.guard]).toEqual(['@ p bra L1', 15, { reg: 'p', negate: false }]);
    expect([other!.text, other!.line, other!.guard]).toEqual(['@!p bra L1', 16, { reg: 'p', negate: true }]);
  });

  it('reads two labels on one line', () => {
    expect(spelling.body.filter((s) => s.kind === 'label')).toEqual([
      { kind: 'label', name: 'L1', line: 18 },
      { kind: 'label', name: 'L2', line: 18 },
    ]);
  });

  it('follows inlining to the caller, and from there to its caller', () => {
    const outer = { file: 'a b/k.cu', line: 5 };
    const middle = { file: 'a b/k.cu', line: 6, inlinedAt: outer };
    const sourceOf = (part: string) =>
      spelling.body.find((s): s is Instruction => s.kind === 'instruction' && s.text.includes(part))?.source;
    expect(sourceOf('ld.param')).toEqual(outer);
    expect(sourceOf('%tid.x')).toEqual(middle);
    expect(sourceOf('%envreg3')).toEqual({ file: 'fma.cuh', line: 9, inlinedAt: middle });
  });
});

it('keeps performance directives of every shape', () => {
  expect(hopper.bounds).toEqual({
    reqntid: [128],
    explicitcluster: [],
    reqnctapercluster: [2, 1, 1],
    maxnreg: [168],
  });
});
