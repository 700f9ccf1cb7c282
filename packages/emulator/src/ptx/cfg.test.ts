import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type BasicBlock, buildCfg, type CfgOptions } from './cfg.js';
import { parsePtx } from './parse.js';

const kernel = (body: string, options?: CfgOptions) => {
  const text = `.version 9.0\n.target sm_80\n.entry k()\n{\n.reg .pred p;\n.reg .b32 i, v;\n${body}\n}`;
  return buildCfg(parsePtx(text).functions.get('k')!, options).blocks;
};
/** One line a block: label or id, instructions, how it ends. */
const summary = (blocks: readonly BasicBlock[]) =>
  blocks.map((block) => {
    const { label, id, instructions, terminator: t } = block;
    const name = (to: number) => blocks[to]!.label ?? `#${to}`;
    const end = {
      jump: () => (t.kind === 'jump' ? `-> ${name(t.target)}` : ''),
      branch: () => (t.kind === 'branch' ? `? ${name(t.taken)} : ${name(t.fallthrough)}` : ''),
      switch: () => (t.kind === 'switch' ? `-> [${t.targets.map(name).join(' ')}]` : ''),
      exit: () => (t.kind === 'exit' ? t.op : ''),
    }[t.kind]();
    return [label ?? `#${id}`, ...instructions.map(({ op }) => op), end].join(' ');
  });

describe('buildCfg', () => {
  it('gives an empty body one block that ends', () => {
    expect(summary(kernel(''))).toEqual(['#0 end']);
  });

  it('splits at branches and at the labels that they name, and at no other label', () => {
    const body =
      'add.u32 v, v, 1;\ndebug:\n@p bra skip;\nsub.u32 v, v, 1;\nskip: more: not.b32 v, v;\nret;\nafter:';
    expect(summary(kernel(body))).toEqual(['#0 add ? skip : #1', '#1 sub -> skip', 'skip not ret']);
  });

  it('links a loop back to its head, also where that is the entry', () => {
    const blocks = kernel('head: add.u32 v, v, 1;\n@!p bra head;');
    expect(summary(blocks)).toEqual(['head add ? head : #1', '#1 end']);
    expect(blocks[0]!.predecessors).toEqual([0]);
    expect(blocks[0]!.terminator).toMatchObject({ guard: { reg: 'p', negate: true } });
  });

  it('drops what cannot be reached', () => {
    const body = 'bra end;\nmid: add.u32 v, v, 1;\n@p bra mid;\nend: exit;\nadd.u32 v, v, 1;';
    expect(summary(kernel(body))).toEqual(['#0 -> end', 'end exit']);
  });

  it('sends guarded exits to a block of their own', () => {
    const blocks = kernel('@p ret;\n@!p trap;\nadd.u32 v, v, 1;\n@p exit;');
    expect(summary(blocks)).toEqual([
      '#0 ? #3 : #1',
      '#1 ? #4 : #2',
      '#2 add ? #5 : #6',
      '#3 ret',
      '#4 trap',
      '#5 exit',
      '#6 end',
    ]);
    expect(blocks.map(({ synthetic }) => synthetic)).toEqual([false, false, false, true, true, true, true]);
  });

  it('makes a branch to the next instruction a jump', () => {
    expect(summary(kernel('@p bra next;\nnext: ret;'))).toEqual(['#0 -> next', 'next ret']);
  });

  it('lists the targets of a switch, guarded or not', () => {
    const fixture = readFileSync(new URL('./fixtures/switch.ptx', import.meta.url), 'utf8');
    const { blocks } = buildCfg(parsePtx(fixture).functions.get('choose')!);
    expect(summary(blocks)).toContain('#1 -> [first second first third]');
    expect(blocks[1]!.successors.map((id) => blocks[id]!.label)).toEqual(['first', 'second', 'third']);
    const table = 't: .branchtargets a, b;';
    expect(summary(kernel(`${table}\n@p brx.idx i, t;\na: ret;\nb: exit;`))).toEqual([
      '#0 ? #3 : a',
      'a ret',
      'b exit',
      '#3 -> [a b]',
    ]);
  });

  it('splits after what the caller names, but makes no empty blocks', () => {
    const splitAfter = ({ op }: { op: string }) => op === 'bar' || op === 'bra';
    const body =
      'add.u32 v, v, 1;\nbar.sync 0;\nbar.sync 0;\n@p bra end;\nsub.u32 v, v, 1;\nbar.sync 0;\nend: ret;';
    expect(summary(kernel(body, { splitAfter }))).toEqual([
      '#0 add bar -> #1',
      '#1 bar -> #2',
      '#2 ? end : #3',
      '#3 sub bar -> end',
      'end ret',
    ]);
  });

  it('keeps every reachable instruction of real kernels exactly once', () => {
    for (const name of ['reduce.nvcc', 'reduce.clang']) {
      const fn = parsePtx(
        readFileSync(new URL(`./fixtures/${name}.ptx`, import.meta.url), 'utf8'),
      ).functions.get('reduce')!;
      const { blocks } = buildCfg(fn);
      const kept = blocks.flatMap(({ instructions, terminator: t, synthetic }) =>
        synthetic ? [] : [...instructions, ...('instruction' in t && t.instruction ? [t.instruction] : [])],
      );
      expect(kept).toEqual(fn.body.filter(({ kind }) => kind === 'instruction'));
    }
  });

  it('refuses a branch to something that is no label', () => {
    const text = '.version 9.0\n.target sm_80\n.global .u32 x;\n.entry k()\n{\nbra x;\n}';
    expect(() => buildCfg(parsePtx(text).functions.get('k')!)).toThrow(
      "PTX line 6: 'bra x' needs a label of this function as target (function 'k').",
    );
  });
});
